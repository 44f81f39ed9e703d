import type { Correction, VersionField } from '../../domain/importing/correction.ts'
import type {
  Change,
  Instant,
  Product,
  Source,
  Team,
  Version,
  VersionContents,
  VersionDraft,
} from '../../domain/records.ts'

export type VersionUpdate = Partial<Omit<VersionDraft, 'date'>> & { date?: Instant }

export type SourceDraft = Omit<Source, 'id' | 'createdAt'>

export interface Followed {
  source: Source
  product: Product
}

export interface PublicEdition extends Pick<Version, 'id' | 'label' | 'prerelease'> {
  /** A number that changes whenever the text may have changed; null if that is not known. */
  edition: number | null
  productId: string
  productName: string
  teamId: string
}

export interface PublicVersion {
  product: Product
  version: Version
  changes: Change[]
}

export interface PutVersion {
  outcome: 'added' | 'updated' | 'unchanged'
  label: string
  version: Omit<Version, 'id' | 'changeCount'>
  /** Fields that were updated; none for a new version. */
  fields: readonly VersionField[]
  changes: { added: number; changed: number; removed: number; moved: boolean }
  corrections: readonly Correction[]
  /** The version before it was updated, with the changes that the file moved to it. */
  before?: VersionContents | undefined
  /** True if edits were replaced. */
  isOverwritten?: boolean
}

export interface TeamSummary extends Team {
  productCount: number
  keyCount: number
}

export interface ProductSummary extends Product {
  publishedCount: number
  draftCount: number
  /** Each counts as a draft as well. */
  scheduledCount: number
  /** Labels of the newest ones, if any. `latest` as everywhere: see `latestOf`. */
  latest: string | null
  newestDraft: string | null
  /** The next version to become public, if any. It counts as a draft. */
  nextScheduled: { label: string | null; publishedAt: Instant | null }
}

/** Records deleted with another. */
export interface Holdings {
  products: number
  versions: number
  changes: number
  keys: number
}

export interface PlacedChange extends Change {
  position: number
}

export interface ChangeFound {
  change: PlacedChange
  version: Version
  product: Product
}
