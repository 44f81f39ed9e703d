import type { ProductName } from '../domain/records.ts'
import { findVersion } from '../transfer/find.ts'
import { readStamp } from '../transfer/stamp.ts'
import type { Visit } from './visit.ts'

/** Notes who wrote a version last, where somebody says who writes. */
export async function noteWriter({ desk, writer }: Visit, name: ProductName, id: string): Promise<void> {
  if (writer.name === null) return
  const state = await desk.read(async (records) =>
    readStamp(records, (await findVersion(records, name, id)).version),
  )
  await desk.writers.put(id, { name: writer.name, at: desk.now(), state })
}
