import type { IncomingVersion } from '../../../domain/merge.ts'
import type { Product } from '../../../domain/records.ts'
import type { Records } from '../../../store/records/port.ts'
import { locate } from './locate.ts'
import type { ImportedVersion, ImportOptions, ImportResult } from './result.ts'

/** A version, and where it is in the file. */
export interface LocatedVersion {
  where: string
  incoming: IncomingVersion
}

/** Imports versions into a product, and tells in `result` what became of them. */
export async function importVersions(
  records: Records,
  product: Product,
  versions: Iterable<LocatedVersion> | AsyncIterable<LocatedVersion>,
  result: ImportResult,
  { prune, overwrite, dryRun, now }: ImportOptions,
): Promise<void> {
  const options = { now, overwrite: overwrite === true }
  const versionImport = await records.transfer.importVersions(product, options)
  const listed: { rank: number; version: ImportedVersion }[] = []
  let count = 0
  for await (const { where, incoming } of versions) {
    const place = `${where}: version ${incoming.version.label}`
    const put = await locate(place, () => versionImport.put(incoming))
    result[put.outcome]++
    count++
    const rank = incoming.from === 'changelog' ? incoming.rank : count
    if (put.scheduledFor !== null && incoming.from === 'changelog')
      result.scheduled.unshift({ label: put.label, at: put.scheduledFor })
    if (dryRun || put.corrections.length > 0) listed.push({ rank, version: { product, ...put } })
  }
  // Newest first, as a file has them; those of a changelog came oldest first.
  for (const { version } of listed.sort((a, b) => a.rank - b.rank)) {
    if (dryRun) result.versions.push(version)
    if (version.corrections.length > 0) result.corrected.push(version)
  }
  if (dryRun) {
    const outcome = prune ? 'pruned' : 'skipped'
    for (const label of await versionImport.missing()) result.versions.push({ product, outcome, label })
  }
  result.pruned += await versionImport.end({ prune: prune === true })
  const { publishedCount, draftCount } = await records.products.summary(product)
  result.skipped += publishedCount + draftCount - count
}
