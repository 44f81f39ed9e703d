import type { Correction, VersionField } from '../../domain/importing/correction.ts'
import type { IncomingVersion } from '../../domain/importing/merge.ts'
import type {
  Change,
  ChangeDraft,
  Changelog,
  ExportedHook,
  ExportedKey,
  Hook,
  HookNaming,
  Instant,
  Key,
  Product,
  Source,
  Team,
  Version,
  VersionContents,
  VersionDraft,
} from '../../domain/records.ts'

/** The records, by noun. Each write checks the rules of `domain/rules.ts` and throws their `Refusal`. */
export interface Records {
  teams: TeamRecords
  products: ProductRecords
  versions: VersionRecords
  changes: ChangeRecords
  keys: KeyRecords
  sources: SourceRecords
  hooks: HookRecords
  announcing: AnnouncingRecords
  transfer: TransferRecords
}

export interface TeamRecords {
  /** By slug. */
  list(): Promise<TeamSummary[]>
  find(slug: string): Promise<Team | null>
  /** Refuses a slug that is taken. */
  create(team: Omit<Team, 'id' | 'createdAt'>, now: Instant): Promise<Team>
  update(team: Team, update: Partial<Omit<Team, 'id' | 'createdAt'>>): Promise<Team>
  holdings(team: Team): Promise<Holdings>
  /** Deletes it with its content. Refuses while one of its products or changelogs is locked. */
  delete(team: Team): Promise<void>
}

export interface ProductRecords {
  /** Of a team or of all, by slug. */
  list(team?: Team): Promise<ProductSummary[]>
  find(team: string, product: string): Promise<Product | null>
  summary(product: Product): Promise<ProductSummary>
  /** Creates the product and its changelog, with the same status. Refuses a slug that is taken. */
  create(team: Team, product: ProductDraft, now: Instant): Promise<Product>
  /** A changelog name that was derived from the product's name follows it, unless `keepsChangelogName`. */
  update(
    product: Product,
    update: Partial<ProductDraft>,
    options?: { keepsChangelogName: boolean },
  ): Promise<Product>
  updateChangelog(product: Product, update: Partial<Omit<Changelog, 'id'>>): Promise<Product>
  holdings(product: Product): Promise<Holdings>
  /** Deletes it with its content. Refuses a locked one. */
  delete(product: Product): Promise<void>
}

/** What is absent is null. */
export type ProductDraft = Pick<Product, 'slug' | 'name' | 'status'> &
  Partial<Pick<Product, 'repository' | 'language'>>

export interface VersionRecords {
  /** Newest first, in the order of the API. */
  list(product: Product): Promise<Version[]>
  /** By id or by label. */
  find(product: Product, name: string): Promise<Version | null>
  /** Labels that versions had while they were public, by version id. */
  formerLabels(product: Product): Promise<ReadonlyMap<string, string[]>>
  /** Refuses a label of another version than `id`, also with or without a `v` before its number. */
  checkFree(product: Product, label: string, id?: string): Promise<void>
  /** Refuses a label that is taken, as `checkFree` does. */
  create(product: Product, draft: VersionDraft, now: Instant): Promise<Version>
  /**
   * Refuses a label that is taken, as `checkFree` does. The old label of a public version keeps leading to it.
   * Publishing sets `publishedAt` to now, unless the author gave a date. `scheduled` sets or ends a schedule; a status
   * ends it too. Refuses to schedule a published version, or for the past.
   */
  update(product: Product, version: Version, update: VersionUpdate, now: Instant): Promise<Version>
  delete(product: Product, version: Pick<Version, 'id'>): Promise<void>
}

export type VersionUpdate = Partial<Omit<VersionDraft, 'date'>> & { date?: Instant }

export interface ChangeRecords {
  /** In order; positions are counted from 1. */
  list(version: Version): Promise<PlacedChange[]>
  types(product: Product): Promise<string[]>
  find(id: string): Promise<ChangeFound | null>
  /** Adds it at that position; at the end if that is null or too large. */
  add(product: Product, version: Version, draft: ChangeDraft, position: number | null): Promise<PlacedChange>
  update(found: ChangeFound, update: Partial<ChangeDraft>): Promise<PlacedChange>
  move(found: ChangeFound, position: number): Promise<PlacedChange>
  delete(found: ChangeFound): Promise<void>
  /** Restores a deleted change at that position; at the end if it is too large. */
  restore(product: Product, version: Version, change: Change, position: number): Promise<void>
}

export interface KeyRecords {
  /** Oldest first. */
  list(team: Team): Promise<Key[]>
  find(id: string): Promise<Key | null>
  /** For suggestions. */
  ids(): Promise<string[]>
  /** The token is not stored. Refuses a team on the free plan. */
  create(
    team: Team,
    key: Pick<Key, 'kind' | 'label' | 'expiresAt'> & { products: readonly Product[] },
    now: Instant,
  ): Promise<{ key: Key; token: string }>
  update(key: Key, update: Partial<Pick<Key, 'status' | 'expiresAt'>>, now: Instant): Promise<Key>
  /** Ignores products that are attached already. */
  attach(key: Key, products: readonly Product[]): Promise<Key>
  /** Refuses to leave a key without a product. */
  detach(key: Key, products: readonly Product[]): Promise<Key>
  /** Gives the key a new token; older ones expire now, or after `overlap` milliseconds. */
  rotate(key: Key, overlap: number, now: Instant): Promise<{ key: Key; token: string }>
  delete(key: Key): Promise<void>
}

