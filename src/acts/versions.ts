import { address, type Instant, type Version } from '../domain/records.ts'
import { Refusal, toRun } from '../domain/refusal.ts'
import { isAhead } from '../domain/time/schedule.ts'
import type { VersionUpdate } from '../store/records/types.ts'
import type { Acting } from './acting.ts'
import { type Found, findSeen, type SeenVersion } from './seen.ts'

/** A version after an act, and before it: the same if nothing was to be done. */
export interface Written extends Found {
  before: Version
}

/** Changes a version as its values say; null if that is how it is. */
const changing =
  <Values extends unknown[]>(
    updateOf: (found: Found, now: Instant, ...values: Values) => VersionUpdate | null,
  ) =>
  async (by: Acting, seen: SeenVersion, ...values: Values): Promise<Written> => {
    const found = await findSeen(by, seen)
    const { product, version: before } = found
    const update = updateOf(found, by.now, ...values)
    const version = update ? await by.records.versions.update(product, before, update, by.now) : before
    return { product, before, version }
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
    throw new Refusal(`Version ${version.label} of ${address(product)} is already published.`, {
      hint: toRun('To hide it', 'version draft', [address(product), version.label]),
    })
  return isDraft(version) ? null : { status: 'draft' }
})

export const yankVersion = changing((_, __, reason: string) => ({ yanked: reason }))

export const unyankVersion = changing(() => ({ yanked: null }))
