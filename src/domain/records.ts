/** The records of a changelog service, and all their enumerations. */

export const VISIBILITIES = ['public', 'private'] as const
export const PLANS = ['free', 'paid'] as const
/** The states of a product and of its changelog. `locked` is a frozen record, readable with a key only. */
export const STATUSES = ['draft', 'published', 'locked'] as const
export const VERSION_STATUSES = ['draft', 'published'] as const
/** What is stored of a version: a scheduled one is a draft until its `publishedAt`, and published from then on. */
export const STORED_VERSION_STATUSES = [...VERSION_STATUSES, 'scheduled'] as const
export const KEY_KINDS = ['FULL', 'SELECT'] as const
export const KEY_STATUSES = ['active', 'disabled'] as const

export type Visibility = (typeof VISIBILITIES)[number]
export type Plan = (typeof PLANS)[number]
export type Status = (typeof STATUSES)[number]
export type VersionStatus = (typeof VERSION_STATUSES)[number]
export type StoredVersionStatus = (typeof STORED_VERSION_STATUSES)[number]
export type KeyKind = (typeof KEY_KINDS)[number]
export type KeyStatus = (typeof KEY_STATUSES)[number]

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

/** The label of what is not released yet, however the author of a file spelled it. */
export const UNRELEASED = 'Unreleased'

/** Milliseconds since the epoch, UTC: the only form of a moment inside the program. */
export type Instant = number

export interface Team {
  id: string
  slug: string
  name: string
  visibility: Visibility
  plan: Plan
  createdAt: Instant
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
  team: Team
  changelog: Changelog
}

export interface Version {
  id: string
  label: string
  title: string
  /** What it is now: a scheduled version is published as soon as its moment has come. */
  status: VersionStatus
  /** Whether it is a draft that is published at `publishedAt`, by itself. */
  scheduled: boolean
  publishedAt: Instant
  /** Whether the author gave `publishedAt`: publishing then leaves it as it is. */
  dated: boolean
  /** Whether the publication date is known; if not, `publishedAt` only determines the order. */
  dateKnown: boolean
  description: string | null
  changeCount: number
  createdAt: Instant
  /** What was imported into the fields that were changed by hand since: see importing/imported.ts. */
  imported?: string | null | undefined
}

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
  /** What may be shown of its tokens, newest first: two while a rotation overlaps. */
  tokens: readonly { start: string; createdAt: Instant; expiresAt: Instant | null }[]
}

/** A change as its author writes it. */
export interface ChangeDraft {
  type: string
  /** The heading the author gave the type; null or absent for the usual one, see `headingFromType`. */
  typeLabel?: string | null
  title: string
  description: string | null
}

/** A change as it is stored. */
export interface Change extends ChangeDraft {
  id: string
  /** As that of a version. */
  imported?: string | null | undefined
}

/** A version as its author writes it; `date` is null if the author gives none. */
export interface VersionDraft {
  label: string
  title: string
  status: VersionStatus
  /** Whether it is a draft that is published at its date. */
  scheduled?: boolean
  date: Instant | null
  description: string | null
}

/** A version with its changes, as it moves to another database. */
export interface VersionContents extends Omit<Version, 'changeCount'> {
  /** The labels that it had while it was public, in order: they lead to it. */
  formerLabels: string[]
  changes: Change[]
}

/** A key as it moves to another database, where its tokens work as before: with their hashes. */
export interface ExportedKey extends Omit<Key, 'team' | 'products' | 'tokens'> {
  products: string[]
  tokens: (Key['tokens'][number] & { hash: string })[]
}

/** The name of a product in commands and messages: `team/product`. */
export const address = (product: Product): string => `${product.team.slug}/${product.slug}`

export interface ProductName {
  team: string
  product: string
}
