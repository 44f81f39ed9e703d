import type { HookKind } from './hook-kinds.ts'
import type { ChangeWords } from './versions/kinds.ts'
import type { ChangeTexts, VersionProperties, VersionTexts } from './versions/properties.ts'

export const VISIBILITIES = ['public', 'private'] as const
export const PLANS = ['free', 'paid'] as const
/** The states of a product and of its changelog. `locked` is a frozen record, readable with a key only. */
export const STATUSES = ['draft', 'published', 'locked'] as const
export const VERSION_STATUSES = ['draft', 'published'] as const
/** The stored states: a scheduled version is a draft until its `publishedAt`, and published from then on. */
export const STORED_VERSION_STATUSES = [...VERSION_STATUSES, 'scheduled'] as const
export const KEY_KINDS = ['FULL', 'SELECT'] as const
export const KEY_STATUSES = ['active', 'disabled'] as const

/** The kind of a source: `auto` is the releases of a host, or its CHANGELOG.md if it has none. */
export const SOURCE_KINDS = ['auto', 'file', 'releases', 'tags'] as const
export const HOST_KINDS = ['github', 'gitlab', 'forgejo', 'git'] as const

export const HOOK_STATUSES = ['active', 'disabled'] as const
/** Events of a version, for hooks. */
export const HOOK_EVENTS = ['published', 'updated', 'withdrawn'] as const

export type Visibility = (typeof VISIBILITIES)[number]
export type Plan = (typeof PLANS)[number]
export type Status = (typeof STATUSES)[number]
export type VersionStatus = (typeof VERSION_STATUSES)[number]
export type StoredVersionStatus = (typeof STORED_VERSION_STATUSES)[number]
export type KeyKind = (typeof KEY_KINDS)[number]
export type KeyStatus = (typeof KEY_STATUSES)[number]
export type SourceKind = (typeof SOURCE_KINDS)[number]
export type HostKind = (typeof HOST_KINDS)[number]
export type HookStatus = (typeof HOOK_STATUSES)[number]
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** The maximum length of each text, in characters, enforced wherever text is written. */
export const LIMITS = {
  slug: 64,
  name: 200,
  label: 128,
  title: 1_000,
  type: 64,
  typeLabel: 256,
  description: 1_000_000,
} as const

/** The label of the next release, however the author of a file spelled it. */
export const UNRELEASED = 'Unreleased'

/** The languages that pages are written in. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** Milliseconds since the epoch, UTC: the only form of a time inside the program. */
export type Instant = number

export interface Team {
  id: string
  slug: string
  name: string
  visibility: Visibility
  plan: Plan
  createdAt: Instant
  /** The form of its mailing list; null for that of the site. */
  subscribeUrl: string | null
}

export interface Changelog {
  id: string
  name: string
  status: Status
  /** The text of an imported file before its first version. */
  preamble: string | null
}

/** A product always has one team and one changelog, so it carries them. */
export interface Product {
  id: string
  slug: string
  name: string
  status: Status
  createdAt: Instant
  /** The address of its source code: https://github.com/acme/app. */
  repository: string | null
  /** The language of its pages; null for that of the site. */
  language: Language | null
  /** The form of its mailing list; null for that of its team. */
  subscribeUrl: string | null
  team: Team
  changelog: Changelog
}

export interface Version extends VersionProperties {
  id: string
  label: string
  title: string
  /** The status now: a scheduled version is published from its `publishedAt` on. */
  status: VersionStatus
  /** A draft to be published at `publishedAt`. */
  scheduled: boolean
  publishedAt: Instant
  /** The author gave `publishedAt`: publishing then leaves it as it is. */
  dated: boolean
  /** The publication date is known; if not, `publishedAt` only determines the order. */
  dateKnown: boolean
  changeCount: number
  createdAt: Instant
  /** Hashes of the imported values of fields that were edited since: see importing/imported.ts. */
  imported?: string | null | undefined
}

/** A version without its texts. */
export type VersionHead = Omit<Version, keyof VersionTexts | 'imported'>

/** A version as lists show it. */
export type VersionSummary = Pick<
  Version,
  'id' | 'label' | 'title' | 'status' | 'publishedAt' | 'changeCount'
>

