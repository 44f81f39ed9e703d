import { isId } from './id.ts'
import type { ChangeDraft, Team, Version, VersionDraft, VersionStatus } from './records.ts'
import {
  address,
  type Instant,
  type Key,
  type KeyKind,
  LIMITS,
  type Product,
  type Status,
} from './records.ts'
import { Refusal } from './refusal.ts'
import { CHANGE_TYPE_RULE, isChangeType, isSlug, SLUG_RULE } from './slug.ts'
import { isWritable } from './time.ts'

/**
 * What may be written, and when. The store asks these before each write, so that every way in keeps them.
 * Each `check…` throws a `Refusal` that says why, and what to do about it.
 */

export function checkSlug(slug: string): void {
  if (!isSlug(slug)) throw new Refusal(`${quote(slug)} is no slug: a slug is ${SLUG_RULE}.`)
}

/** Names and the labels of keys: one line that says something. */
export function checkName(name: string): void {
  checkText('name', name)
  if (name.trim() === '') throw new Refusal('The name is empty: give one.')
  checkOneLine('name', name)
}

export function checkVersion(draft: Pick<VersionDraft, 'label' | 'title' | 'description'>): void {
  checkText('label', draft.label)
  if (draft.label === '' || draft.label !== draft.label.trim())
    throw new Refusal(
      `${quote(draft.label)} is no version label: it may not be empty, nor begin or end with a space.`,
    )
  checkOneLine('label', draft.label)
  if (isId('ver', draft.label))
    throw new Refusal(`${quote(draft.label)} looks like a version's id: choose another label.`)
  checkTitle(draft.title)
  if (draft.description !== null) checkText('description', draft.description)
}

export function checkChange(draft: ChangeDraft): void {
  if (!isChangeType(draft.type))
    throw new Refusal(`${quote(draft.type)} is no type of change: it is ${CHANGE_TYPE_RULE}.`)
  checkTitle(draft.title)
  if (draft.description !== null) checkText('description', draft.description)
}

/** What is in a locked product or changelog stays as it is. */
export function checkUnlocked(product: Product): void {
  checkProductUnlocked(product)
  if (product.changelog.status === 'locked') throw locked(product, 'changelog')
}

/** A locked product keeps its name and slug, unless the same command unlocks it. */
export function checkProductUpdate(
  product: Product,
  update: { slug?: string; name?: string; status?: Status },
): void {
  const renames = update.slug !== undefined || update.name !== undefined
  if (renames && (update.status ?? 'locked') === 'locked') checkProductUnlocked(product)
}

/** The changelog's name and preamble are content of its product, and of itself. */
export function checkChangelogUpdate(
  product: Product,
  update: { name?: string; status?: Status; preamble?: string | null },
): void {
  if (update.name === undefined && update.preamble === undefined) return
  checkProductUnlocked(product)
  if (product.changelog.status === 'locked' && (update.status ?? 'locked') === 'locked')
    throw locked(product, 'changelog')
}

export function checkProductUnlocked(product: Product): void {
  if (product.status === 'locked') throw locked(product, 'product')
}

/** Keys are for the paid plan when they are made; a team that leaves it keeps the ones it has. */
export function checkPlanForKeys(team: Team): void {
  if (team.plan !== 'paid')
    throw new Refusal(
      `Team ${team.slug} is on the free plan, and keys are made on the paid plan only: changelogd team update ${team.slug} --plan paid`,
    )
}

export function checkKeyProducts(kind: KeyKind, products: readonly unknown[]): void {
  if (kind === 'FULL' && products.length > 0)
    throw new Refusal(
      'A FULL key reads every product of its team and takes none: leave out --product, or make it a SELECT key.',
    )
  if (kind === 'SELECT' && products.length === 0)
    throw new Refusal(
      'A SELECT key needs at least one product: name it with --product, or make it a FULL key.',
    )
}

/** Only a SELECT key has products to attach and detach. */
export function checkSelect(key: Key): void {
  if (key.kind !== 'SELECT')
    throw new Refusal(`Key ${key.id} is a FULL key: it reads every product of ${key.team.slug}.`)
}

export function checkExpiry(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt !== null && expiresAt <= now)
    throw new Refusal('The key would expire in the past: give a moment to come.')
  if (expiresAt !== null && !isWritable(expiresAt))
    throw new Refusal('The key would expire after the year 9999: make one that does not expire.')
}

/** A new version's date: the author's, else now. */
export const dateOnCreation = (date: Instant | null, now: Instant) => ({
  publishedAt: date ?? now,
  dated: date !== null,
})

/**
 * A new version's date when a file brings it: the file's; else, if it counts as published, some moment before
 * now that keeps the file's order. It is the only version whose publication comes before its creation without
 * an author having said so: `knownDate` knows it by that.
 */
export const dateOnImport = (
  { date, status, rank = 1 }: { date: Instant | null; status: VersionStatus; rank?: number },
  now: Instant,
) => dateOnCreation(date, status === 'published' ? now - rank : now)

/** The date to write into a file: the author's, or that of publication; null if nobody knows one. */
export function knownDate({
  dated,
  status,
  publishedAt,
  createdAt,
}: Omit<Version, 'changeCount'>): Instant | null {
  if (dated) return publishedAt
  return status === 'published' && publishedAt >= createdAt ? publishedAt : null
}

/** A version's date after an update: a date given stays; without one, publishing stamps it with now. */
export function dateOnUpdate(
  version: Pick<Version, 'status' | 'publishedAt' | 'dated'>,
  update: { date?: Instant; status?: VersionStatus },
  now: Instant,
): { publishedAt: Instant; dated: boolean } {
  if (update.date !== undefined) return { publishedAt: update.date, dated: true }
  const publishes = update.status === 'published' && version.status === 'draft'
  return { publishedAt: publishes && !version.dated ? now : version.publishedAt, dated: version.dated }
}

function checkTitle(title: string): void {
  checkText('title', title)
  if (title.trim() === '') throw new Refusal('The title is empty: give one.')
}

function checkText(what: keyof typeof LIMITS, text: string): void {
  if (text.length > LIMITS[what])
    throw new Refusal(`The ${what} has ${text.length} characters, but may have ${LIMITS[what]} at most.`)
  if (text.includes('\0') || !text.isWellFormed())
    throw new Refusal(`The ${what} holds characters that are no text.`)
}

function checkOneLine(what: string, text: string): void {
  if (/\p{Cc}/u.test(text)) throw new Refusal(`The ${what} must be one line of text.`)
}

function locked(product: Product, what: 'product' | 'changelog'): Refusal {
  return new Refusal(
    `The ${what} ${what === 'product' ? '' : 'of '}${address(product)} is locked, so it stays as it is. To unlock it: changelogd ${what} update ${address(product)} --status draft`,
  )
}

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
