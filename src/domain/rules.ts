import { LIST_URL_RULE, listUrlOf } from './addresses/mail-address.ts'
import { LATEST } from './addresses/paths.ts'
import { isId } from './id.ts'
import { Refused } from './reasons.ts'
import {
  address,
  type ChangeDraft,
  type Changelog,
  type Instant,
  type Key,
  LIMITS,
  type Product,
  type Team,
  type Version,
  type VersionDraft,
} from './records.ts'
import { Refusal, toRun } from './refusal.ts'
import { isChangeType, isSlug, typeFromHeading } from './slug.ts'
import { isWritable, spelledOut } from './time/time.ts'
import {
  changeTexts,
  VERSION_FACTS,
  type VersionProperties,
  versionProperties,
} from './versions/properties.ts'

/**
 * Rules of writing. The store checks these before each write, so that no command can bypass them. Each `check…` throws
 * a `Refusal` that says what is wrong and what to do about it.
 */

export function checkSlug(slug: string): void {
  if (!isSlug(slug)) throw new Refused('notSlug', { name: quote(slug), most: LIMITS.slug })
}

/** The form of a mailing list, of a team or a product. */
export function checkSubscribeUrl({ subscribeUrl: url }: Partial<Pick<Team, 'subscribeUrl'>>): void {
  if (url && listUrlOf(url) !== url) throw new Refusal(`The address to subscribe must be ${LIST_URL_RULE}.`)
}

/** Names, and the labels of keys: one line that is not empty. */
export function checkName(name: string, what: 'name' | 'label' = 'name'): void {
  checkText('name', name, what)
  if (name.trim() === '') throw new Refused('empty', { what })
  checkOneLine(what, name)
}

export function checkVersion(draft: Pick<VersionDraft, 'label' | 'title' | keyof VersionProperties>): void {
  checkLabel(draft.label)
  checkTitle(draft.title)
  for (const [name, text] of Object.entries(versionProperties(draft))) {
    const isLine = name in VERSION_FACTS
    const what = name === 'yanked' ? 'reason' : name
    if (typeof text !== 'string') continue
    checkText(isLine ? 'title' : 'description', text, what)
    if (isLine) checkOneLine(what, text)
  }
}

export function checkLabel(label: string): void {
  checkText('label', label)
  if (label === '' || label !== label.trim()) throw new Refused('notLabel', { label: quote(label) })
  checkOneLine('label', label)
  if (isId('ver', label))
    throw new Refused('likeId', { label: quote(label) }, { hint: 'Choose another label.' })
}

/** A new version cannot be called `latest`. Imported ones may, as others name them. */
export function checkNewLabel(label: string): void {
  if (label === LATEST) throw new Refused('latest', {}, { hint: 'Choose another label.' })
}

/** `v1.0.0` → `1.0.0` */
export const withoutV = (label: string): string => label.replace(/^v(?=\d)/i, '')

/** The spellings of a label with and without a `v` before its number, which an import treats as one version. */
export function otherSpellings(label: string): string[] {
  const number = withoutV(label)
  return /^\d/.test(number) ? [number, `v${number}`, `V${number}`].filter((each) => each !== label) : []
}

export function checkChange(draft: ChangeDraft): void {
  if (!isChangeType(draft.type)) {
    const meant = typeFromHeading(draft.type)
    throw new Refused(
      'notType',
      { type: quote(draft.type), most: LIMITS.type },
      { hint: meant === null ? undefined : `Did you mean ${meant}? To set its heading, use --type-label.` },
    )
  }
  const label = draft.typeLabel ?? null
  if (label !== null) {
    checkText('typeLabel', label, 'heading of the type')
    if (label === '' || label !== label.trim()) throw new Refused('typeLabel', {})
    checkOneLine('heading of the type', label)
  }
  checkTitle(draft.title)
  for (const [name, text] of Object.entries(changeTexts(draft)))
    if (text) checkText('description', text, name)
}

/** The content of a locked product or changelog does not change. */
export function checkUnlocked(product: Product): void {
  checkProductUnlocked(product)
  if (product.changelog.status === 'locked') throw locked(product, 'changelog')
}

/** A locked product keeps its fields, unless the same command unlocks it. */
export function checkProductUpdate(
  product: Product,
  { status = 'locked', ...fields }: Partial<Omit<Product, 'id' | 'team' | 'changelog'>>,
): void {
  const isUpdated = Object.values(fields).some((value) => value !== undefined)
  if (isUpdated && status === 'locked') checkProductUnlocked(product)
}

/** A changelog's name and preamble are content, of the product and of the changelog. */
export function checkChangelogUpdate(product: Product, update: Partial<Changelog>): void {
  if (update.name === undefined && update.preamble === undefined) return
  checkProductUnlocked(product)
  if (product.changelog.status === 'locked' && (update.status ?? 'locked') === 'locked')
    throw locked(product, 'changelog')
}

function checkProductUnlocked(product: Product): void {
  if (product.status === 'locked') throw locked(product, 'product')
}

