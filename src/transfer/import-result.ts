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
  /** The most bytes of pictures of the product. */
  picturesMaxBytes?: number
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

export type ImportResult = ReturnType<typeof emptyResult>

/** What an import counts and lists. Numbers are of versions. */
export const emptyResult = () => ({
  /** Null after an import of several products. */
  product: null as ProductSummary | null,
  /** The team that was created for the product, if any. */
  newTeam: null as Team | null,
  added: 0,
  updated: 0,
  unchanged: 0,
  /** Stored, not in the file, and kept. */
  skipped: 0,
  pruned: 0,
  /** Drafts that are published now without a date: an earlier import had found none. */
  released: 0,
  /** The versions of the file as they are now stored, to compare with the file at a glance. */
  read: {
    versions: 0,
    /** Labels of the first and the last in order; null if there are none, or several products. */
    newest: null as string | null,
    oldest: null as string | null,
    dated: 0,
    drafts: 0,
    scheduled: 0,
  },
  /** Versions to prune, and overwritten ones as they were, by product. */
  missing: [] as MissingVersions[],
  /** Drafts that are not in the file, kept while others are pruned. */
  spared: 0,
  changed: { teams: 0, products: 0, keys: 0 },
  /** All versions of a dry run; otherwise none. */
  versions: [] as ListedVersion[],
  /** Versions that the import has scheduled: the file publishes them in the future. */
  scheduled: [] as { label: string; at: Instant }[],
  /** Versions with edits that differ from the file. */
  corrected: [] as ImportedVersion[],
  warnings: [] as readonly ShownWarning[],
  /** Damaged pictures of an export, each with a warning. */
  leftOut: 0,
  /** Lines that look like a version and begin none. */
  untaken: [] as readonly UntakenLine[],
})

interface MissingVersions {
  product: Product
  versions: Pick<Version, 'id' | 'label' | 'status'>[]
  overwritten: VersionContents[]
}
