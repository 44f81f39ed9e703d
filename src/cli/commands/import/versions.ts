import type { IncomingVersion } from '../../../domain/merge.ts'
import type { Product } from '../../../domain/records.ts'
import type { Records } from '../../../store/records/port.ts'
import { locate } from './locate.ts'
import type { ImportOptions, ImportResult } from './result.ts'

/** A version, and where it is in the file. */
export interface LocatedVersion {
  where: string
  incoming: IncomingVersion
}

/** Imports versions into a product, and counts in `result` what became of them. */
export async function importVersions(
  records: Records,
  product: Product,
  versions: Iterable<LocatedVersion> | AsyncIterable<LocatedVersion>,
  result: ImportResult,
  { prune, now }: ImportOptions,
): Promise<void> {
  const versionImport = await records.transfer.importVersions(product, now)
  let count = 0
  for await (const { where, incoming } of versions) {
    const place = `${where}: version ${incoming.version.label}`
    result[await locate(place, () => versionImport.put(incoming))]++
    count++
  }
  result.pruned += await versionImport.end({ prune: prune === true })
  const { publishedCount, draftCount } = await records.products.summary(product)
  result.skipped += publishedCount + draftCount - count
}
