import { LATEST } from '../../domain/addresses/paths.ts'
import type { Change, VersionSummary } from '../../domain/records.ts'
import { handOver } from '../../domain/turns.ts'
import { areEntries, TELLING } from '../../domain/versions/names.ts'
import type { VersionFilter } from '../../domain/versions/properties.ts'
import type { Audience, ChangelogRead, Cursor, Page, VersionContent } from '../../store/store.ts'
import type { Ask, Reads } from '../answers/reads.ts'
import type { Names } from './addresses.ts'

/** The most changes of a slice. */
export const MAX_CHANGES = 250

/** One request reads this much, of one changelog or of several; the next one continues. */
const MAX_VERSIONS = 2_000
const MAX_CHARACTERS = 4_000_000

/** How much a request has read. */
export interface Work {
  versions: number
  characters: number
}
export const isMuch = ({ versions, characters }: Work): boolean =>
  versions >= MAX_VERSIONS || characters >= MAX_CHARACTERS

const SLICE = 10

/** Characters that one turn of the event loop reads, and how many a version or a change counts as beside its texts. */
const CHARACTERS_PER_TURN = 200_000
const RECORD_CHARACTERS = 400

/** A changelog and its audience, for the API, pages, feeds and searches. */
export interface Source extends Names {
  reads: { ask: Ask }
  audience: Audience
}

/** Versions with their changes; one with more than `MAX_CHANGES` is alone, with the first of them. */
export interface VersionSlice extends ChangelogRead {
  versions: VersionContent[]
}

/**
 * The versions of a page, newest first, or fewer with a `next`, if they are far from each other; none if the changelog does not exist.
 * A slice has at most `size` versions and `MAX_CHANGES` changes. Others are let in between slices.
 */
export const readSlices = (source: Source, page: Partial<Page>, size = SLICE) =>
  slicesOf(
    source,
    { ...page, withChanges: true, maxChanges: MAX_CHANGES },
    size,
  ) as AsyncGenerator<VersionSlice>

/** The same without changes. */
export const readSummaries = (source: Source, page: Partial<Page>, size: number) =>
  slicesOf(source, { ...page, withChanges: false }, size)

export async function readVersions(source: Source, page: Partial<Page>, size?: number) {
  const found: VersionContent[] = []
  let next: Cursor | null = null
  for await (const slice of readSlices(source, page, size)) {
    found.push(...slice.versions)
    next = slice.next
  }
  return { found, next }
}

async function* slicesOf(
  { reads, audience, team, product }: Source,
  page: Partial<Page> & Pick<Page, 'withChanges'>,
  size: number,
): AsyncGenerator<ChangelogRead> {
  let after = page.after ?? null
  let left = page.limit ?? Number.POSITIVE_INFINITY
  let characters = 0
  for (;;) {
    const part = { since: null, ...page, after, limit: Math.min(size, left) }
    const slice = await reads.ask('readChangelog', audience, team, product, part)
    if (!slice) return
    characters += slice.versions.reduce((sum, version) => sum + weightOf(version), 0)
    if (characters > CHARACTERS_PER_TURN) {
      characters = 0
      await handOver()
    }
    yield slice
    after = slice.next
    left -= slice.versions.length
    // Nothing found so far is an end too, of the work for one request.
    if (!after || left <= 0 || slice.versions.length === 0) return
  }
}

const weightOf = (version: VersionContent | VersionSummary): number =>
  RECORD_CHARACTERS +
  ('changes' in version
    ? (version.description?.length ?? 0) +
      version.changes.length * RECORD_CHARACTERS +
      lengthOf(version.changes)
    : 0)

export const lengthOf = (changes: readonly Change[]): number =>
  changes.reduce((length, { title, description }) => length + title.length + (description?.length ?? 0), 0)

/** True if only the first changes are read at once. */
export const isPartial = ({ changeCount }: VersionContent): boolean => changeCount > MAX_CHANGES

/** The changes that a slice left out, in parts. Others are let in between them. */
export async function* readFurther(
  { reads, audience, team, product }: Source,
  { id, changeCount }: VersionContent,
): AsyncGenerator<Change[]> {
  for (let skip = MAX_CHANGES; skip < changeCount; skip += MAX_CHANGES) {
    await handOver()
    const range = { skip, limit: MAX_CHANGES }
    const value = await reads.ask('readVersion', audience, team, product, id, range)
    if (!value) return
    yield value.version.changes
  }
}

/** The changelog with the first version after a position, or more of them; of those that a filter leaves. */
export const readFirst = (
  { ask }: Reads,
  { team, product }: Names,
  after: Cursor | null,
  { limit = 1, ...filter }: VersionFilter & { limit?: number } = {},
) =>
  ask('readChangelog', 'public', team, product, {
    ...{ limit, after, since: null, withChanges: false },
    ...filter,
  })

/** True for a changelog of entries: see `areEntries`. */
export async function readIsOfEntries(reads: Reads, names: Names): Promise<boolean> {
  const newest = await readFirst(reads, names, null, { limit: TELLING })
  return areEntries(newest?.versions ?? [])
}

/** The version that `latest` means, without its changes. */
export const readLatest = ({ ask }: Reads, { team, product }: Names) =>
  ask('readVersion', 'public', team, product, LATEST, { skip: 0, limit: 0 })

/** As many to choose one from, when the newest before a version are yanked. */
const CHOICE = 20

/** The version that `latest` means, and the one before it, which an upgrade begins with; one that is not yanked, if there is one. */
export async function readNewest(reads: Reads, { team, product }: Names) {
  const latest = (await readLatest(reads, { team, product }))?.version ?? null
  const found = latest && (await reads.ask('readNeighbors', 'public', team, product, latest, CHOICE))
  const older = found?.older ?? []
  return { latest, before: older.find(({ yanked }) => yanked === null) ?? older[0] ?? null }
}
