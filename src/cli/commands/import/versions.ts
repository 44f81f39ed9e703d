import type { IncomingVersion } from '../../../domain/merge.ts'
import type { Product } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Records } from '../../../store/records/port.ts'
import type { ImportOptions, ImportResult } from './result.ts'

/** Imports versions into a product, and counts in `result` what became of them. */
export async function importVersions(
  records: Records,
  product: Product,
  versions: Iterable<IncomingVersion> | AsyncIterable<IncomingVersion>,
  result: ImportResult,
  { prune, now }: ImportOptions,
): Promise<void> {
  const versionImport = await records.transfer.importVersions(product, now)
  let count = 0
  for await (const incoming of versions) {
    result[await naming(incoming.version.label, () => versionImport.put(incoming))]++
    count++
  }
  if (prune) result.pruned += await versionImport.prune()
  const { publishedCount, draftCount } = await records.products.summary(product)
  result.skipped += publishedCount + draftCount - count
}

/** A refusal names the version that it is about. */
async function naming<T>(label: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message, hint } = error
    throw new Refusal(`Version ${label}: ${message}`, { ...(hint && { hint }), cause: error })
  }
}
