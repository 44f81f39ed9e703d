import type { Correction, VersionField } from '../../domain/importing/correction.ts'
import type { IncomingVersion } from '../../domain/importing/merge.ts'
import type {
  Change,
  ChangeDraft,
  ExportedKey,
  Instant,
  Key,
  KeyKind,
  KeyStatus,
  Product,
  Status,
  Team,
  Version,
  VersionContents,
  VersionDraft,
  VersionStatus,
} from '../../domain/records.ts'

/** The records, by noun. Each write checks the rules of `domain/rules.ts` and throws their `Refusal`. */
export interface Records {
  teams: TeamRecords
  products: ProductRecords
  versions: VersionRecords
  changes: ChangeRecords
  keys: KeyRecords
  transfer: TransferRecords
}

export interface TeamRecords {
  /** Every team, by slug. */
  list(): Promise<TeamSummary[]>
  find(slug: string): Promise<Team | null>
  /** Refuses a slug that is taken. */
  create(team: Omit<Team, 'id' | 'createdAt'>, now: Instant): Promise<Team>
  update(team: Team, update: Partial<Omit<Team, 'id' | 'createdAt'>>): Promise<Team>
  holdings(team: Team): Promise<Holdings>
  /** Deletes it with everything in it. Refuses while one of its products or changelogs is locked. */
  delete(team: Team): Promise<void>
}

export interface ProductRecords {
  /** A team's products, or those of every team, by slug. */
  list(team?: Team): Promise<ProductSummary[]>
  find(team: string, product: string): Promise<Product | null>
  summary(product: Product): Promise<ProductSummary>
  /** Creates the product and its changelog, with the same status. Refuses a slug that is taken. */
  create(team: Team, product: { slug: string; name: string; status: Status }, now: Instant): Promise<Product>
  /** A changelog whose name was derived from the product's follows a new one, unless it `keepsChangelogName`. */
  update(
    product: Product,
    update: { slug?: string; name?: string; status?: Status },
    options?: { keepsChangelogName: boolean },
  ): Promise<Product>
  updateChangelog(
    product: Product,
    update: { name?: string; status?: Status; preamble?: string | null },
  ): Promise<Product>
  holdings(product: Product): Promise<Holdings>
  /** Deletes it with its changelog and everything in that. Refuses a locked one. */
  delete(product: Product): Promise<void>
}

export interface VersionRecords {
  /** Newest first, in the order of the API. */
  list(product: Product): Promise<Version[]>
  /** By id or by label. */
  find(product: Product, name: string): Promise<Version | null>
  /** The labels that versions of the product had while they were public, by the id of the version. */
  formerLabels(product: Product): Promise<ReadonlyMap<string, string[]>>
  /** Refuses a label that another version than the one of this id has, also with or without a `v` before its number. */
  checkFree(product: Product, label: string, id?: string): Promise<void>
  /** Refuses a label that is taken, as `checkFree` does. */
  create(product: Product, draft: VersionDraft, now: Instant): Promise<Version>
  /**
   * Refuses a label that is taken, as `checkFree` does. The old label of a version that is public leads to it from then on.
   * Publishing sets `publishedAt` to now, unless the author gave a date. With `scheduled`, a draft is published at `date`, or
   * no longer by itself; a status ends a schedule too. Refuses to schedule a published version, or for the past.
   */
  update(product: Product, version: Version, update: VersionUpdate, now: Instant): Promise<Version>
  delete(product: Product, version: Pick<Version, 'id'>): Promise<void>
}

export interface VersionUpdate {
  label?: string
  title?: string
  status?: VersionStatus
  scheduled?: boolean
  date?: Instant
  description?: string | null
}

export interface ChangeRecords {
  /** In their order; positions are counted from 1. */
  list(version: Version): Promise<PlacedChange[]>
  /** The types that the changes of a product have, each once. */
  types(product: Product): Promise<string[]>
  /** A change with its version and product. */
  find(id: string): Promise<ChangeFound | null>
  /** Adds it at that position, moving later ones on by one; at the end if it is null or past that. */
  add(product: Product, version: Version, draft: ChangeDraft, position: number | null): Promise<PlacedChange>
  update(found: ChangeFound, update: Partial<ChangeDraft>): Promise<PlacedChange>
  move(found: ChangeFound, position: number): Promise<PlacedChange>
  delete(found: ChangeFound): Promise<void>
  /** Brings back a change that was deleted, at that position, or at the end if it is past that. */
  restore(product: Product, version: Version, change: Change, position: number): Promise<void>
}

