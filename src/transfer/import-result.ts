import type { Instant, Product, Team, Version, VersionContents, VersionStatus } from '../domain/records.ts'
import type { Command } from '../domain/text/shell.ts'
import type { KindCounts } from '../domain/versions/derived.ts'
import type { ShownWarning, UntakenLine } from '../formats/parsed.ts'
import type { ProductSummary, PutVersion } from '../store/records/types.ts'

export interface ImportOptions {
  /** The status of new versions, whatever the file says. */
  status?: VersionStatus | undefined
  create?: true | undefined
  /** Deletes the published versions that are not in the file. */
  prune?: true | undefined
  /** Deletes all versions that are not in the file. */
  pruneDrafts?: true | undefined
  /** The file replaces edits. */
  overwrite?: true | undefined
  /** Lists the outcome of each version. */
  dryRun?: true | undefined
  /** The command that imports the same with `--status published`, for advice. */
  publishing?: Command | undefined
  now: Instant
}

export interface ImportedVersion extends PutVersion {
  product: Product
  changeCount: number
  kinds: KindCounts
}

/** A version that is not in the file is skipped or pruned. */
export type ListedVersion =
  | ImportedVersion
  | { product: Product; outcome: 'skipped' | 'pruned'; label: string }

type MissingVersion = Pick<Version, 'id' | 'label' | 'status'>

/** A summary of the file's versions as they are now stored, to compare with the file at a glance. */
export interface ReadVersions {
  versions: number
  /** Labels of the first and the last in order; null if there are none, or several products. */
  newest: string | null
  oldest: string | null
  dated: number
  drafts: number
  scheduled: number
}

/** Numbers of versions. */
export interface ImportResult {
  /** Null after an import of several products. */
  product: ProductSummary | null
  /** The team that was created for the product, if any. */
  newTeam: Team | null
  added: number
  updated: number
  unchanged: number
  /** Stored, not in the file, and kept. */
  skipped: number
  pruned: number
  /** Drafts that are published now without a date: an earlier import had found none. */
  released: number
  read: ReadVersions
  /** Versions to prune, and overwritten ones as they were, by product. */
  missing: { product: Product; versions: MissingVersion[]; overwritten: VersionContents[] }[]
  /** Drafts that are not in the file, kept while others are pruned. */
  spared: number
  changed: { teams: number; products: number; keys: number }
  /** All versions of a dry run; otherwise none. */
  versions: ListedVersion[]
  /** Versions that the import has scheduled: the file publishes them in the future. */
  scheduled: { label: string; at: Instant }[]
  /** Versions with edits that differ from the file. */
  corrected: ImportedVersion[]
  warnings: readonly ShownWarning[]
  /** Lines that look like a version and begin none. */
  untaken: readonly UntakenLine[]
}

export const emptyResult = (): ImportResult => ({
  product: null,
  newTeam: null,
  added: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  pruned: 0,
  released: 0,
  read: { versions: 0, newest: null, oldest: null, dated: 0, drafts: 0, scheduled: 0 },
  missing: [],
  spared: 0,
  changed: { teams: 0, products: 0, keys: 0 },
  versions: [],
  scheduled: [],
  corrected: [],
  warnings: [],
  untaken: [],
})
