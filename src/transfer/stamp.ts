import type { Change, Product, Version } from '../domain/records.ts'
import { sha256 } from '../domain/text/sha256.ts'
import { storedStatus } from '../domain/time/schedule.ts'
import { versionProperties } from '../domain/versions/properties.ts'
import type { Writer } from '../store/bookkeeping/writers.ts'
import type { Records } from '../store/records/records.ts'

/** Tells later whether somebody has changed a version: its status, and a hash of everything else. */
export function stampOf(version: Version, changes: readonly Change[], source: string | null): string {
  const { label, title, publishedAt, dated } = version
  const plain = changes.map(({ imported: _, ...change }) => change)
  const parts = [label, title, publishedAt, dated, versionProperties(version), plain, source]
  return `${storedStatus(version)}.${sha256(JSON.stringify(parts))}`
}

/** True if nobody has changed it in between. Becoming public on schedule is no change. */
export const isSameStamp = (before: string, now: string): boolean =>
  before === now || (before.startsWith('scheduled.') && before.replace('scheduled.', 'published.') === now)

export async function readStamp(records: Records, version: Version): Promise<string> {
  const changes = await records.changes.list(version)
  return stampOf(version, changes, await records.versions.source(version, changes))
}

/** The people who wrote versions last, unless somebody has changed these since. */
export async function lastWriters(
  records: Records,
  product: Product,
  known: ReadonlyMap<string, Writer>,
): Promise<ReadonlyMap<string, Writer>> {
  const writers = new Map<string, Writer>()
  for (const [id, writer] of known) {
    const version = await records.versions.find(product, id)
    if (version && isSameStamp(writer.state, await readStamp(records, version))) writers.set(id, writer)
  }
  return writers
}
