import type { Change, Instant, KeyKind, Status, VersionStatus } from '../../domain/records.ts'

/** What the reads of the server take and return. */

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
