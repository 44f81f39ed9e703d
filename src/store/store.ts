import type { Change, Instant, KeyKind, Status, VersionStatus } from '../domain/records.ts'
import type { Migration } from './migration.ts'
import type { Records } from './records/types.ts'

/** Entries confirmed longer ago are read again before they are served. */
export const CONFIRMED_MS = 1_000

/**
 * The store of a server, which only reads. Everything is awaited, so that an engine may be on another machine.
 * Every method may throw `Unavailable` when the engine fails.
 */
export interface Store {
  /**
   * A number that differs whenever any process has committed a change, and whenever the clock has passed the moment of a
   * scheduled version, in either direction. Cheap and synchronous: what was read at one value is valid for as long as the
   * value stays the same. It is the last one known: see `unconfirmedFor`. Compare it by
   * equality alone, as a restored database may have a lower one.
   */
  revision(): Revision

  /**
   * How many milliseconds ago the question was sent whose answer last confirmed `revision()`: what it says was true
   * then, and may have changed since. Always 0 for SQLite, which is asked at each call. While a PostgreSQL does not
   * answer it grows; when one answers again, `revision()` is the new one before this is low again. It is `CONFIRMED_MS` or
   * more from the moment of a scheduled version until a read has seen that.
   */
  unconfirmedFor(): number

  /** Resolves if a real read succeeds. */
  ping(): Promise<void>

  /** The grant of the key with a token of this hash, or null if it is unknown, disabled or expired. */
  findGrant(tokenHash: string, now: Instant): Promise<Stamped<Grant | null>>

  /** A product's changelog as that audience may see it, or null if it may see none. */
  readChangelog(
    audience: Audience,
    team: string,
    product: string,
    page: Page,
  ): Promise<Stamped<ChangelogRead | null>>

  /**
   * One version of that product with its changes, or null if that audience may see none. `name` is its id or its label,
   * or `latest` for the newest published one. With `range`, only that part of its changes. By a label that it had while it
   * was public, and that no version has whom that audience may see, it comes without its changes.
   */
  readVersion(
    audience: Audience,
    team: string,
    product: string,
    name: string,
    range?: ChangeRange,
  ): Promise<Stamped<VersionRead | null>>

  /** What a product's changelog holds, or null if that audience may see none. */
  readOverview(audience: Audience, team: string, product: string): Promise<Stamped<ChangelogOverview | null>>

  /** At most so many of the product's versions that are newer than a position, the nearest first. */
  readNewer(
    audience: Audience,
    team: string,
    product: string,
    than: Cursor,
    limit: number,
  ): Promise<Stamped<VersionSummary[]>>

  /** How many of the product's versions come after a position, or null if that audience may see none. */
  readStretch(
    audience: Audience,
    team: string,
    product: string,
    after: Cursor | null,
    limit: number,
  ): Promise<Stamped<Stretch | null>>

  /** The first public changelogs of a range. */
  readDirectory(range: DirectoryRange, limit: number): Promise<Stamped<DirectoryEntry[]>>

  close(): void
}

export type Revision = number

/** The value, and the revision at which it was read. An older revision means that it is already out of date. */
export interface Stamped<T> {
  value: T
  revision: Revision
}

/** Who reads: the public, or an API-key holder. What each may see is one rule, in `visibility.ts`. */
export type Audience = 'public' | Grant

/** What an active key allows. It alone decides on a 403, before anything is looked up. */
export interface Grant {
  keyId: string
  teamId: string
  teamSlug: string
  kind: KeyKind
  /** The slugs of the products attached to a SELECT key; empty for FULL, which reads every product. */
  products: ReadonlySet<string>
  /** When the token stops working, if it does. */
  expiresAt: Instant | null
}

