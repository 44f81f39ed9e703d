import { databaseCommand, type Parent, writingCommand, yesOption } from './command.ts'
import type { Context } from './context.ts'
import type { Outcome } from './session.ts'
import { type Fields, recordPage, recordTable } from './terminal/records.ts'
import type { Message } from './terminal/text.ts'

/** The commands `list`, `show` and `delete` for all records. Examples are shown without and with `--json`. */

export const listCommand = (parent: Parent, summary: string, example: string) =>
  databaseCommand(parent, 'list', summary, withJson(example))

export const showCommand = (parent: Parent, summary: string, example: string) =>
  databaseCommand(parent, 'show', summary, withJson(example))

export const deleteCommand = (parent: Parent, summary: string, example: string, name = 'delete') =>
  writingCommand(parent, name, summary, withJson(`${example} --yes`)).addOption(yesOption())

export const withJson = (example: string): string[] => [example, `${example} --json`]

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

export const shown = <T>(context: Context, record: T, fieldsOf: Fields<T>, json: (record: T) => object) => ({
  json: json(record),
  text: recordPage(context, record, fieldsOf),
})
