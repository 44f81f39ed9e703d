import { pick } from '../objects.ts'
import { Refused } from '../reasons.ts'
import {
  address,
  type Instant,
  type Product,
  type StoredVersionStatus,
  UNRELEASED,
  type Version,
} from '../records.ts'
import { type Hint, type Refusal, toRun } from '../refusal.ts'
import { commandLine } from '../text/shell.ts'
import { howToPublish } from '../versions/hidden.ts'
import { DAY_MS, formatInstant } from './time.ts'

export type Publication = Pick<Version, 'status' | 'scheduled' | 'publishedAt' | 'dated' | 'dateKnown'>

export const publicationOf = (version: Publication): Publication =>
  pick(version, 'status', 'scheduled', 'publishedAt', 'dated', 'dateKnown')

/** UTC+14, the earliest time zone. */
const FIRST_ZONE_MS = 14 * 3_600_000

/** True for a future date. Midnight UTC means a day, which begins in the earliest time zone. */
export const isAhead = (date: Instant, now: Instant): boolean =>
  date - (date % DAY_MS === 0 ? FIRST_ZONE_MS : 0) > now

/** The version as of `now`: a scheduled one is published from its `publishedAt` on. */
export const publicationAt = <P extends Publication>(version: P, now: Instant): P =>
  version.scheduled && version.publishedAt <= now
    ? { ...version, status: 'published', scheduled: false }
    : version

export const storedStatus = ({
  status,
  scheduled,
}: Pick<Version, 'status' | 'scheduled'>): StoredVersionStatus => (scheduled ? 'scheduled' : status)

/** An author's date stays; else publishing sets it to now. Setting a status ends a schedule and removes its date. */
export function publicationOnUpdate(
  version: Publication & Pick<Version, 'createdAt'>,
  update: { date?: Instant; status?: Version['status']; scheduled?: boolean },
  now: Instant,
): Publication {
  const scheduled = update.scheduled ?? (update.status === undefined && version.scheduled)
  const status = scheduled ? 'draft' : (update.status ?? version.status)
  if (update.date !== undefined)
    return { status, scheduled, publishedAt: update.date, dated: true, dateKnown: true }
  const isEnded = version.scheduled && !scheduled
  const dated = version.dated && !isEnded
  const isNow = status === 'published' && version.status === 'draft' && !dated
  const publishedAt = isNow ? now : isEnded ? version.createdAt : version.publishedAt
  const dateKnown = dated || isNow || (status === 'published' && version.dateKnown)
  return { status, scheduled, publishedAt, dated, dateKnown }
}

/** Refuses to schedule a published version, the draft without a version, or for the past. */
export function checkSchedule(
  product: Product,
  before: Pick<Version, 'label' | 'status'>,
  { label, scheduled, publishedAt }: Publication & Pick<Version, 'label'>,
  now: Instant,
): void {
  if (!scheduled) return
  if (label === UNRELEASED)
    throw new Refused(
      'unnamedSchedule',
      { product: address(product) },
      {
        hint: toRun('To schedule it as one', 'release', [address(product), 'VERSION'], {
          at: formatInstant(publishedAt),
        }),
      },
    )
  if (before.status === 'published')
    throw new Refused(
      'alreadyPublished',
      { label: before.label, product: address(product) },
      { hint: toRun('To hide it first', 'version draft', [address(product), before.label]) },
    )
  if (publishedAt <= now)
    throw new Refused(
      'past',
      { time: publishedAt },
      {
        hint: { text: 'Give a later time. To publish it now', command: howToPublish(product, before.label) },
      },
    )
}

/** Refuses to call a scheduled version Unreleased: it would be published under that name. */
export function checkScheduledLabel(product: Product, before: Version, after: Version): void {
  if (!after.scheduled || after.label !== UNRELEASED) return
  throw new Refused(
    'scheduledUnnamed',
    { label: before.label, product: address(product) },
    { hint: toRun('To make it a draft first', 'version draft', [address(product), before.label]) },
  )
}

/** Refuses to publish a version with a future date. `before` is the stored version, null if it is new. */
export function checkNotAhead(
  product: Product,
  before: Pick<Version, 'status'> | null,
  after: Pick<Publication, 'status' | 'publishedAt'> & Pick<Version, 'label'>,
  now: Instant,
): void {
  if (after.status !== 'published' || !isAhead(after.publishedAt, now)) return
  const args = [address(product), after.label]
  const schedule = (text: string) =>
    toRun(text, 'version schedule', args, { at: formatInstant(after.publishedAt) })
  throw publicWithDateAhead(
    product,
    after,
    before === null
      ? schedule('To publish it now, leave out --date. To publish it then, create a draft and run')
      : before.status === 'draft'
        ? {
            ...schedule('To publish it then'),
            or: toRun('To publish it now', 'version publish', args, { now: true }),
          }
        : schedule(`To hide it until then, run ${commandLine({ name: 'version draft', args })}, and`),
  )
}

export const publicWithDateAhead = (
  product: Product,
  { label, publishedAt }: Pick<Version, 'label' | 'publishedAt'>,
  hint: string | Hint,
): Refusal => new Refused('dateAhead', { label, product: address(product), time: publishedAt }, { hint })
