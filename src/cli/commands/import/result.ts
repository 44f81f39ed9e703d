import type { Instant, VersionStatus } from '../../../domain/records.ts'
import type { Warning } from '../../../formats/parsed.ts'
import type { ProductSummary } from '../../../store/records/port.ts'

export interface ImportOptions {
  /** The status of new versions, whatever the file says. */
  status?: VersionStatus | undefined
  /** Whether to create the product, and its team, if they do not exist. */
  create?: true | undefined
  /** Whether to delete the versions that are not in the file. */
  prune?: true | undefined
  now: Instant
}

/** What an import did, in numbers of versions. */
export interface ImportResult {
  /** The product, if it was only one. */
  product: ProductSummary | null
  added: number
  updated: number
  unchanged: number
  /** Stored, but not in the file, and left alone. */
  skipped: number
  pruned: number
  /** How many were created, or updated themselves. */
  changed: { teams: number; products: number; keys: number }
  warnings: readonly Warning[]
}

export const emptyResult = (): ImportResult => ({
  product: null,
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  pruned: 0,
  changed: { teams: 0, products: 0, keys: 0 },
  warnings: [],
})
