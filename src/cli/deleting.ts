import type { Records } from '../store/records/records.ts'
import type { Deletion } from '../transfer/deletion.ts'
import type { Context } from './context.ts'
import { type Common, type Confirming, writing } from './session.ts'
import { keptNote } from './terminal/text.ts'

/** How a record is deleted. */
export interface Deleting<T, Given extends unknown[] = []> {
  find(records: Records, ...given: Given): Promise<T>
  /** How messages name it. */
  name(found: T): string
  /** What must be confirmed. */
  warning(found: T, records: Records): string | Promise<string>
  /** What the trash keeps of it, if anything. */
  kept?(found: T): Deletion
  json(found: T): object
  delete(found: T, records: Records): Promise<void>
}

/** Deletes a record after confirmation. */
export const deleting = <T>(
  context: Context,
  options: Common & Confirming,
  record: Deleting<T>,
): Promise<void> =>
  writing(
    context,
    options,
    async (records, trash) => {
      const found = await record.find(records)
      const name = record.name(found)
      const kept = record.kept && (await trash.keep(records, name, [record.kept(found)]))
      await record.delete(found, records)
      return {
        json: { ...record.json(found), deleted: true, ...kept },
        text: `Deleted ${name}.`,
        notes: kept ? [keptNote(kept)] : [],
      }
    },
    async (records) => record.warning(await record.find(records), records),
  )
