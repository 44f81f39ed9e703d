import { address, type ProductName } from '../domain/records.ts'
import type { KeptState } from '../store/records/kept.ts'
import type { Records } from '../store/records/records.ts'
import { findProduct, findVersion } from '../transfer/find.ts'
import { bringBack } from '../transfer/undo/bring-back.ts'
import type { Deletion } from '../transfer/undo/deletion.ts'
import * as undo from '../transfer/undo/keep.ts'
import type { Acting } from './acting.ts'
import { type Found, findSeen, needToChange, type SeenVersion } from './seen.ts'

interface Keeping {
  /** As messages name what is deleted. */
  what: string
  /** Keeps nothing for undo. */
  forget?: boolean | undefined
}

/** Deletes records with what they contain, and keeps them for undo. */
export const deleteRecords = (
  { records, now, who }: Acting,
  keeping: Keeping,
  ...deletions: readonly [Deletion, ...Deletion[]]
): Promise<undo.Kept | null> => undo.deleteRecords(records, { now, who, ...keeping }, deletions)

export async function deleteVersion(by: Acting, seen: SeenVersion): Promise<Found> {
  const found = await findSeen(by, seen)
  const { product, version } = found
  const what = `version ${version.label} of ${address(product)}`
  await deleteRecords(by, { what }, { product, versions: new Set([version.id]) })
  return found
}

/** Brings back all that a kept state has. */
export async function restore(by: Acting, find: (records: Records) => Promise<KeptState>) {
  const { records, now } = by
  const kept = await find(records)
  const source = await undo.recordsIn(records, kept)
  const { lostKeys, hooks } = await bringBack(records, source, kept.head, now)
  await records.kept.remove(kept.id)
  return { kept, lostKeys, hooks, picturesGone: await records.pictures.gone(kept.head.ids) }
}

/** Brings back a deleted version, by its id. */
export async function restoreVersion(by: Acting, of: ProductName, id: string): Promise<Found> {
  await restore(by, async (records) => {
    const kept = await undo.keptVersion(records, await findProduct(records, of), id)
    return kept ?? undo.nothingKept()
  })
  const found = await findVersion(by.records, of, id)
  needToChange(by, found.version)
  return found
}
