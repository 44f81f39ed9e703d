import { LATEST } from '../../domain/addresses/paths.ts'
import { isId } from '../../domain/id.ts'
import type { Change } from '../../domain/records.ts'
import { readCounts } from '../../domain/versions/derived.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import { sourceOf } from '../../domain/versions/source.ts'
import {
  boundsOf,
  type ChangelogContext,
  isSmall,
  type KeyRange,
  labelled,
  newestVersion,
} from './label-range.ts'
import { cut, idsOf, newer, OLDEST, type Range, rangeOf, within } from './range.ts'
import { all, type Read } from './read.ts'
import type { AudienceStatements } from './statements.ts'
import {
  type ChangelogInfo,
  type ChangelogOverview,
  type ChangelogRead,
  type ChangeRange,
  type Cursor,
  OVERVIEW,
  type Page,
  type Stretch,
  type VersionRead,
  type VersionSummary,
} from './types.ts'

/** Reads of a changelog that an audience may see. */

export function* readPage(given: ChangelogContext, page: Page): Read<ChangelogRead> {
  const own = page.prereleases ? { ...given.own, ...given.own.stable } : given.own
  const context = { ...given, own }
  const { info, now, changelogId } = context
  const nothing = { ...info, versions: [], next: null }
  let found: ChangelogInfo & Pick<ChangelogRead, 'upTo'> = info
  let beyond: Cursor = { publishedAt: page.since ?? OLDEST.publishedAt, id: '' }
  let { after } = page
  if (page.newerThan !== undefined) {
    const named = yield* labelled(given, page.newerThan)
    if (!named) return { ...nothing, missingLabel: page.newerThan }
    beyond = newer(beyond, named)
  }
  if (page.between) {
    const bounds = yield* boundsOf(given, page.between)
    if (bounds === 'reversed') return { ...nothing, isReversed: true }
    if (bounds === 'empty') return nothing
    if ('missingLabel' in bounds) return { ...nothing, ...bounds }
    found = { ...info, upTo: bounds.upTo }
    if ('keys' in bounds) return { ...found, ...(yield* between(context, bounds.keys, beyond, page)) }
    if (bounds.beyond) beyond = newer(beyond, bounds.beyond)
    // No id sorts between this and that of the version.
    const start = { publishedAt: bounds.last.publishedAt, id: `${bounds.last.id}~` }
    after = after && newer(after, start) === start ? after : start
  }
  const range = rangeOf(changelogId, now, after, beyond, page.limit)
  return { ...found, ...(yield* pageOf(own, own, range, page)) }
}

/** Numbers of versions read from the list for a large range: the nearest first, which nearly always fill a page. */
const LOOKED_AT = [250, 5_000]

/** A page of versions between two semantic ones. It may be short, and others follow it. */
function* between(context: ChangelogContext, keys: KeyRange, beyond: Cursor, page: Page): Read<VersionPage> {
  const { own, changelogId, now } = context
  const { after, limit } = page
  const pageBetween = function* (found: AudienceStatements['inSmallRange'], range: Range & KeyRange) {
    const ids = idsOf(yield* all(found, range))
    return yield* pageOf(own, own.withIds, { ...range, ids }, page)
  }
  if (limit === null || (yield* isSmall(context, keys))) {
    const range = { ...rangeOf(changelogId, now, after, beyond, limit), ...keys }
    return yield* pageBetween(own.inSmallRange, range)
  }
  let found: VersionPage = { versions: [], next: null }
  for (const size of LOOKED_AT) {
    const list = rangeOf(changelogId, now, after, beyond, limit)
    const [last, end] = yield* all(own.positions, { ...list, skip: size - 1, limit: 2 })
    const isLast = !end || newer(end, beyond) === beyond
    const range = { ...rangeOf(changelogId, now, after, isLast ? beyond : end, limit), ...keys }
    found = yield* pageBetween(own.inLargeRange, range)
    if (found.next || isLast) return found
    found.next = last ?? null
  }
  return found
}