export interface KeyRecords {
  /** A team's keys, oldest first. */
  list(team: Team): Promise<Key[]>
  find(id: string): Promise<Key | null>
  /** Every key's id, for suggestions. */
  ids(): Promise<string[]>
  /** The new key and its token, which is not stored. Refuses a team on the free plan. */
  create(team: Team, key: KeyDraft, now: Instant): Promise<{ key: Key; token: string }>
  update(key: Key, update: { status?: KeyStatus; expiresAt?: Instant | null }, now: Instant): Promise<Key>
  /** Ignores products that are attached already. */
  attach(key: Key, products: readonly Product[]): Promise<Key>
  /** Refuses to leave a key without a product. */
  detach(key: Key, products: readonly Product[]): Promise<Key>
  /** Gives the key a new token; the older ones end now, or after `overlap` milliseconds. */
  rotate(key: Key, overlap: number, now: Instant): Promise<{ key: Key; token: string }>
  delete(key: Key): Promise<void>
}

/** Whole records for exports and imports, in numbers. */
export interface TransferRecords {
  /** Every version with its changes, newest first, a few at a time. */
  contents(product: Product): AsyncIterable<VersionContents>
  /** A team's keys with the hashes of their tokens. */
  keys(team: Team): Promise<ExportedKey[]>

  /**
   * Begins an import of versions into a product. A locked product refuses what would change it. What was corrected by
   * hand stays, unless `overwrite`.
   */
  importVersions(product: Product, options: { now: Instant; overwrite: boolean }): Promise<VersionImport>
  /** Whether a team, product, version or change has this id. */
  exists(id: string): Promise<boolean>
  /** What a PostgreSQL server calls the database itself, whatever its address is; null for a file, or if it does not tell. */
  identity(): Promise<string | null>
  /** A new team as it was elsewhere, with the same id unless that is taken. */
  addTeam(team: Team): Promise<Team>
  /** A new product and its changelog; likewise. */
  addProduct(team: Team, product: Omit<Product, 'team'>): Promise<Product>
  /** Creates the key, or updates the key of that id to be this one. Refuses an id that another team's key has. */
  putKey(team: Team, key: ExportedKey): Promise<void>
}

/** One import into one product. */
export interface VersionImport {
  /**
   * One version as the file has it: added if it is new, updated where it differs, left alone if it does not.
   * Every version and change that stays keeps its id. Refuses a label that came before.
   */
  put(version: IncomingVersion): Promise<PutVersion>
  /** The versions that were stored before and not put, newest first. */
  missing(): Promise<Pick<Version, 'id' | 'label' | 'status'>[]>
  /** Ends the import: everything is written then. */
  end(): Promise<void>
}

/** The outcome for one version of a file. */
export interface PutVersion {
  outcome: 'added' | 'updated' | 'unchanged'
  /** The label under which it is stored. */
  label: string
  /** Its own fields that were updated; none of one that was added. */
  fields: readonly VersionField[]
  /** The moment for which the import has scheduled it, if it has. */
  scheduledFor: Instant | null
  /** How many of its changes were added, changed and removed, and whether others moved. */
  changes: { added: number; changed: number; removed: number; moved: boolean }
  /** What was corrected by hand and differs from the file. */
  corrections: readonly Correction[]
}

export interface KeyDraft {
  kind: KeyKind
  label: string
  products: readonly Product[]
  expiresAt: Instant | null
}

export interface TeamSummary extends Team {
  productCount: number
  keyCount: number
}

export interface ProductSummary extends Product {
  publishedCount: number
  draftCount: number
  /** The labels of the newest of each, if there is one. */
  newestPublished: string | null
  newestDraft: string | null
  /** The version that is published next by itself, if there is one. It counts as a draft. */
  nextScheduled: { label: string | null; publishedAt: Instant | null }
}

/** What is deleted together with a record. */
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
