import type { Instant, Product, VersionStatus } from '../domain/records.ts'
import type { Warning } from '../formats/parsed.ts'
import type { ProductSummary, PutVersion, VersionImport } from '../store/records/types.ts'

export interface ImportOptions {
  /** The status of new versions, whatever the file says. */
  status?: VersionStatus | undefined
  /** Whether to create the product, and its team, if they do not exist. */
  create?: true | undefined
  /** Whether to delete the published versions that are not in the file. */
  prune?: true | undefined
  /** Whether to delete all versions that are not in the file. */
  pruneDrafts?: true | undefined
  /** Whether the file's word replaces what was corrected by hand. */
  overwrite?: true | undefined
  /** Whether to list what becomes of each version. */
  dryRun?: true | undefined
  now: Instant
}

/** A version of the file, and what became of it. */
export type ImportedVersion = { product: Product } & PutVersion

/** One that is not in the file is skipped, or pruned. */
export type ListedVersion =
  | ImportedVersion
  | { product: Product; outcome: 'skipped' | 'pruned'; label: string }

export type MissingVersion = Awaited<ReturnType<VersionImport['missing']>>[number]

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
  /** Those to be pruned, by product. */
  missing: { product: Product; versions: MissingVersion[] }[]
  /** Drafts that are not in the file, and left alone while others are pruned. */
  spared: number
  /** How many were created, or updated themselves. */
  changed: { teams: number; products: number; keys: number }
  /** In a dry run, every version. */
  versions: ListedVersion[]
  /** The versions that the import has scheduled, because the file publishes them at a date ahead. */
  scheduled: { label: string; at: Instant }[]
  /** The versions in which something was corrected by hand that differs from the file. */
  corrected: ImportedVersion[]
  warnings: readonly Warning[]
}

export const emptyResult = (): ImportResult => ({
  product: null,
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  pruned: 0,
  missing: [],
  spared: 0,
  changed: { teams: 0, products: 0, keys: 0 },
  versions: [],
  scheduled: [],
  corrected: [],
  warnings: [],
})
