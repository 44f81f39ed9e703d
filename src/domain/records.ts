/** What a changelog service is made of. Every enumeration is written here, once. */

export const VISIBILITIES = ['public', 'private'] as const
export const PLANS = ['free', 'paid'] as const
/** The states of a product and of its changelog. `locked` is a frozen record, readable with a key only. */
export const STATUSES = ['draft', 'published', 'locked'] as const
export const VERSION_STATUSES = ['draft', 'published'] as const
export const KEY_KINDS = ['FULL', 'SELECT'] as const
export const KEY_STATUSES = ['active', 'disabled'] as const

export type Visibility = (typeof VISIBILITIES)[number]
export type Plan = (typeof PLANS)[number]
export type Status = (typeof STATUSES)[number]
export type VersionStatus = (typeof VERSION_STATUSES)[number]
export type KeyKind = (typeof KEY_KINDS)[number]
export type KeyStatus = (typeof KEY_STATUSES)[number]

/** Bounds on what an author may write, in characters. Stated once, enforced wherever text comes in. */
export const LIMITS = {
  slug: 64,
  name: 200,
  label: 128,
  title: 1_000,
  type: 64,
  description: 1_000_000,
} as const

/** Milliseconds since the epoch, UTC: the only form of a moment inside the program. */
export type Instant = number
