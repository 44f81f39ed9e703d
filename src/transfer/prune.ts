import { address, type Instant } from '../domain/records.ts'
import { plural } from '../domain/text/plural.ts'
import type { Records } from '../store/records/records.ts'
import type { ImportResult } from './import-result.ts'
import { deleteRecords, type Kept } from './undo/keep.ts'

/** Deletes versions that an import found missing from its file. They and overwritten ones are kept for undo; null if there are none. */
export async function prune(
  records: Records,
  result: ImportResult,
  command: string,
  now: Instant,
): Promise<Kept | null> {
  const [first, ...others] = result.missing.map(({ product, versions, overwritten }) => ({
    product,
    overwritten,
    versions: new Set([...versions, ...overwritten].map(({ id }) => id)),
  }))
  if (!first) return null
  const of = result.product ? ` of ${address(result.product)}` : ''
  const count = result.pruned + first.overwritten.length
  const what = plural(count, 'version') + of
  const why = first.overwritten.length > 0 ? 'as before import --overwrite' : `deleted by ${command}`
  const kept = await deleteRecords(records, { what: `${what} ${why}`, now }, [first, ...others])
  if (result.product) result.product = await records.products.summary(result.product)
  return kept
}
