import type { IncomingVersion } from '../domain/importing/merge.ts'
import type { Product, VersionStatus } from '../domain/records.ts'
import { checkUnlocked, knownDate } from '../domain/rules.ts'
import { countKinds } from '../domain/versions/derived.ts'
import type { Records } from '../store/records/records.ts'
import type { PutVersion } from '../store/records/types.ts'
import type { ImportedVersion, ImportOptions, ImportResult } from './import-result.ts'
import { locate } from './locate.ts'
import { keepText } from './undo/history.ts'

export interface LocatedVersion {
  where: string
  incoming: IncomingVersion
}

/** Imports versions into a product. Their outcome, and which are to be pruned, is in `result`. */
export async function importVersions(
  records: Records,
  product: Product,
  versions: Iterable<LocatedVersion> | AsyncIterable<LocatedVersion>,
  result: ImportResult,
  { prune, pruneDrafts, overwrite, dryRun, now }: ImportOptions,
): Promise<void> {
  const options = { now, overwrite: overwrite === true }
  const versionImport = await records.transfer.importVersions(product, options)
  const listed: { rank: number; version: ImportedVersion }[] = []
  /** Labels by rank, which begins with 1. */
  const labels: string[] = []
  let count = 0
  for await (const { where, incoming } of versions) {
    const place = `${where}: version ${incoming.version.label}`
    const put = await locate(place, () => versionImport.put(incoming))
    // Those whose edits are replaced are kept for undo.
    if (put.before && !put.isOverwritten && !dryRun)
      await keepText(records, { event: 'imported', who: null, now }, product, put.before)
    result[put.outcome]++
    count++
    const rank = incoming.from === 'changelog' ? incoming.rank : count
    noteRead(result.read, put.version)
    labels[rank] = put.label
    if (incoming.from === 'changelog') {
      if (incoming.isReleased) result.released++
      if (isScheduledNow(put)) result.scheduled.unshift({ label: put.label, at: put.version.publishedAt })
    }
    if (!dryRun && put.corrections.length === 0) continue
    const { changes } = incoming.version
    const kinds = countKinds(changes, incoming.version)
    const before = put.isOverwritten ? put.before : undefined
    const version = { ...put, before, product, changeCount: changes.length, kinds }
    listed.push({ rank, version })
  }
  const isFirst = result.read.versions === count
  result.read.newest = (isFirst && labels[1]) || null
  result.read.oldest = (isFirst && labels.at(-1)) || null
  // Newest first, as in the file; those of a changelog came oldest first.
  for (const { version } of listed.sort((a, b) => a.rank - b.rank)) {
    if (dryRun) result.versions.push(version)
    if (version.corrections.length > 0) result.corrected.push(version)
  }
  await versionImport.end()
  const missing = prune || pruneDrafts || dryRun ? await versionImport.missing() : []
  const isPruned = ({ status }: { status: VersionStatus }) =>
    pruneDrafts === true || (prune === true && status === 'published')
  const pruned = missing.filter(isPruned)
  const overwritten = listed.flatMap(({ version: { before } }) => before ?? [])
  if (pruned.length > 0) checkUnlocked(product)
  if (pruned.length + overwritten.length > 0) result.missing.push({ product, versions: pruned, overwritten })
  if (dryRun)
    for (const version of missing) {
      const outcome = isPruned(version) ? 'pruned' : 'skipped'
      result.versions.push({ product, outcome, label: version.label })
    }
  result.pruned += pruned.length
  if (prune) result.spared += missing.length - pruned.length
  const { publishedCount, draftCount } = await records.products.summary(product)
  result.skipped += publishedCount + draftCount - count - pruned.length
}

function noteRead(read: ImportResult['read'], version: PutVersion['version']): void {
  read.versions++
  if (knownDate(version) !== null) read.dated++
  if (version.scheduled) read.scheduled++
  else if (version.status === 'draft') read.drafts++
}

/** True if the import has scheduled it, or moved its schedule. */
const isScheduledNow = ({ outcome, fields, version: { scheduled } }: PutVersion): boolean =>
  scheduled && (outcome === 'added' || fields.includes('status') || fields.includes('date'))
