import { isId } from '../domain/id.ts'
import { address, type Product, type ProductName, type Version } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { readChunks } from '../files/read.ts'
import type { Records } from '../store/records/records.ts'
import { readExport } from '../transfer/exports/read-export.ts'
import { findProduct } from '../transfer/find.ts'
import { bringBack } from '../transfer/undo/bring-back.ts'
import { eachKeptFile, type KeptFile } from '../transfer/undo/kept-files.ts'
import { withTrash } from '../transfer/undo/trash.ts'
import type { Desk, Visit } from './visit.ts'

/** Deletes a version, and keeps it for undo. Returns its label. */
export const deleteVersion = (
  { desk }: Visit,
  found: (records: Records) => Promise<{ product: Product; version: Version }>,
): Promise<string> =>
  withTrash(desk.trash, (trash, settle) =>
    desk.write(async (records) => {
      const { product, version } = await found(records)
      const what = `version ${version.label} of ${address(product)}`
      await trash.keep(records, what, [{ product, versions: new Set([version.id]) }])
      await records.versions.delete(product, version)
      await settle()
      return version.label
    }),
  )

/** The last deleted version of a product that can be brought back, or the one with this id. Null for none. */
export async function keptVersion(
  desk: Desk,
  records: Records,
  product: Product,
  id?: string,
): Promise<KeptFile | null> {
  const { database, directory } = desk.trash()
  for await (const file of eachKeptFile(records, database, directory)) {
    const [first = ''] = file.deleted.ids
    if (isId('ver', first) && file.deleted.product === product.id && first === (id ?? first)) return file
  }
  return null
}

/** Brings a deleted version back, by its id. Returns its label. */
export async function undoDeletion({ desk }: Visit, name: ProductName, id: string): Promise<string> {
  const found = await desk.read(async (records) =>
    keptVersion(desk, records, await findProduct(records, name), id),
  )
  if (!found) throw new Refusal(desk.words.product.nothingToUndo)
  const source = await readExport({ name: found.path, chunks: () => readChunks(found.path) })
  await desk.write((records, now) => bringBack(records, source, found.deleted, now))
  return found.deleted.label ?? ''
}
