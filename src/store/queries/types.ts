import type {
  Change,
  Changelog,
  Instant,
  KeyKind,
  Product,
  Team,
  Version,
  VersionSummary,
} from '../../domain/records.ts'
import type { KindCounts } from '../../domain/versions/derived.ts'
import type { VersionFacts, VersionFilter, VersionTexts } from '../../domain/versions/properties.ts'

/** Parameters and results of the server's reads. */

export type Revision = number

/** The value, and the revision it was read at. An older revision means that it is outdated. */
export interface Stamped<T> {
  value: T
  revision: Revision
}

/** The reader: the public or an API-key holder. `visibility.ts` has the rules of each. */
export type Audience = 'public' | Grant

/** Rights of an active key. It alone decides on a 403, before any lookup. */
export interface Grant {
  keyId: string
  teamId: string
  teamSlug: string
  kind: KeyKind
  /** Slugs of the products attached to a SELECT key; empty for FULL, which reads every product. */
  products: ReadonlySet<string>
  expiresAt: Instant | null
}

/** Which versions of a changelog to read, newest first. */
export interface Page extends VersionFilter {
  limit: number | null
  /** Only versions after this position, that of the last version of the previous page. */
  after: Cursor | null
  /** Only versions newer than the one this label leads to. */
  newerThan?: string
  between?: LabelRange
  since: Instant | null
  /** Reads descriptions and changes too. */
  withChanges: boolean
  /** Reads all of a `DatedVersion`, which is slower. */
  withDates?: true
  /** The most changes of a page with changes. It has at least one version, if need be with its first changes only. */
  maxChanges?: number
}

/**
 * From a label, exclusive, to another, inclusive. If both are numbers, by their order, whether or not they exist:
 * versions with other labels are left out. Else by position. Without `to`, up to the
 * version that `latest` means. `16` means the newest 16.x, and `1.2.x` the newest 1.2, unless a version is called so.
 */
export interface LabelRange {
  from?: string | undefined
  to?: string | undefined
}

export interface ChangeRange {
  skip: number
  limit: number
  /** Reads the source too, if it has at most so many bytes and these are all changes. */
  sourceBytes?: number
}

/** The position of a version: newest `publishedAt` first, ties by newest id. */
export type Cursor = Pick<Version, 'publishedAt' | 'id'>

export interface ChangelogInfo {
  team: Pick<Team, 'slug' | 'name'>
  product: Pick<Product, 'slug' | 'name'>
  changelog: Pick<Changelog, 'id' | 'name' | 'status'>
  /** The language of its pages, if it differs from the site's, the repository that texts refer to, and forms of mailing lists. */
  settings: Pick<Product, 'language' | 'repository' | 'subscribeUrl'> & {
    teamSubscribeUrl: Team['subscribeUrl']
  }
}

export type { VersionSummary }

export type DatedVersion = VersionSummary & Pick<Version, 'dateKnown' | 'createdAt'> & VersionFacts

export const dateOf = ({ dateKnown, publishedAt }: DatedVersion): Instant | null =>
  dateKnown ? publishedAt : null

export interface VersionContent extends DatedVersion, VersionTexts {
  /** How many changes of each kind it has, if that is known: see domain/versions/derived.ts. */
  kinds: string | null
  /** The ids of its pictures that need a light ground on a dark page; null for none. */
  grounds?: string | null
  changes: Change[]
}

export interface ChangelogRead extends ChangelogInfo {
  versions: VersionSummary[] | DatedVersion[] | VersionContent[]
  /** Where the next page begins, if there is one. */
  next: Cursor | null
  /** A label of the page that leads to no version that this audience may see. */
  missingLabel?: string | undefined
  /** If the page is a range: the label it begins after, if it is by number, and the one it ends with. */
  above?: string | undefined
  upTo?: string
  isReversed?: boolean
}

export interface VersionRead extends ChangelogInfo {
  version: VersionContent
  /** The markdown that it was read from, if it was asked for and the version still says the same. */
  source?: string | null
  /** True if found by another label than its own: a former one, or another spelling. */
  isMoved?: true
}

/** The versions that a label may mean: those called so behind their packages, and the public ones next to it by number. */
export interface Near extends ChangelogInfo {
  alike: DatedVersion[]
  /** Below it, and at it or above. */
  older: DatedVersion | null
  newer: DatedVersion | null
}

/** An overview counts at most this much. */
export const OVERVIEW = { versions: 1_000 }

/** Counts at most `OVERVIEW.versions` + 1. */
export interface ChangelogOverview extends ChangelogInfo {
  /** One more than `OVERVIEW.versions` means more. */
  versionCount: number
  changeCount: number
  kinds: KindCounts
}

/** Consecutive versions, counted but not read. */
export interface Stretch {
  count: number
  /** The position after which there are more, if any. */
  next: Cursor | null
}

/** Products by slug of team and product. */
export interface DirectoryRange {
  /** The range begins after this product. */
  team: string
  product: string
  lastTeam: string
}

/** `publishedAt` of the newest version is null also if it is unknown. */
export interface DirectoryEntry extends ChangelogInfo {
  newest: { label: string | null; publishedAt: Instant | null }
}

/** A version in the timeline of a team or of the site. */
export interface TimelineEntry extends ChangelogInfo, DatedVersion {
  kinds: VersionContent['kinds']
}

export interface Timeline {
  entries: TimelineEntry[]
  /** Where the next page begins, if there is one. */
  next: Cursor | null
}
