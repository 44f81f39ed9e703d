import type { Change } from '../../domain/records.ts'
import type { Audience, ChangelogRead, Page, VersionContent } from '../../store/store.ts'
import type { Queue } from '../cache/queue.ts'
import type { Names } from './names.ts'
import type { Ask } from './reads.ts'

/** Changes read and serialized in one turn of the event loop. */
export const MAX_CHANGES = 250

/** The default size. */
const SLICE = 10

/** A changelog and its audience, for the API, pages, feeds and searches. */
export interface Source extends Names {
  reads: { ask: Ask }
  queue: Queue
  audience: Audience
}

/** Versions with their changes; one with more than `MAX_CHANGES` is alone, with the first of them. */
export interface VersionSlice extends ChangelogRead {
  versions: VersionContent[]
}

/**
 * The versions of a page, newest first, or fewer with a `next`, if they are far from each other; none if the changelog does not exist. Every slice but the first has its own
 * turn of the event loop, at most `size` versions and `MAX_CHANGES` changes.
 */
export async function* readSlices(
  { reads, queue, audience, team, product }: Source,
  page: Partial<Page>,
  size = SLICE,
): AsyncGenerator<VersionSlice> {
  const whole = { since: null, ...page, withChanges: true, maxChanges: MAX_CHANGES }
  let after = page.after ?? null
  let left = page.limit ?? Number.POSITIVE_INFINITY
  for (;;) {
    const part = { ...whole, after, limit: Math.min(size, left) }
    const slice = await reads.ask('readChangelog', audience, team, product, part)
    if (!slice) return
    yield slice as VersionSlice
    after = slice.next
    left -= slice.versions.length
    // Nothing found so far is an end too, of the work for one request.
    if (!after || left <= 0 || slice.versions.length === 0) return
    await queue(() => {})
  }
}

/** Whether only the first changes are read at once. */
export const isPartial = ({ changeCount }: VersionContent): boolean => changeCount > MAX_CHANGES

/** The changes that a slice left out, in parts. Each has its own turn of the event loop. */
export async function* readFurther(
  { reads, queue, audience, team, product }: Source,
  { id, changeCount }: VersionContent,
): AsyncGenerator<Change[]> {
  for (let skip = MAX_CHANGES; skip < changeCount; skip += MAX_CHANGES) {
    await queue(() => {})
    const range = { skip, limit: MAX_CHANGES }
    const value = await reads.ask('readVersion', audience, team, product, id, range)
    if (!value) return
    yield value.version.changes
  }
}