export interface SourceRecords {
  /** Of all products, in the order of their slugs. */
  list(): Promise<Followed[]>
  /** What a product follows, if anything. */
  find(product: Product): Promise<Source | null>
  /** Lets the product follow a source, instead of what it followed before. */
  put(product: Product, draft: SourceDraft, now: Instant): Promise<Source>
  update(source: Source, update: Partial<SourceDraft>): Promise<Source>
  delete(source: Source): Promise<void>
}

export type SourceDraft = Omit<Source, 'id' | 'createdAt'>

export interface Followed {
  source: Source
  product: Product
}

export interface HookRecords {
  /** Of a team or of all, oldest first. */
  list(team?: Team): Promise<Hook[]>
  find(id: string): Promise<Hook | null>
  /** Both refuse a name that is taken. */
  create(team: Team, hook: Pick<Hook, 'product' | 'kind' | 'url'> & HookNaming, now: Instant): Promise<Hook>
  update(
    hook: Hook,
    update: Partial<Pick<Hook, 'status' | 'url' | 'name' | 'events' | 'stable'>>,
  ): Promise<Hook>
  delete(hook: Hook): Promise<void>
}

/** What the public can see, for those who are told of it. */
export interface AnnouncingRecords {
  /** When the clock alone will change what is public. */
  until(now: Instant): Promise<Instant>
  /** The public versions of every team that has hooks. */
  editions(now: Instant): Promise<PublicEdition[]>
  /** Those of the versions that are public, newest first. */
  find(ids: readonly string[]): Promise<PublicVersion[]>
  /** The product, if it is public. */
  product(id: string): Promise<Product | null>
}

export interface PublicEdition extends Pick<Version, 'id' | 'label' | 'prerelease'> {
  /** Another number whenever the text may be another; null if that is not known. */
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

/** Whole records for exports and imports. */
export interface TransferRecords {
  /** Versions with their changes, newest first; only those with these ids, if they are given. */
  contents(product: Product, ids?: ReadonlySet<string>): AsyncIterable<VersionContents>
  /** All changes of a product in their order, by the id of their version. */
  changesByVersion(product: Product): Promise<Map<string, Change[]>>
  /** With the hashes of their tokens. */
  keys(team: Team): Promise<ExportedKey[]>
  /** Without their secrets. */
  hooks(team: Team): Promise<ExportedHook[]>

  /** Begins an import of versions into a product. A locked product refuses changes. Edits stay, unless `overwrite`. */
  importVersions(product: Product, options: { now: Instant; overwrite: boolean }): Promise<VersionImport>
  /** What the last import of a file found: see transfer/remembered-import.ts. */
  importNote(product: Product): Promise<ImportNote | null>
  putImportNote(product: Product, note: ImportNote): Promise<void>
  /**
   * Another text whenever anything that an import compares may be another: the product, versions, changes and old
   * labels. Null if they are so many that it would take long.
   */
  contentHash(product: ProductSummary): Promise<string | null>
  /** Whether a team, product, version, change or source has this id. */
  exists(id: string): Promise<boolean>
  /** PostgreSQL's own identifier of the database, whatever its address; null for a file, or if it is not known. */
  identity(): Promise<string | null>
  /** A team from an export, with the same id unless that is taken. */
  addTeam(team: Team): Promise<Team>
  /** A product and its changelog; likewise. */
  addProduct(team: Team, product: Omit<Product, 'team'>): Promise<Product>
  /** As `put`, with the same id unless that is taken. */
  putSource(product: Product, source: Source): Promise<Source>
  /** Creates the key, or updates the one with its id. Refuses an id of another team's key. */
  putKey(team: Team, key: ExportedKey): Promise<void>
  /** Creates the hook, disabled and with a free name, unless its id is there. Refuses an id of another team's hook. */
  putHook(team: Team, hook: ExportedHook): Promise<Hook>
}

export interface ImportNote {
  /** Hashes of what was read and how, and of the content after it. */
  key: string
  state: string
  /** JSON. */
  result: string
}

export interface VersionImport {
  /** Adds a version, or updates a stored one where it differs; ids stay. Refuses a label that came before. */
  put(version: IncomingVersion): Promise<PutVersion>
  /** Stored versions that were not put, newest first. */
  missing(): Promise<Pick<Version, 'id' | 'label' | 'status'>[]>
  /** Writes everything. */
  end(): Promise<void>
}

export interface PutVersion {
  outcome: 'added' | 'updated' | 'unchanged'
  /** The label it is stored under. */
  label: string
  /** As it is stored now. */
  version: Omit<Version, 'id' | 'changeCount'>
  /** Fields that were updated; none for a new version. */
  fields: readonly VersionField[]
  changes: { added: number; changed: number; removed: number; moved: boolean }
  /** Edits that differ from the file. */
  corrections: readonly Correction[]
  /** The version before edits of it were overwritten, with the changes that the file moved to it. */
  overwritten?: VersionContents | undefined
}

export interface TeamSummary extends Team {
  productCount: number
  keyCount: number
}

export interface ProductSummary extends Product {
  publishedCount: number
  draftCount: number
  /** Labels of the newest ones, if any. */
  newestPublished: string | null
  newestDraft: string | null
  /** The next version to become public, if any. It counts as a draft. */
  nextScheduled: { label: string | null; publishedAt: Instant | null }
}

/** What is deleted with a record. */
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
