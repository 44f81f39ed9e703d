import type { Instant } from '../../domain/records.ts'
import { contentsOf, readNewer, readOverview, readPage, readStretch, readVersion } from './changelog-reads.ts'
import { type ChangelogContext, near } from './label-range.ts'
import { cut, idsOf, OLDEST, rangeOf } from './range.ts'
import { all, type Read, type Values } from './read.ts'
import type { Statements } from './statements.ts'
import type {
  Audience,
  Cursor,
  DirectoryEntry,
  DirectoryRange,
  Grant,
  Page,
  Revision,
  Stamped,
  Timeline,
  TimelineEntry,
  VersionContent,
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

  readChangelog: ofChangelog(null, readPage),

  /**
   * One version of that product with its changes, or null if that audience may see none. `name` is its id or its label,
   * or `latest` for the newest published one that is not yanked. With `range`, only that part of its changes. By another
   * label that leads to it, see `labelled`, it comes without its changes.
   */
  readVersion: ofChangelog(null, readVersion),

  /** The nearest versions to a label that leads to none. */
  readNear: ofChangelog(null, near),

  readOverview: ofChangelog(null, readOverview),

  /** The number of versions after a position. */
  readStretch: ofChangelog(null, readStretch),

  /** At most so many of the product's versions that are newer than a position, the nearest first. */
  readNewer: ofChangelog([], readNewer),

  /** The first public changelogs of a range. */
  *readDirectory(
    { statements, now }: ReadContext,
    range: DirectoryRange,
    limit: number,
  ): Read<DirectoryEntry[]> {
    return yield* all(statements.directory, { now, ...range, limit })
  },

  /** The newest undated versions of the first public changelogs of a range. */
  *readUndated(
    { statements, now }: ReadContext,
    range: DirectoryRange,
    limit: number,
    prereleases?: Page['prereleases'],
  ): Read<TimelineEntry[]> {
    const own = prereleases ? statements.undatedStable : statements.undated
    return yield* all(own, { now, ...range, limit })
  },

  /** The first changelogs that a key may read after a product. */
  *readProductsOfKey(
    { statements, now }: ReadContext,
    grant: Grant,
    product: string,
    limit: number,
  ): Read<DirectoryEntry[]> {
    return yield* all(statements.productsOfKey, { now, ...credentials(grant), product, limit })
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

  /** Versions of a timeline with their changes. Whether their products are public is not asked again. */
  *readContents({ statements, now }: ReadContext, entries: readonly Cursor[]): Read<VersionContent[]> {
    const own = statements.forPublic
    const found = yield* all(own.withIds.contents, { now, ids: idsOf(entries) })
    return yield* contentsOf(own, found)
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

export interface Snapshots {
  /**
   * Runs long work, all of whose reads see the state of the data at revision `at`, beside any writer. Throws `TooLong` from a
   * read that begins after `LONG_READ_MS`.
   */
  snapshot<T>(work: (reads: StoreReads, at: Revision) => Promise<T>): Promise<Stamped<T>>
}

/** A promise only if it must wait, as for PostgreSQL. */
export type Soon<T> = T | Promise<T>

/** The store with some of its reads replaced, those of snapshots too. `at` is the revision of a snapshot. */
export const withReads = <Store extends StoreReads & Snapshots>(
  store: Store,
  replace: (reads: StoreReads, at?: Revision) => Partial<StoreReads>,
): Store => ({
  ...store,
  ...replace(store),
  snapshot: (work) => store.snapshot((reads, at) => work({ ...reads, ...replace(reads, at) }, at)),
})

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
    { statements, now }: ReadContext,
    audience: Audience,
    team: string,
    product: string,
    ...given: Given
  ): Read<T | Missing> {
    const own = audience === 'public' ? statements.forPublic : statements.forKey
    const [info] = yield* all(own.info, { team, product, ...credentials(audience) })
    if (!info) return missing
    const changelogId = info.changelog.id
    return yield* read({ own, statements, info, changelogId, now }, ...given)
  }
}

const credentials = (audience: Audience): Values =>
  audience === 'public' ? {} : { teamId: audience.teamId, keyId: audience.keyId, kind: audience.kind }

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null) return b
  return b === null ? a : Math.min(a, b)
}