export const changelogNameOf = (name: string): string =>
  `${name} changelog`.slice(0, LIMITS.name).toWellFormed()

/** The name of a changelog after its product was renamed: a derived name follows, unless the changelog is locked. */
export const changelogNameAfter = ({ name: before, changelog }: Product, name: string): string =>
  changelog.name === changelogNameOf(before) && changelog.status !== 'locked'
    ? changelogNameOf(name)
    : changelog.name

/** The text of a file before its first version may have any length. */
export function checkPreamble(preamble: string | null): void {
  if (preamble !== null) checkCharacters('text before the first version', preamble)
}

/** Creating keys needs the paid plan; a team that leaves it keeps the keys it has. */
export function checkPlanForKeys(team: Team): void {
  if (team.plan !== 'paid')
    throw new Refusal(`Team ${team.slug} is on the free plan. API keys need the paid plan.`, {
      hint: toRun('You set the plan yourself, and nothing is charged', 'team update', [team.slug], {
        plan: 'paid',
      }),
    })
}

export function checkKeyProducts(kind: Key['kind'], products: readonly unknown[]): void {
  if (kind === 'FULL' && products.length > 0)
    throw new Refusal('A FULL key reads every product of its team. It does not take --product.', {
      hint: 'Leave out --product, or create a SELECT key.',
    })
  if (kind === 'SELECT' && products.length === 0)
    throw new Refusal('A SELECT key needs at least one product.', {
      hint: 'Add --product, or create a FULL key.',
    })
}

/** Products are attached to and detached from SELECT keys only. */
export function checkSelect(key: Key): void {
  if (key.kind !== 'SELECT')
    throw new Refusal(`Key ${key.id} is a FULL key. It reads every product of ${key.team.slug}.`)
}

export function checkExpiry(expiresAt: Instant | null, now: Instant): void {
  if (expiresAt === null) return
  checkMoment(expiresAt, 'The key would expire', 'Create a key that does not expire.')
  if (expiresAt <= now)
    throw new Refusal(`The expiry date is in the past: ${spelledOut(expiresAt)}.`, {
      hint: 'Give a later time.',
    })
}

/** The status of a key: one that has expired does not work, whether or not it is enabled. */
export const keyStatus = ({ status, expiresAt }: Pick<Key, 'status' | 'expiresAt'>, now: Instant) =>
  expiresAt !== null && expiresAt <= now ? 'expired' : status

/** When the older tokens of a key, or secrets of a hook, expire after a rotation. */
export function endOfOverlap(overlap: number, now: Instant, what = 'token'): Instant {
  checkMoment(now + overlap, `The old ${what} would work until`, 'Give a shorter duration.')
  return now + overlap
}

/** The API and exports must be able to write it. */
export const checkPublishedAt = (publishedAt: Instant): void =>
  checkMoment(publishedAt, 'The version would be published', 'Give another date.')

/** An author's date must survive markdown, where years of fewer than four digits are not read. */
export function checkDate(date: Instant | null | undefined): void {
  if (typeof date === 'number' && date < YEAR_1000)
    throw new Refused('before1000', {}, { hint: 'Give another date.' })
}

const YEAR_1000 = Date.UTC(1000, 0)

/** Refuses times that an export could not write. */
function checkMoment(instant: Instant, what: string, hint: string): void {
  if (!isWritable(instant))
    throw new Refused(
      'years',
      { what, when: instant < 0 ? 'before the year 0' : 'after the year 9999' },
      { hint },
    )
}

/** The date of a new version: the author's, else now, which is known only if it is published. */
export const dateOnCreation = (date: Instant | null, status: Version['status'], now: Instant) => ({
  publishedAt: date ?? now,
  dated: date !== null,
  dateKnown: date !== null || status === 'published',
})

/** Null if it is unknown. Imports before `dateKnown` dated undated versions just before `createdAt`. */
export function knownDate(version: Omit<Version, 'id' | 'changeCount'>): Instant | null {
  const { dated, dateKnown, publishedAt, createdAt } = version
  return dated || (dateKnown && publishedAt >= createdAt) ? publishedAt : null
}

function checkTitle(title: string): void {
  checkText('title', title)
  if (title.trim() === '') throw new Refused('empty', { what: 'title' })
}

export function checkText(limit: keyof typeof LIMITS, text: string, what: string = limit): void {
  if (text.length > LIMITS[limit])
    throw new Refused('tooLong', { what, count: text.length, most: LIMITS[limit] })
  checkCharacters(what, text)
}

function checkCharacters(what: string, text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw new Refused('notText', { what })
}

export function checkOneLine(what: string, text: string): void {
  if (/\p{Cc}/u.test(text)) throw new Refused('notOneLine', { what })
}

function locked(product: Product, what: 'product' | 'changelog'): Refusal {
  const name = what === 'product' ? `product ${address(product)}` : `changelog of ${address(product)}`
  const hint = toRun('To unlock it', `${what} update`, [address(product)], { status: 'draft' })
  return new Refused('locked', { what: name }, { hint })
}

const quote = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
