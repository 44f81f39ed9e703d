import { Refused } from '../domain/reasons.ts'
import {
  address,
  type ChangeDraft,
  type Instant,
  type Product,
  type ProductName,
  UNRELEASED,
  type Version,
  type VersionDraft,
} from '../domain/records.ts'
import { Refusal, toRun } from '../domain/refusal.ts'
import { checkUnlocked } from '../domain/rules.ts'
import { isAhead, publicWithDateAhead } from '../domain/time/schedule.ts'
import { formatInstant } from '../domain/time/time.ts'
import type { ParsedVersion } from '../formats/parsed.ts'
import type { Records } from '../store/records/records.ts'
import type { ChangeFound, VersionUpdate } from '../store/records/types.ts'
import { findProduct } from '../transfer/find.ts'
import { labelOrTitle, type Naming } from '../transfer/new-label.ts'
import type { Opened } from '../transfer/save-version.ts'
import * as save from '../transfer/save-version.ts'
import type { Acting, Doing } from './acting.ts'
import { withHistory } from './history.ts'
import { type Found, findSeen, needToChange, type SeenVersion } from './seen.ts'

/** A version after an act, and before it: the same if nothing was to be done. */
export interface Written extends Found {
  before: Version
}

/** Changes a version as its values say; null if that is how it is. */
const changing =
  <Values extends unknown[]>(
    updateOf: (found: Found, now: Instant, ...values: Values) => VersionUpdate | null,
  ) =>
  async (by: Doing, seen: SeenVersion, ...values: Values): Promise<Written> => {
    const found = await findSeen(by, seen)
    const { product, version: before } = found
    const update = updateOf(found, by.now, ...values)
    const write = () => (update ? by.records.versions.update(product, before, update, by.now) : null)
    const version = (await withHistory(by, found, async () => write())) ?? before
    return { product, before, version }
  }

/** With a title, a version needs no label. */
export async function createVersion(
  by: Acting,
  of: ProductName,
  given: Omit<VersionDraft, keyof Naming> & Naming,
): Promise<Found> {
  needToChange(by, { scheduled: false, ...given })
  const { records, now } = by
  const product = await findProduct(records, of)
  const label = await labelOrTitle(records, product, given)
  const draft = { ...given, label, title: given.title ?? label }
  return { product, version: await records.versions.create(product, draft, now) }
}

/** Saves a text as a new draft, or over the version from which it was opened. */
export async function saveText(by: Doing, product: Product, opened: Opened | null, text: ParsedVersion) {
  const { records, now } = by
  checkUnlocked(product)
  if (opened) needToChange(by, opened.version)
  const saved = opened
    ? await withHistory(by, { product, version: opened.version }, () =>
        save.updateVersion(records, product, opened, text, now),
      )
    : await save.createVersion(records, product, text, now)
  return { product, version: saved.version, saved, isChanged: saved.outcome !== 'unchanged' }
}

/** A title that is only the label follows it. */
export const updateVersion = changing(({ version: { title, label } }, _, update: VersionUpdate) =>
  update.label !== undefined && title === label ? { title: update.label, ...update } : update,
)

/** The date of its author stays, but not where `dating` says `now`, or `due` and it is to come. */
export const publishVersion = changing(({ version }, now, dating: 'kept' | 'due' | 'now') => {
  if (version.status === 'published' && dating !== 'now') return null
  const isDue = !version.scheduled && !isAhead(version.publishedAt, now)
  return { status: 'published', ...((dating === 'now' || (dating === 'due' && !isDue)) && { date: now }) }
})

export const scheduleVersion = changing((_, __, date: Instant) => ({ scheduled: true, date }))

const isDraft = ({ status, scheduled }: Version) => status === 'draft' && !scheduled

export const unpublishVersion = changing(({ version }) => (isDraft(version) ? null : { status: 'draft' }))

export const unscheduleVersion = changing(({ product, version }) => {
  if (version.status === 'published')
    throw new Refused(
      'alreadyPublished',
      { label: version.label, product: address(product) },
      { hint: toRun('To hide it', 'version draft', [address(product), version.label]) },
    )
  return isDraft(version) ? null : { status: 'draft' }
})

export const yankVersion = changing((_, __, reason: string) => ({ yanked: reason }))

export const unyankVersion = changing(() => ({ yanked: null }))

export const addChange = (by: Doing, found: Found, draft: ChangeDraft, position: number | null) =>
  withHistory(by, found, () => by.records.changes.add(found.product, found.version, draft, position))

export const updateChange = (by: Doing, found: ChangeFound, update: Partial<ChangeDraft>) =>
  withHistory(by, found, () => by.records.changes.update(found, update))

export const moveChange = (by: Doing, found: ChangeFound, position: number) =>
  withHistory(by, found, () => by.records.changes.move(found, position))

interface Release {
  title?: string | undefined
  date?: Instant | undefined
  /** When it is to be published; now without it. */
  at?: Instant | undefined
}

/** Gives the unreleased draft the label of a version, and publishes it. */
export async function release(
  by: Doing,
  of: ProductName,
  given: string | undefined,
  { title: other, date, at }: Release,
): Promise<Written> {
  const { records, now } = by
  const product = await findProduct(records, of)
  const draft = await records.versions.find(product, UNRELEASED)
  const title = other ?? (draft?.title === UNRELEASED ? undefined : draft?.title)
  const label = await labelOrTitle(records, product, { label: given, title })
  const before = await unreleasedDraft(records, product, label)
  if (date !== undefined && isAhead(date, now)) throw dateAhead(product, label, date)
  // Publishing dates a draft without a date.
  const day = date ?? (before.dated || before.status === 'published' ? now : undefined)
  const update = {
    label,
    title: title ?? label,
    ...(at === undefined
      ? { status: 'published' as const, ...(day !== undefined && { date: day }) }
      : { scheduled: true, date: at }),
  }
  const version = await withHistory(by, { product, version: before }, () =>
    records.versions.update(product, before, update, now),
  )
  return { product, before, version }
}

function dateAhead(product: Product, label: string, date: Instant): Refusal {
  const args = [address(product), label]
  const then = toRun('To publish it then', 'release', args, { at: formatInstant(date) })
  const hint = { ...then, or: toRun('To publish it now', 'release', args) }
  return publicWithDateAhead(product, { label, publishedAt: date }, hint)
}

/** The draft to release. Refuses a label that is taken, and a missing or empty draft. */
async function unreleasedDraft(records: Records, product: Product, label: string): Promise<Version> {
  const name = address(product)
  if (label === UNRELEASED)
    throw new Refusal(`${UNRELEASED} is the label of the draft.`, {
      hint: toRun('Give the version to release', 'release', [name, '1.0.0']),
    })
  const same = await records.versions.find(product, label)
  if (same?.status === 'draft' && !same.scheduled)
    throw new Refusal(`There is already a draft ${label} of ${name}.`, {
      kind: 'exists',
      hint: toRun('To publish it', 'version publish', [name, label]),
    })
  await records.versions.checkFree(product, label)
  const draft = await records.versions.find(product, UNRELEASED)
  if (!draft)
    throw new Refusal(`${name} has no unreleased draft.`, {
      hint: toRun('To write one', 'edit', [name]),
    })
  if (draft.changeCount === 0 && draft.description === null)
    throw new Refusal(`The unreleased draft of ${name} is empty.`, {
      hint: toRun('To write it', 'edit', [name]),
    })
  return draft
}
