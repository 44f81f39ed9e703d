import { type Column, eq, getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type IdPrefix, newId } from '../../domain/id.ts'
import type { Instant } from '../../domain/records.ts'
import type { Drizzle, Tables } from '../tables/schema.ts'

/** What an engine gives to the records. */
export interface Engine {
  db: Drizzle
  tables: Tables
  /** The time of all reads: it decides which scheduled versions are published. */
  now: Instant
  prepare(text: string): Write
  /** That of the database, whatever its address; null if PostgreSQL does not tell. */
  identity(): Promise<string | null>
  /** Writes many rows at once, if that is faster. */
  bulk?: Bulk
}

export type Row = (string | number | boolean | null)[]
export type Write = (row: Row) => void | Promise<void>

/** Buffers rows until `flush`. They cannot be read before. */
export interface Bulk {
  into(table: string, columns: readonly string[]): Write
  flush(): Promise<void>
}

type Insert<T extends SQLiteTable> = (row: T['$inferInsert']) => void | Promise<void>

/**
 * Inserts many rows: in bulk if the engine can, else with one prepared statement. Drizzle only generates that: filling
 * placeholders would double the cost.
 */
export function inserter<T extends SQLiteTable>({ db, bulk, prepare }: Engine, table: T): Insert<T> {
  const columns = Object.entries<Column>(getTableColumns(table))
  const begin = (): Write => {
    const names = columns.map(([, column]) => column.name)
    if (bulk) return bulk.into(getTableName(table), names)
    const row = Object.fromEntries(columns.map(([name]) => [name, sql.placeholder(name)]))
    const insert = db.insert(table).values(row as T['$inferInsert'])
    return prepare(insert.toSQL().sql)
  }
  let write: Write | undefined
  return (row) => {
    write ??= begin()
    return write(columns.map(([name, column]) => driverValue(column, row[name as keyof typeof row])))
  }
}

/** Every column is written, so missing ones get their defaults here. */
function driverValue(column: Column, given: unknown): Row[number] {
  const value = given === undefined ? (column.defaultFn?.() ?? column.default) : given
  return value === null || value === undefined ? null : (column.mapToDriverValue(value) as Row[number])
}

/** What is used of a Drizzle query. */
interface Query<Result> {
  prepare(): { execute(values?: Record<string, unknown>): Promise<Result> }
}

/** Prepares a query on first use, for those that run once for each version. */
export function prepared<Result>(
  build: () => Query<Result>,
): (values?: Record<string, unknown>) => Promise<Result> {
  let statement: ReturnType<Query<Result>['prepare']> | undefined
  return (values) => {
    statement ??= build().prepare()
    return statement.execute(values)
  }
}

type IdentifiedTable = SQLiteTable & { id: SQLiteColumn }

export const isTaken = async ({ db }: Engine, table: IdentifiedTable, id: string): Promise<boolean> =>
  (await db.select({ id: table.id }).from(table).where(eq(table.id, id))).length > 0

/** The id that a record has elsewhere, unless it is taken here. */
export const freeId = async (
  engine: Engine,
  table: IdentifiedTable,
  prefix: IdPrefix,
  id: string,
): Promise<string> => ((await isTaken(engine, table, id)) ? newId(prefix) : id)