/** Which versions of a changelog to read, newest first. */
export interface Page {
  /** The maximum number of versions; null for all. */
  limit: number | null
  /** Only versions after this position: that of the last version of the previous page. */
  after: Cursor | null
  /** Only versions newer than the one with this label, or the one that it leads to. */
  newerThan?: string
  /** Only versions published at or after this moment. */
  since: Instant | null
  /** Whether to read the versions' descriptions and changes too. */
  withChanges: boolean
  /** Whether to read `dateKnown` and `createdAt` too, which takes longer. */
  withDates?: true
  /**
   * With the changes: no more versions than have so many changes together, with a next page instead; but one at least, and
   * of one that has more alone, its first changes.
   */
  maxChanges?: number
}

/** A part of a version's changes, in their order. */
export interface ChangeRange {
  skip: number
  limit: number
}

/** A version's position in the order: newest `publishedAt` first, ties by newest id. */
export interface Cursor {
  publishedAt: Instant
  id: string
}

export interface ChangelogInfo {
  team: { slug: string; name: string }
  product: { slug: string; name: string }
  changelog: { id: string; name: string; status: Status }
}

export interface VersionSummary {
  id: string
  label: string
  title: string
  status: VersionStatus
  publishedAt: Instant
  changeCount: number
}

/** A version with what is known about its date. */
export interface DatedVersion extends VersionSummary {
  /** Whether the publication date is known; if not, `publishedAt` only determines the order. */
  dateKnown: boolean
  createdAt: Instant
}

/** The date of a version, if it is known. */
export const dateOf = ({ dateKnown, publishedAt }: DatedVersion): Instant | null =>
  dateKnown ? publishedAt : null

export interface VersionContent extends DatedVersion {
  description: string | null
  changes: Change[]
}

export interface ChangelogRead extends ChangelogInfo {
  versions: VersionSummary[] | DatedVersion[] | VersionContent[]
  /** The position after which the next page begins, if there is one. */
  next: Cursor | null
  /** If the page has a `newerThan`: the position that all versions of its list are newer than, by the label and `since`. */
  beyond?: Cursor
  /** Set if that audience may see no version with the label that the page should be newer than. */
  isLabelMissing?: boolean
}

export interface VersionRead extends ChangelogInfo {
  version: VersionContent
  /** Set if it has another label now than the one it was asked for by. */
  isFormerLabel?: true
}

/** How much of a changelog an overview counts: its work has a bound. */
export const OVERVIEW = { versions: 1_000, changes: 2_000 }

export interface ChangelogOverview extends ChangelogInfo {
  /** How many versions there are; one more than `OVERVIEW.versions` stands for all numbers above. */
  versionCount: number
  /** The types of the newest `OVERVIEW.changes` changes, the most frequent first. */
  types: { type: string; typeLabel: string | null }[]
}

/** Versions that follow each other, counted without being read. */
export interface Stretch {
  /** At most as many as were asked for. */
  count: number
  /** The position after which there are more, if there are. */
  next: Cursor | null
}

/** Products in the order of the slugs of their teams and their own. */
export interface DirectoryRange {
  /** The range begins after the product of this name. */
  team: string
  product: string
  /** The last team of the range. */
  lastTeam: string
}

/** A changelog with its newest version, whose `publishedAt` is null also if it is not known. */
export interface DirectoryEntry extends ChangelogInfo {
  newest: { label: string | null; publishedAt: Instant | null }
}

/**
 * The store of a command that reads. Every method may throw `Unavailable` when the engine fails, or when another
 * writer does not finish in time.
 */
export interface ReadableStore {
  /** Runs `work` on one state of the data, beside any writer. Writing within it fails. */
  snapshot<T>(work: (records: Records) => Promise<T>): Promise<T>

  close(): void
}

/** The store of a command that writes. */
export interface WritableStore extends ReadableStore {
  /** What opening it did to the schema. */
  readonly migration: Migration

  /**
   * Runs `work` with the exclusive right to write, waiting for another writer first. What it wrote is kept
   * whole when its promise resolves, and not at all when it rejects or the process dies; with `commit: false`,
   * a dry run, not at all either. One at a time.
   */
  transaction<T>(work: (records: Records) => Promise<T>, options?: { commit: boolean }): Promise<T>
}
