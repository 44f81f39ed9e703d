import { mapRows, pick } from './objects.ts'

/** A text is markdown, and null if there is none. A flag is false unless it is set. */
interface Types {
  text: string | null
  flag: boolean
}
export const MISSING: Types = { text: null, flag: false }

/** `about` and `example` are for the description of the API. */
export interface Detail<Type extends keyof Types = keyof Types> {
  readonly type: Type
  readonly about: string
  readonly example: Types[Type]
}
export type Details = Readonly<Record<string, Detail>>

const text = (about: string, example: string): Detail<'text'> => ({ type: 'text', about, example })

/**
 * What a version or a change may have beside its name and its title. To add something, add a row, and a column in
 * `store/tables/schema.ts`: types, reads, imports, exports, `--json` and the API have it then, in this order.
 */
export const VERSION_DETAILS = {
  description: text(
    'About the version as a whole, before the changes.',
    'Search now covers **attachments**.',
  ),
  closing: text(
    'What follows the changes, such as a link to the full changelog.',
    'Thanks to everyone who reported slow searches.',
  ),
}
export const CHANGE_DETAILS = {
  description: text('More about the change.', 'They were sorted by name since `1.1.0`.'),
}

export type ValuesOf<Table extends Details> = { [Name in keyof Table]: Types[Table[Name]['type']] }
export type VersionDetails = ValuesOf<typeof VERSION_DETAILS>
export type ChangeDetails = ValuesOf<typeof CHANGE_DETAILS>

export const VERSION_DETAIL_NAMES = Object.keys(VERSION_DETAILS) as (keyof VersionDetails)[]
export const CHANGE_DETAIL_NAMES = Object.keys(CHANGE_DETAILS) as (keyof ChangeDetails)[]

/** The details that a record has: a draft may lack some. */
export const versionDetails = <T extends { [Name in keyof VersionDetails]?: unknown }>(record: T) =>
  pick(record, ...VERSION_DETAIL_NAMES)
export const changeDetails = <T extends { [Name in keyof ChangeDetails]?: unknown }>(record: T) =>
  pick(record, ...CHANGE_DETAIL_NAMES)

export const NO_VERSION_DETAILS = valuesOf(VERSION_DETAILS, ({ type }) => MISSING[type])
export const NO_CHANGE_DETAILS = valuesOf(CHANGE_DETAILS, ({ type }) => MISSING[type])

/** A value for each detail, which has to be of its type. */
export function valuesOf<Table extends Details>(table: Table, of: (detail: Detail) => Detail['example']) {
  return mapRows(table, of) as ValuesOf<Table>
}
