import { isId } from '../domain/id.ts'
import { said } from '../domain/reasons.ts'
import { address, type Product, type ProductName, type Version } from '../domain/records.ts'
import type { KeptState } from '../store/records/kept.ts'
import type { Records } from '../store/records/records.ts'
import { findProduct } from '../transfer/find.ts'
import { bringBack } from '../transfer/undo/bring-back.ts'
import { deleteRecords, keptStates, recordsIn } from '../transfer/undo/keep.ts'
import type { Visit } from './visit.ts'

/** Deletes a version, and keeps it for undo. Returns its label. */
export const deleteVersion = (
  { desk, writer }: Visit,
  found: (records: Records) => Promise<{ product: Product; version: Version }>,
): Promise<string> =>
  desk.write(async (records, now) => {
    const { product, version } = await found(records)
    const what = `version ${version.label} of ${address(product)}`
    const deletion = { product, versions: new Set([version.id]) }
    await deleteRecords(records, { what, now, who: writer.name }, [deletion])
    return version.label
  })

/** The last deleted version of a product that can be brought back, or the one with this id. Null for none. */
export async function keptVersion(
  records: Records,
  product: Product,
  id?: string,
): Promise<KeptState | null> {
  const isWanted = ({ head: { ids } }: KeptState) => isId('ver', ids[0] ?? '') && ids[0] === (id ?? ids[0])
  return (await keptStates(records, product)).find(isWanted) ?? null
}

/** Brings a deleted version back, by its id. Returns its label. */
export const undoDeletion = ({ desk }: Visit, name: ProductName, id: string): Promise<string> =>
  desk.write(async (records, now) => {
    const found = await keptVersion(records, await findProduct(records, name), id)
    if (!found) throw said(desk.words.product.nothingToUndo)
    await bringBack(records, await recordsIn(records, found), found.head, now)
    await records.kept.remove(found.id)
    return found.head.label ?? ''
  })