export function* readVersion(
  context: ChangelogContext,
  given: string,
  range: ChangeRange = ALL_CHANGES,
): Read<VersionRead | null> {
  const { own, info, changelogId, now } = context
  const name = given === LATEST ? (yield* newestVersion(context))?.id : given
  if (name === undefined) return null
  const [version] = isId('ver', name)
    ? yield* all(own.version, { changelogId, id: name, now })
    : yield* all(own.versionByLabel, { changelogId, label: name, now })
  if (version) {
    const content = { ...version, changes: yield* changesOf(own, version.id, range) }
    const [stored] = range.withSource ? yield* all(own.sourceOf, { id: version.id }) : []
    return { ...info, version: content, ...(stored && { source: sourceOf(stored, content) }) }
  }
  if (isId('ver', name)) return null
  // A hidden label takes the same steps here as a missing one.
  const named = yield* labelled(context, name)
  const [moved] = named ? yield* all(own.version, { changelogId, id: named.id, now }) : []
  return moved ? { ...info, version: { ...moved, changes: [] }, isMoved: true } : null
}

export function* readOverview(
  { own, info, changelogId, now }: ChangelogContext,
  prereleases?: Page['prereleases'],
): Read<ChangelogOverview> {
  const range = rangeOf(changelogId, now, null, OLDEST, OVERVIEW.versions)
  const rows = yield* all((prereleases ? own.stable : own).kinds, range)
  const kinds = new Map<Kind, number>()
  for (const row of rows)
    for (const [kind, count] of readCounts(row.kinds) ?? [])
      kinds.set(kind, (kinds.get(kind) ?? 0) + count * row.versions)
  const sum = (of: 'versions' | 'changes') => rows.reduce((all, row) => all + row[of], 0)
  return { ...info, versionCount: sum('versions'), changeCount: sum('changes'), kinds }
}

export function* readStretch(
  { own, changelogId, now }: ChangelogContext,
  after: Cursor | null,
  limit: number,
): Read<Stretch> {
  const range = rangeOf(changelogId, now, after, OLDEST, limit)
  const [counted] = yield* all(own.count, range)
  const count = counted?.count ?? 0
  if (count <= limit) return { count, next: null }
  const [next = null] = yield* all(own.positions, { ...range, skip: limit - 1, limit: 1 })
  return { count: limit, next }
}

export function* readNewer(
  { own, changelogId, now }: ChangelogContext,
  than: Cursor,
  limit: number,
): Read<VersionSummary[]> {
  return yield* all(own.newer, { changelogId, now, thanAt: than.publishedAt, thanId: than.id, limit })
}

const ALL_CHANGES: ChangeRange = { skip: 0, limit: Number.MAX_SAFE_INTEGER }

const changesOf = (own: AudienceStatements, id: string, { skip, limit }: ChangeRange) =>
  all(own.changesOf, { id, skip, limit })

type VersionPage = Pick<ChangelogRead, 'versions' | 'next'>

/** A page in the form that is wanted. */
function* pageOf(
  own: AudienceStatements,
  statements: Pick<AudienceStatements, 'summaries' | 'dated' | 'contents'>,
  range: Range & { ids?: string },
  { withChanges, withDates, maxChanges = Number.POSITIVE_INFINITY }: Page,
): Read<VersionPage> {
  if (!withChanges) return cut(yield* all(withDates ? statements.dated : statements.summaries, range), range)
  const { versions, next } = within(cut(yield* all(statements.contents, range), range), maxChanges)
  const [first] = versions
  if (first && first.changeCount > maxChanges) {
    const changes = yield* changesOf(own, first.id, { skip: 0, limit: maxChanges })
    return { versions: [{ ...first, changes }], next }
  }
  return { versions: yield* contentsOf(own, versions), next }
}

export function* contentsOf<Version extends { id: string }>(
  { changesOfAll }: AudienceStatements,
  versions: readonly Version[],
) {
  const contents = versions.map((version) => ({ ...version, changes: [] as Change[] }))
  const byId = new Map(contents.map((version) => [version.id, version]))
  for (const { versionId, ...change } of yield* all(changesOfAll, { ids: idsOf(versions) }))
    byId.get(versionId)?.changes.push(change)
  return contents
}
