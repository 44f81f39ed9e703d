import { mapRows, pick } from './objects.ts'

/**
 * What a version or a change may have beside its name and its title. To add something, add a row here and a column in
 * `store/tables/schema.ts`. Types, reads, imports, exports, `--json`, and the API with its description follow from the
 * row, and have it in this order.
 */

/** A text is markdown, and null if there is none. A flag is false if nobody set it. */
interface Types {
  text: string | null
  flag: boolean
}
export const MISSING: Types = { text: null, flag: false }

export interface Detail {
  readonly type: keyof Types
  /** For the description of the API. */
  readonly about: string
  readonly example: Types[keyof Types]
}
export type Details = Readonly<Record<string, Detail>>

export const VERSION_DETAILS = {
  description: {
    type: 'text',
    about: 'About the version as a whole, before the changes.',
    example: 'Search now covers **attachments**.',
  },
  closing: {
    type: 'text',
    about: 'What follows the changes, such as a link to the full changelog.',
    example: 'Thanks to everyone who reported slow searches.',
  },
} as const satisfies Details

export const CHANGE_DETAILS = {
  description: {
    type: 'text',
    about: 'More about the change.',
    example: 'They were sorted by name since `1.1.0`.',
  },
} as const satisfies Details

/** The value of each row. */
export type ValuesOf<Table extends Details> = { -readonly [Name in keyof Table]: Types[Table[Name]['type']] }
export type VersionDetails = ValuesOf<typeof VERSION_DETAILS>
export type ChangeDetails = ValuesOf<typeof CHANGE_DETAILS>

export const VERSION_DETAIL_NAMES = namesOf(VERSION_DETAILS)
export const CHANGE_DETAIL_NAMES = namesOf(CHANGE_DETAILS)

export const NO_VERSION_DETAILS = valuesOf(VERSION_DETAILS, ({ type }) => MISSING[type])
export const NO_CHANGE_DETAILS = valuesOf(CHANGE_DETAILS, ({ type }) => MISSING[type])

/** The details that a record has: a draft may lack some. */
export const versionDetails = <T extends { [Name in keyof VersionDetails]?: unknown }>(record: T) =>
  pick(record, ...VERSION_DETAIL_NAMES)
export const changeDetails = <T extends { [Name in keyof ChangeDetails]?: unknown }>(record: T) =>
  pick(record, ...CHANGE_DETAIL_NAMES)

/** Without those that are missing. */
export const withoutMissing = <T extends object>(details: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(details).filter(([, value]) => value !== MISSING.text && value !== MISSING.flag),
  ) as Partial<T>

/** What a function says of each row, which has to be a value of its type. */
export function valuesOf<Table extends Details>(
  table: Table,
  value: (detail: Detail) => Detail['example'],
): ValuesOf<Table> {
  return mapRows(table, value) as ValuesOf<Table>
}

function namesOf<Table extends Details>(table: Table) {
  return Object.keys(table) as (keyof Table)[]
}
