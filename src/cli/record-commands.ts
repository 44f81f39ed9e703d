import type { Records } from '../store/records/records.ts'
import type { Deletion } from '../transfer/deletion.ts'
import { databaseCommand, writingCommand, yesOption } from './command.ts'
import type { Context } from './context.ts'
import { type Common, type Outcome, writingConfirmed } from './session.ts'
import { keptNote, type Message } from './terminal/messages.ts'
import { type Fields, recordTable } from './terminal/record-tables.ts'

/** The commands `list`, `show` and `delete` for all records. Examples are shown without and with `--json`. */

export const listCommand = (context: Context, summary: string, example: string) =>
  databaseCommand(context, 'list', summary, withJson(example))

export const showCommand = (context: Context, summary: string, example: string) =>
  databaseCommand(context, 'show', summary, withJson(example))

export const deleteCommand = (context: Context, summary: string, example: string) =>
  writingCommand(context, 'delete', summary, withJson(`${example} --yes`)).addOption(yesOption())

const withJson = (example: string): string[] => [example, `${example} --json`]

/** `none` is the note for an empty list. */
export const listed = <T>(
  context: Context,
  records: readonly T[],
  fieldsOf: Fields<T>,
  json: (record: T) => object,
  none: Message,
): Outcome => ({
  json: records.map(json),
  text: recordTable(context, records, fieldsOf),
  notes: records.length > 0 ? [] : [none],
})

export interface Deleting<T> {
  find(records: Records): Promise<T>
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
  options: Common & { yes?: true | undefined },
  record: Deleting<T>,
): Promise<void> =>
  writingConfirmed(
    context,
    options,
    async (records) => record.warning(await record.find(records), records),
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
  )
