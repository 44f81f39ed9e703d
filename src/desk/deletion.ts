import { isId } from '../domain/id.ts'
import { address, type Product, type ProductName } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { readChunks } from '../files/read.ts'
import type { Records } from '../store/records/records.ts'
import { readExport } from '../transfer/exports/read-export.ts'
import { findProduct, findVersion } from '../transfer/find.ts'
import { bringBack } from '../transfer/undo/bring-back.ts'
import { type KeptFile, keptFiles } from '../transfer/undo/kept-files.ts'
import { withTrash } from '../transfer/undo/trash.ts'
import type { Desk, Sent } from './visit.ts'

/** Deletes a version, and keeps it for undo. Returns its label. */
export const deleteVersion = ({ desk }: Sent, name: ProductName, id: string): Promise<string> =>
  withTrash(desk.trash, (trash, settle) =>
    desk.write(async (records) => {
      const { product, version } = await findVersion(records, name, id)
      const what = `version ${version.label} of ${address(product)}`
      await trash.keep(records, what, [{ product, versions: new Set([version.id]) }])
      await records.versions.delete(product, version)
      await settle()
      return version.label
    }),
  )

/** The deleted versions of a product that can be brought back, newest first. */
export async function keptVersions(desk: Desk, records: Records, product: Product): Promise<KeptFile[]> {
  const { database, directory } = desk.trash()
  const all = await keptFiles(records, database, directory)
  return all.filter(
    ({ deleted }) => isId('ver', deleted.ids[0] ?? '') && deleted.what.endsWith(` of ${address(product)}`),
  )
}

/** Brings the last deleted version back. Returns what it is. */
export async function undoDeletion({ desk }: Sent, name: ProductName): Promise<string> {
  const kept = await desk.read(async (records) =>
    keptVersions(desk, records, await findProduct(records, name)),
  )
  const [last] = kept
  if (!last) throw new Refusal(desk.words.product.nothingToUndo)
  const source = await readExport({ name: last.path, chunks: () => readChunks(last.path) })
  await desk.write((records, now) => bringBack(records, source, last.deleted, now))
  return last.deleted.what
}
