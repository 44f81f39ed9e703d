import { type Database, SQLiteError } from 'bun:sqlite'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../schema.ts'

/** What a database file is like inside: whether it is whole, and how much is in it. */

/** How many records of each kind there are. */
export interface Contents {
  teams: number
  products: number
  versions: number
  keys: number
}

/** Every table of the schema with its columns, by the names they have in SQL. */
export const TABLES: readonly { name: string; columns: readonly string[] }[] = Object.values<unknown>(schema)
  .filter((each) => is(each, SQLiteTable))
  .map((each) => {
    const { name, columns } = getTableConfig(each)
    return { name, columns: columns.map((column) => column.name) }
  })

/** At most so many faults are looked for: one is enough to know. */
const MOST_FAULTS = 10

/** What is physically wrong with the file or breaks the rules of its tables; nothing if it is whole. */
export function integrityFaults(client: Database): string[] {
  try {
    return client
      .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MOST_FAULTS})`)
      .all()
      .map((row) => row.integrity_check)
      .filter((fault) => fault !== 'ok')
  } catch (error) {
    if (error instanceof SQLiteError) return [error.message]
    throw error
  }
}

/** The rows that refer to something that is not there, counted by table and by what they miss. */
export function foreignKeyFaults(client: Database): string[] {
  const rows = client.query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check').all()
  const groups = Map.groupBy(rows, (row) => `of ${row.table} without their ${row.parent}`)
  return [...groups].map(([what, each]) => `${each.length} rows ${what}`)
}

/** What keeps the versions' `changeCount`; Drizzle has no word for it. */
const TRIGGERS = ['change_added', 'change_removed', 'change_moved']

/** The tables, columns and triggers that this program's schema has and the database has not. */
export function schemaFaults(client: Database): string[] {
  const columnsOf = client.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
  const triggerOf = client.query("SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
  const columnFaults = TABLES.flatMap(({ name, columns }) => {
    const present = new Set(columnsOf.all(name).map((column) => column.name))
    if (present.size === 0) return [`no table ${name}`]
    return columns.filter((column) => !present.has(column)).map((column) => `no column ${name}.${column}`)
  })
  const missing = TRIGGERS.filter((name) => triggerOf.get(name) === null)
  return [...columnFaults, ...missing.map((name) => `no trigger ${name}`)]
}

export function contentsOf(client: Database): Contents {
  const count = (table: SQLiteTable) => countOf(client, getTableConfig(table).name)
  return {
    teams: count(schema.teams),
    products: count(schema.products),
    versions: count(schema.versions),
    keys: count(schema.keys),
  }
}

/** How many rows a table has; none if it is not there, as in a database that was only just made. */
function countOf(client: Database, table: string): number {
  const there = client.query('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)
  if (!there) return 0
  return client.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()?.count ?? 0
}
