import { type Column, getTableColumns, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Drizzle } from '../schema.ts'

/** What an engine gives to the records: a connection that speaks Drizzle, and statements prepared once. */
export interface Engine {
  db: Drizzle
  prepare(text: string): (values: (string | number | null)[]) => void | Promise<void>
}

/**
 * Inserts rows one by one through a single statement, prepared when the first row comes. Drizzle writes the
 * statement but does not run it: filling its placeholders would cost as much again as the insert itself.
 */
export function inserter<T extends SQLiteTable>(
  engine: Engine,
  table: T,
): (row: T['$inferInsert']) => void | Promise<void> {
  const columns = Object.entries<Column>(getTableColumns(table))
  let run: ReturnType<Engine['prepare']> | undefined
  return (row) => {
    run ??= engine.prepare(insertText(engine.db, table, columns))
    return run(columns.map(([name, column]) => driverValue(column, row[name as keyof typeof row])))
  }
}

function insertText<T extends SQLiteTable>(db: Drizzle, table: T, columns: [string, Column][]): string {
  const row = Object.fromEntries(columns.map(([name]) => [name, sql.placeholder(name)]))
  return db
    .insert(table)
    .values(row as T['$inferInsert'])
    .toSQL().sql
}

function driverValue(column: Column, value: unknown): string | number | null {
  return value === null || value === undefined ? null : (column.mapToDriverValue(value) as string | number)
}
