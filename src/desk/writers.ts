import type { ProductName, Version } from '../domain/records.ts'
import type { Records } from '../store/records/records.ts'
import { findVersion } from '../transfer/find.ts'
import { readStamp } from '../transfer/stamp.ts'
import { noteAct, type Visit } from './visit.ts'

/** A version as a transaction leaves it. */
interface Written {
  version: Version
  stamp: string
}

export async function readWritten(records: Records, name: ProductName, id: string): Promise<Written> {
  const { version } = await findVersion(records, name, id)
  return { version, stamp: await readStamp(records, version) }
}

/** Logs who did what, and notes who wrote the version last, where somebody says who writes. */
export async function noteWritten(
  visit: Visit,
  event: string,
  product: ProductName,
  { version, stamp }: Written,
): Promise<void> {
  noteAct(visit, event, product, { version: version.label })
  const { desk, writer } = visit
  // What was written stays, whether the note succeeds or not.
  if (writer.name)
    await desk.writers.put(version.id, { name: writer.name, at: desk.now(), state: stamp }).catch(desk.report)
}
