import { pick } from './objects.ts'

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
const MISSING: Types = { text: null, flag: false }

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

/** Those that a record has: a draft may lack some. */
export const versionDetails = pickerOf(VERSION_DETAIL_NAMES)
export const changeDetails = pickerOf(CHANGE_DETAIL_NAMES)

export const NO_VERSION_DETAILS = missingOf(VERSION_DETAILS)
export const NO_CHANGE_DETAILS = missingOf(CHANGE_DETAILS)

/** Without those that are missing. */
export const withoutMissing = <T extends object>(details: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(details).filter(([, value]) => value !== MISSING.text && value !== MISSING.flag),
  ) as Partial<T>

function namesOf<Table extends Details>(table: Table) {
  return Object.keys(table) as (keyof Table)[]
}

function pickerOf<Name extends string>(names: readonly Name[]) {
  return <T extends { [Each in Name]?: unknown }>(record: T): Pick<T, Name> => pick(record, ...names)
}

function missingOf<Table extends Details>(table: Table): ValuesOf<Table> {
  const missing = Object.entries(table).map(([name, { type }]) => [name, MISSING[type]])
  return Object.fromEntries(missing) as ValuesOf<Table>
}
