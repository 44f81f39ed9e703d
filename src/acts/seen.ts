import { Refused } from '../domain/reasons.ts'
import type { Product, ProductName, Version, VersionHead } from '../domain/records.ts'
import { checkUnlocked } from '../domain/rules.ts'
import { storedStatus } from '../domain/time/schedule.ts'
import { findVersion } from '../transfer/find.ts'
import { isSameStamp, readStamp } from '../transfer/stamp.ts'
import { type Acting, need } from './acting.ts'

/** A version by its label or id, and how whoever acts has seen it: others may have changed it since. */
export interface SeenVersion {
  of: ProductName
  version: string
  state?: VersionState
  stamp?: string
}

export interface Found {
  product: Product
  version: Version
}

export const VERSION_STATES = ['draft', 'scheduled', 'published', 'yanked'] as const
export type VersionState = (typeof VERSION_STATES)[number]

export const versionState = (version: VersionHead): VersionState =>
  version.status === 'published' && version.yanked !== null ? 'yanked' : storedStatus(version)

/** The version to change. Refuses a locked one, one that is not as it was seen, and one that is not a draft to those who write drafts. */
export async function findSeen(by: Acting, { of, version: name, state, stamp }: SeenVersion): Promise<Found> {
  const found = await findVersion(by.records, of, name)
  const { product, version } = found
  checkUnlocked(product)
  const isOther = state !== undefined && versionState(version) !== state
  if (isOther || (stamp !== undefined && !isSameStamp(stamp, await readStamp(by.records, version))))
    throw new Refused('changed', {})
  needToChange(by, version)
  return found
}

/** What everybody sees, or will see at a given time, is not for those who write drafts. */
export function needToChange(by: Acting, version: Pick<Version, 'status' | 'scheduled'>): void {
  if (storedStatus(version) !== 'draft') need(by, 'publish')
}
