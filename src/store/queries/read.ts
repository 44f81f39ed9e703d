import type { Instant } from '../../domain/records.ts'
import type { Statement } from './statement.ts'
import type { Audience, ChangelogInfo } from './types.ts'

type Value = string | number

export type Values = Readonly<Record<string, Value>>

/** The values of the visibility rule. */
export const credentials = (audience: Audience): Values =>
  audience === 'public' ? {} : { teamId: audience.teamId, keyId: audience.keyId, kind: audience.kind }

/** A statement to run, with its values. Its rows are arrays, in the order of the SQL. */
export interface Step {
  statement: Statement<unknown>
  values: Value[]
}

/**
 * A read: it yields the statements that it needs and gets their rows, so that one body serves an engine that answers at
 * once and one that is awaited. The caller runs all of it within one snapshot.
 */
export type Read<T> = Generator<Step, T, unknown[][]>

/** Statements of the engine, and the time of the read: versions due by then are published. */
export interface ReadContext<Statements> {
  statements: Statements
  now: Instant
}

/** A changelog that was found, and statements of the audience that may see it. */
export interface ChangelogContext<Statements> extends ReadContext<Statements> {
  info: ChangelogInfo
  changelogId: string
}

export function* all<Row>(statement: Statement<Row>, values: Values): Read<Row[]> {
  const rows = yield {
    statement,
    values: statement.parameters.map((each) => ('name' in each ? (values[each.name] as Value) : each.value)),
  }
  for (const { at, to } of statement.conversions)
    for (const row of rows) if (row[at] !== null) row[at] = CONVERSIONS[to](row[at])
  return rows.map((row) => objectOf(statement.columns, row) as Row)
}

const CONVERSIONS = { number: Number, boolean: Boolean }

/** A path has one name, or two for a field of an inner object. A function compiled for each statement was slower. */
function objectOf(columns: readonly string[][], row: readonly unknown[]): object {
  const object: Record<string, unknown> = {}
  for (let at = 0; at < columns.length; at++) {
    const [name = '', inner] = columns[at] as string[]
    if (inner === undefined) object[name] = row[at]
    else {
      object[name] ??= {}
      const within = object[name] as Record<string, unknown>
      within[inner] = row[at]
    }
  }
  return object
}