export interface Key {
  id: string
  team: Team
  kind: KeyKind
  status: KeyStatus
  label: string
  createdAt: Instant
  expiresAt: Instant | null
  /** The slugs of the products attached to a SELECT key, in order; none for FULL. */
  products: readonly string[]
  /** The public part of its tokens, newest first: two while a rotation overlaps. */
  tokens: readonly { start: string; createdAt: Instant; expiresAt: Instant | null }[]
}

/** A followed source. It never holds a secret: exports have it. */
export interface Source {
  id: string
  /** A repository or a file: an https or ssh address, or an absolute path on this machine. */
  url: string
  kind: SourceKind
  /** Null if the program finds it out. */
  hostKind: HostKind | null
  /** The path of the file in a repository; null for CHANGELOG.md, or if `url` is the file. */
  file: string | null
  /** The branch, tag or commit to read a file at; null for the default branch. */
  ref: string | null
  /** A file gets missing dates from the tags of its repository. */
  tagDates: boolean
  /** The prefix of tags and releases that count, such as `app@` of `app@1.2.0`. Versions lose it. */
  tagPrefix: string | null
  /** Leaves out pre-releases. */
  stable: boolean
  /** Takes in pictures beside a file. */
  pictures: boolean
  /** Milliseconds between two checks. */
  every: number
  /** Deletes published versions that are no longer in the source. */
  prune: boolean
  paused: boolean
  /** The path of the file with its token. */
  tokenFile: string | null
  createdAt: Instant
}

/** Memory of the last check of a source for the next one, such as an ETag. JSON that only `sources/` understands. */
export type SourceMemory = Readonly<Record<string, unknown>>

/** A subscriber to releases of a team or product. Its secret is bookkeeping, and so is the address of a chat. */
export interface Hook {
  id: string
  team: Team
  product: Pick<Product, 'id' | 'slug'> | null
  kind: HookKind
  /** Null for a chat; `mailto:` and the address for mail. */
  url: string | null
  status: HookStatus
  createdAt: Instant
  /** Unique in its team. */
  name: string
  /** In the order of `HOOK_EVENTS`. */
  events: readonly HookEvent[]
  /** Leaves out pre-releases. */
  stable: boolean
  /** Of mail: where people leave the list; null if nobody says. */
  unsubscribeUrl: string | null
  /** Milliseconds from a publication to its message, so that a mistake can be taken back. */
  delay: number
}

/** Fields that a new hook gets by default. */
export type HookNaming = {
  [Field in 'name' | 'events' | 'stable' | 'unsubscribeUrl' | 'delay']?: Hook[Field] | undefined
}

type ExportedNaming = Omit<HookNaming, 'unsubscribeUrl'>

/** A hook as exports have it: without any secret. Older exports have no `HookNaming`. */
export interface ExportedHook extends Omit<Hook, 'team' | 'product' | keyof ExportedNaming>, ExportedNaming {
  /** The slug; null for every product of the team. */
  product: string | null
}

/** A change as its author writes it. */
export type ChangeDraft = ChangeWords & Partial<ChangeTexts>

export interface Change extends ChangeDraft {
  id: string
  /** The hash of an imported value, as for a version. */
  imported?: string | null | undefined
}

/** A version as its author writes it; `date` is null if the author gives none. */
export interface VersionDraft extends Partial<VersionProperties> {
  label: string
  title: string
  status: VersionStatus
  /** A draft to be published at its date. */
  scheduled?: boolean
  date: Instant | null
  description: string | null
}

/** A version with its changes, as exports have it. */
export interface VersionContents extends Omit<Version, 'changeCount'> {
  /** Labels that it had while it was public, in order; they redirect to it. */
  formerLabels: string[]
  changes: Change[]
  /** The markdown that it was read from, if that is known: see versions/source.ts. */
  source: string | null
}

/** A key as exports have it: with the hashes of its tokens, so that they keep working. */
export interface ExportedKey extends Omit<Key, 'team' | 'products' | 'tokens'> {
  products: string[]
  tokens: (Key['tokens'][number] & { hash: string })[]
}

export const address = (product: Product): string => `${product.team.slug}/${product.slug}`

export interface ProductName {
  team: string
  product: string
}
