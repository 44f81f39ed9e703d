import { type Static, Type } from '@sinclair/typebox'
import { mapRows } from '../../domain/objects.ts'
import type { Change } from '../../domain/records.ts'
import { urgentKindOf } from '../../domain/versions/marks.ts'
import { versionFilter } from '../../domain/versions/properties.ts'
import { UPGRADE_KINDS } from '../../notes/upgrade.ts'
import type { Cursor } from '../../store/store.ts'
import { type Filter, isFiltered, type Listed, search } from '../reading/search.ts'
import { MAX_CHANGES, readVersions, type Work } from '../reading/slices.ts'
import { missing, product, productOf, shownOf, VersionEntry, versionEntry } from './entries.ts'
import { periodOf } from './period.ts'
import { type Asked, lengthOf, next, note, placeIn, roomOf, someText, writePlace } from './tool.ts'

/** Changes of a listed version, unless searched for. */
export const LISTED_CHANGES = 12

const Entry = Type.Object({
  changelog: someText('Its changelog, if all were searched.'),
  ...VersionEntry.properties,
})

/** Of one changelog, or of all without its name. */
export const VersionList = Type.Object({
  ...mapRows(product, (row) => Type.Optional(row)),
  versions: Type.Array(Entry),
  note,
  next,
})
export type Listing = Static<typeof VersionList>

export interface Given {
  cursor?: string
  maxLength?: number
  since?: string
  until?: string
}

/**
 * The versions of a changelog, or those that match with only their matching changes: as many as fit, and where it goes on. An empty
 * answer says what there is instead. With `work`, it is one of several changelogs that share that, and named in each version.
 */
export async function listVersions(
  source: Asked,
  filter: Filter,
  limit: number,
  { cursor, ...given }: Given,
  work?: Work,
): Promise<Listing | null> {
  const { reads, audience, team, product } = source
  const { skip, after: place } = placeIn(cursor)
  const { before, ...period } = periodOf(given)
  const after = place ?? (before === null ? null : { publishedAt: before, id: '' })
  const page = { limit: 1, after: null, withChanges: false, ...period }
  const info = await reads.ask('readChangelog', audience, team, product, page)
  if (!info) return null
  if (info.missingLabel !== undefined) return missing(source, info.missingLabel)
  const result = isFiltered(filter)
    ? await search(source, filter, after, limit, { ...period, skip, work })
    : null
  const { found, next }: { found: Listed[]; next: Cursor | null } =
    result ?? (await readVersions(source, { ...period, after, limit, ...versionFilter(filter) }))
  // A date that nobody gave says nothing.
  const isDated = period.since !== null || before !== null
  const listed = isDated ? found.filter(({ dateKnown }) => dateKnown) : found
  const length = lengthOf(given)
  const answer: Listing = { ...productOf(info), versions: [] }
  if (listed.length < found.length) answer.note = UNDATED
  else if (found.length === 0 && !work) answer.note = await noteOn(source, filter, result)
  const room = roomOf(length, answer)
  let previous = after
  for (const version of listed) {
    const isFirst = answer.versions.length === 0
    const isExcerpt = version.excerptOf !== undefined
    const seen = isFirst ? skip : 0
    const release = shownOf(version, isExcerpt ? undefined : LISTED_CHANGES)
    const changes = isExcerpt
      ? urgentFirst(version.changes, seen)
      : release.groups.flatMap(({ changes }) => changes.map(({ source }) => source))
    const entry = {
      ...(work && { changelog: `${team}/${product}` }),
      ...(await versionEntry(source, version, release, changes, room.left(), length / 10)),
    }
    const isWhole = entry.changes.length === changes.length
    const fits = room.take(entry) && isWhole
    if (!fits && !isFirst) return { ...answer, next: writePlace(0, previous) }
    answer.versions.push(entry)
    const end = seen + entry.changes.length
    if (isExcerpt && end < version.changeCount) return { ...answer, next: writePlace(end, previous) }
    previous = version
  }
  return next ? { ...answer, next: writePlace(0, next) } : answer
}

export const NOTHING_SO_FAR = 'Nothing was found so far. Continue with next.'
const UNDATED =
  'Versions without a known release date are left out. To see them, call it without since and until.'

/** What there is, where nothing was found. */
async function noteOn(
  source: Asked,
  { q, kind, ...filter }: Filter,
  result: Awaited<ReturnType<typeof search>> | null,
): Promise<string> {
  if (!result) return 'There are no such versions, or their release dates are not known.'
  if (result.next) return NOTHING_SO_FAR
  const all = { ...filter, q: kind, kind: null }
  const { words } = q === null ? await search(source, all, null, Number.POSITIVE_INFINITY) : result
  const { reads, audience, team, product } = source
  const overview =
    q === null && (await reads.ask('readOverview', audience, team, product, versionFilter(filter)))
  const kinds = overview ? overview.kinds : result.counts
  return [
    kind === null ? 'Nothing has all these words.' : `Nothing of kind ${kind} was found.`,
    `Texts with a word: ${countsText(words)}. Call search with one to see them.`,
    ...(kinds.size > 0 ? [`Changes of each kind: ${countsText(kinds)}.`] : []),
  ].join(' ')
}

export const countsText = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(', ')

/** The changes of a search result after the ones that were seen, in the order of an upgrade. */
const urgentFirst = (changes: readonly Change[], seen: number): Change[] =>
  changes
    .toSorted((a, b) => UPGRADE_KINDS.indexOf(urgentKindOf(a)) - UPGRADE_KINDS.indexOf(urgentKindOf(b)))
    .slice(seen % MAX_CHANGES)
