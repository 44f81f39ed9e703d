import { type Column, eq, getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type IdPrefix, newId } from '../../domain/id.ts'
import type { Instant } from '../../domain/records.ts'
import { brokenRule } from '../engines/errors.ts'
import type { Drizzle, Tables } from '../tables/schema.ts'

export interface Engine {
  db: Drizzle
  tables: Tables
  /** The time of all reads: it decides which scheduled versions are published. */
  now: Instant
  /** Tells the database from others, whatever its address; null if PostgreSQL does not tell. */
  identity(): Promise<string | null>
  /** Rows to insert, many at a time. They cannot be read before `flush`. */
  rows: ReturnType<typeof createRowBuffer>
}

type Row = (string | number | boolean | null)[]

/** Rows are inserted in groups whose texts are longer than this together. */
const GROUP_LENGTH = 2 ** 20

/** If the tables refuse a row of a group, `work` is repeated row by row: then the error is that of the row. */
export async function inGroups<T>(work: (groupLength: number) => Promise<T>): Promise<T> {
  try {
    return await work(GROUP_LENGTH)
  } catch (error) {
    if (brokenRule(error) === null) throw error
    return work(0)
  }
}

/** `insert` gets rows with a value for each column. Drizzle would double the cost of an import. `changes` come first, if given. */
export function createRowBuffer(
  groupLength: number,
  insert: (table: string, columns: readonly string[], rows: readonly Row[]) => void | Promise<void>,
  changes?: SQLiteTable,
) {
  /** In the order in which the tables were first named: parents before children. */
  const pending = new Map<SQLiteTable, { columns: [string, Column][]; names: string[]; rows: Row[] }>()
  let length = 0

  const begin = (table: SQLiteTable) => {
    const columns = Object.entries<Column>(getTableColumns(table))
    const begun = { columns, names: columns.map(([, { name }]) => name), rows: [] }
    pending.set(table, begun)
    return begun
  }

  if (changes) begin(changes)

  const flush = async (): Promise<void> => {
    length = 0
    for (const [table, { names, rows }] of pending)
      if (rows.length > 0) await insert(getTableName(table), names, rows.splice(0))
  }

  return {
    /** Versions come after their changes, with the number of these. */
    changesFirst: changes !== undefined,
    flush,
    add: <T extends SQLiteTable>(table: T, given: T['$inferInsert']): void | Promise<void> => {
      const { columns, rows } = pending.get(table) ?? begin(table)
      const row = columns.map(([name, column]) => driverValue(column, given[name as keyof typeof given]))
      rows.push(row)
      for (const value of row) length += String(value).length
      if (length > groupLength) return flush()
    },
  }
}

/** Every column is written, so missing ones get their defaults here. */
function driverValue(column: Column, given: unknown): Row[number] {
  const value = given === undefined ? (column.defaultFn?.() ?? column.default) : given
  return value === null || value === undefined ? null : (column.mapToDriverValue(value) as Row[number])
}

type IdentifiedTable = SQLiteTable & { id: SQLiteColumn }

const isTaken = async ({ db }: Engine, table: IdentifiedTable, id: string): Promise<boolean> =>
  (await db.select({ id: table.id }).from(table).where(eq(table.id, id))).length > 0

/** True if a team, product, version, change or source has this id. */
export async function exists(engine: Engine, id: string): Promise<boolean> {
  const { teams, products, versions, changes, sources } = engine.tables
  for (const table of [teams, products, versions, changes, sources])
    if (await isTaken(engine, table, id)) return true
  return false
}

/** The id that a record has elsewhere, unless it is taken here. */
export const freeId = async (
  engine: Engine,
  table: IdentifiedTable,
  prefix: IdPrefix,
  id: string,
): Promise<string> => ((await isTaken(engine, table, id)) ? newId(prefix) : id)
