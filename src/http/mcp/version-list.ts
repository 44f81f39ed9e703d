import { type Static, Type } from '@sinclair/typebox'
import type { Change } from '../../domain/records.ts'
import { urgentKindOf } from '../../domain/versions/marks.ts'
import { versionFilter } from '../../domain/versions/properties.ts'
import { UPGRADE_KINDS } from '../../notes/upgrade.ts'
import type { Cursor } from '../../store/store.ts'
import { type Filter, isFiltered, type Listed, search } from '../reading/search.ts'
import { MAX_CHANGES, readVersions } from '../reading/slices.ts'
import { product, productOf, shownOf, VersionEntry, versionEntry } from './entries.ts'
import { type Asked, lengthOf, next, placeIn, roomOf, writePlace } from './tool.ts'

/** Changes of a listed version, unless searched for. */
export const LISTED_CHANGES = 12

export const VersionList = Type.Object({ ...product, versions: Type.Array(VersionEntry), next })

/** The versions of a changelog, or those that match with only their matching changes: as many as fit, and where it goes on. */
export async function listVersions(
  source: Asked,
  filter: Filter,
  limit: number,
  { cursor, ...given }: { cursor?: string; maxLength?: number },
): Promise<Static<typeof VersionList> | null> {
  const { reads, audience, team, product, pace } = source
  const { skip, after } = placeIn(cursor)
  const page = { limit: 1, after: null, since: null, withChanges: false }
  const info = await reads.ask('readChangelog', audience, team, product, page)
  if (!info) return null
  const { found, next }: { found: Listed[]; next: Cursor | null } = isFiltered(filter)
    ? await search(source, filter, after, limit, skip)
    : await readVersions(source, { after, limit, ...versionFilter(filter) })
  const length = lengthOf(given)
  const answer: Static<typeof VersionList> = { ...productOf(info), versions: [] }
  const room = roomOf(length, answer)
  let previous = after
  for (const version of found) {
    const isFirst = answer.versions.length === 0
    const isExcerpt = version.excerptOf !== undefined
    const seen = isFirst ? skip : 0
    const release = shownOf(version, isExcerpt ? undefined : LISTED_CHANGES)
    const changes = isExcerpt
      ? urgentFirst(version.changes, seen)
      : release.groups.flatMap(({ changes }) => changes.map(({ source }) => source))
    const entry = await versionEntry(pace, version, release, changes, room.left(), length / 10)
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

/** The changes of a search result after the ones that were seen, in the order of an upgrade. */
const urgentFirst = (changes: readonly Change[], seen: number): Change[] =>
  changes
    .toSorted((a, b) => UPGRADE_KINDS.indexOf(urgentKindOf(a)) - UPGRADE_KINDS.indexOf(urgentKindOf(b)))
    .slice(seen % MAX_CHANGES)
