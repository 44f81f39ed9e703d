import { address } from '../domain/records.ts'
import type { Records } from '../store/records/types.ts'
import type { ImportResult } from './import-result.ts'
import type { Kept, Trash } from './trash/trash.ts'

/** Deletes versions that an import found missing from its file, and keeps them in the trash; null if there are none. */
export async function prune(
  records: Records,
  result: ImportResult,
  trash: Trash,
  command: string,
): Promise<Kept | null> {
  const [first, ...others] = result.missing.map(({ product, versions }) => ({
    product,
    versions: new Set(versions.map(({ id }) => id)),
  }))
  if (!first) return null
  const of = result.product ? ` of ${address(result.product)}` : ''
  const versions = result.pruned === 1 ? 'version' : 'versions'
  const what = `${result.pruned.toLocaleString('en')} ${versions}${of} that ${command} deleted`
  const kept = await trash.keep(records, what, [first, ...others])
  for (const { product, versions } of result.missing)
    for (const version of versions) await records.versions.delete(product, version)
  if (result.product) result.product = await records.products.summary(result.product)
  return kept
}
