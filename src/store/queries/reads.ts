import { LATEST } from '../../domain/addresses/paths.ts'
import { isId } from '../../domain/id.ts'
import type { Change, Instant } from '../../domain/records.ts'
import { readCounts } from '../../domain/versions/derived.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import { sourceOf } from '../../domain/versions/source.ts'
import {
  boundsOf,
  type ChangelogContext,
  isSmall,
  type KeyRange,
  labelled,
  near,
  newestVersion,
} from './label-range.ts'
import { cut, idsOf, newer, OLDEST, type Range, rangeOf, within } from './range.ts'
import { all, type Read, type Values } from './read.ts'
import type { AudienceStatements, Statements } from './statements.ts'
import {
  type Audience,
  type ChangelogInfo,
  type ChangelogOverview,
  type ChangelogRead,
  type ChangeRange,
  type Cursor,
  type DirectoryEntry,
  type DirectoryRange,
  type Grant,
  OVERVIEW,
  type Page,
  type Stamped,
  type Stretch,
  type Timeline,
  type TimelineEntry,
  type VersionRead,
  type VersionSummary,
} from './types.ts'

/** The engine's statements, and the time of the read: versions due by then are published. */
export interface ReadContext {
  statements: Statements
  now: Instant
}

export function* ping({ statements }: ReadContext): Read<void> {
  yield* all(statements.anyTeam, {})
}

/** Every read of a server. `Store` has a method for each, without the context. */
const reads = {
  /** Null if the key is unknown, disabled or expired at `now`. */
  *findGrant({ statements }: ReadContext, tokenHash: string, now: Instant): Read<Grant | null> {
    const [found] = yield* all(statements.grant, { hash: tokenHash, now })
    if (!found) return null
    const { tokenExpiresAt, keyExpiresAt, ...grant } = found
    const attached = yield* all(statements.attachedProducts, { keyId: grant.keyId })
    return {
      ...grant,
      products: new Set(attached.map(({ slug }) => slug)),
      expiresAt: earliest(tokenExpiresAt, keyExpiresAt),
    }
  },

  /** True if there is work for a worker. */
  *readWork({ statements }: ReadContext): Read<boolean> {
    return (yield* all(statements.work, {})).length > 0
  },

  readChangelog: ofChangelog(null, changelog),

  /**
   * One version of that product with its changes, or null if that audience may see none. `name` is its id or its label,
   * or `latest`, see `latestOf`. With `range`, only that part of its changes. By another
   * label that leads to it, see `labelled`, it comes without its changes.
   */
  readVersion: ofChangelog(null, version),

  /** The nearest versions to a label that leads to none. */
  readNear: ofChangelog(null, near),

  readOverview: ofChangelog(null, overview),

  /** The number of versions after a position. */
  readStretch: ofChangelog(null, stretch),

  /** At most so many of the product's versions that are newer than a position, the nearest first. */
  readNewer: ofChangelog([], newerThan),

  /** The first public changelogs of a range. */
  *readDirectory(
    { statements, now }: ReadContext,
    range: DirectoryRange,
    limit: number,
  ): Read<DirectoryEntry[]> {
    return yield* all(statements.directory, { now, ...range, limit })
  },

  /** Of the first public changelogs of a range, the newest versions that have no date. */
  *readUndated(
    { statements, now }: ReadContext,
    range: DirectoryRange,
    limit: number,
  ): Read<TimelineEntry[]> {
    return yield* all(statements.undated, { now, ...range, limit })
  },

  /** The first changelogs that a key may read after a product. */
  *readProductsOfKey(
    { statements }: ReadContext,
    grant: Grant,
    product: string,
    limit: number,
  ): Read<ChangelogInfo[]> {
    return yield* all(statements.productsOfKey, { ...credentials(grant), product, limit })
  },

  /** Dated versions of all public products of a team, or of all teams, newest first; `prereleases` as of a page. */
  *readTimeline(
    { statements: { timeline }, now }: ReadContext,
    team: string | null,
    after: Cursor | null,
    limit: number,
    prereleases?: Page['prereleases'],
  ): Read<Timeline> {
    const range = rangeOf('', now, after, OLDEST, limit)
    const own = timelineOf(timeline, team, prereleases)
    const { versions: entries, next } = cut(yield* all(own.entries, { ...range, team: team ?? '' }), range)
    return { entries, next }
  },

  /** The positions of at most so many of them that are newer than a position, the nearest first. */
  *readNewerInTimeline(
    { statements: { timeline }, now }: ReadContext,
    team: string | null,
    than: Cursor,
    limit: number,
    prereleases?: Page['prereleases'],
  ): Read<Cursor[]> {
    const values = { now, team: team ?? '', thanAt: than.publishedAt, thanId: than.id, limit }
    return yield* all(timelineOf(timeline, team, prereleases).newer, values)
  },
}

const timelineOf = (all: Statements['timeline'], team: string | null, prereleases?: Page['prereleases']) =>
  team === null ? all[prereleases ? 'ofSiteStable' : 'ofSite'] : all[prereleases ? 'ofTeamStable' : 'ofTeam']

export type ReadName = keyof typeof reads

/** Arguments and result of a read. */
export type Given<Name extends ReadName> = (typeof reads)[Name] extends (
  context: ReadContext,
  ...given: infer Values
) => unknown
  ? Values
  : never
export type Found<Name extends ReadName> =
  ReturnType<(typeof reads)[Name]> extends Read<infer Result> ? Result : never

/** The reads with types for a call by a variable name. */
export const READS: {
  [Name in ReadName]: (context: ReadContext, ...given: Given<Name>) => Read<Found<Name>>
} = reads

export type StoreReads = {
  [Name in ReadName]: (...given: Given<Name>) => Soon<Stamped<Found<Name>>>
}

/** A promise only if it must wait, as for PostgreSQL. */
export type Soon<T> = T | Promise<T>

/** Maps all reads by one function, so that engines and wrappers name none. */
export const mapReads = (
  read: <Name extends ReadName>(name: Name, given: Given<Name>) => Soon<Stamped<Found<Name>>>,
): StoreReads =>
  Object.fromEntries(
    Object.keys(reads).map((name) => [name, (...given: never) => read(name as ReadName, given)]),
  ) as StoreReads

/** A read of a changelog; `missing` if this audience may see none. */
function ofChangelog<Given extends unknown[], T, Missing>(
  missing: Missing,
  read: (context: ChangelogContext, ...given: Given) => Read<T>,
) {
  return function* (
    { statements: { forPublic, forKey, highest, lowest }, now }: ReadContext,
    audience: Audience,
    team: string,
    product: string,
    ...given: Given
  ): Read<T | Missing> {
    const own = audience === 'public' ? forPublic : forKey
    const [info] = yield* all(own.info, { team, product, ...credentials(audience) })
    if (!info) return missing
    const changelogId = info.changelog.id
    return yield* read({ own, forPublic, highest, lowest, info, changelogId, now }, ...given)
  }
}

function* changelog(given: ChangelogContext, page: Page): Read<ChangelogRead> {
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

function* version(
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

function* overview(
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

function* stretch(
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

function* newerThan(
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
  const contents = versions.map((version) => ({ ...version, changes: [] as Change[] }))
  const byId = new Map(contents.map((version) => [version.id, version]))
  for (const { versionId, ...change } of yield* all(own.changesOfAll, { ids: idsOf(versions) }))
    byId.get(versionId)?.changes.push(change)
  return { versions: contents, next }
}

const credentials = (audience: Audience): Values =>
  audience === 'public' ? {} : { teamId: audience.teamId, keyId: audience.keyId, kind: audience.kind }

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}
