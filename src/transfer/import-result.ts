import type { Instant, Product, VersionContents, VersionStatus } from '../domain/records.ts'
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
  /** Whether the file replaces edits. */
  overwrite?: true | undefined
  /** Whether to list the outcome of each version. */
  dryRun?: true | undefined
  now: Instant
}

export type ImportedVersion = { product: Product } & PutVersion

/** A version that is not in the file is skipped or pruned. */
export type ListedVersion =
  | ImportedVersion
  | { product: Product; outcome: 'skipped' | 'pruned'; label: string }

export type MissingVersion = Awaited<ReturnType<VersionImport['missing']>>[number]

/** Numbers of versions. */
export interface ImportResult {
  /** Null if there were several. */
  product: ProductSummary | null
  added: number
  updated: number
  unchanged: number
  /** Stored, not in the file, and kept. */
  skipped: number
  pruned: number
  /** Versions to prune, and overwritten ones as they were, by product. */
  missing: { product: Product; versions: MissingVersion[]; overwritten: VersionContents[] }[]
  /** Drafts that are not in the file, kept while others are pruned. */
  spared: number
  /** How many were created or updated. */
  changed: { teams: number; products: number; keys: number }
  /** In a dry run, all versions. */
  versions: ListedVersion[]
  /** Versions that the import has scheduled: the file publishes them in the future. */
  scheduled: { label: string; at: Instant }[]
  /** Versions with edits that differ from the file. */
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
