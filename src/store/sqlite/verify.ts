import type { Database } from 'bun:sqlite'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { SQLITE_TABLES } from '../tables/sqlite.ts'
import { contentFaults, type Fault, faults } from './faults.ts'
import { SCHEMA_VERSION, schemaVersion } from './migrations.ts'

export const TABLES: readonly { name: string; columns: readonly string[] }[] = Object.values(
  SQLITE_TABLES,
).map((each) => {
  const { name, columns } = getTableConfig(each)
  return { name, columns: columns.map((column) => column.name) }
})

/** Changes nothing. Tables, columns and triggers are checked only in an undamaged file of this program's schema. */
export function verify(client: Database): Fault[] {
  const found = contentFaults(client)
  if (found.some(({ check }) => check === 'integrity')) return found
  const isCurrent = schemaVersion(client) === SCHEMA_VERSION
  return [...found, ...faults('schema', isCurrent ? schemaFaults(client) : [])]
}

/** What Drizzle's schema cannot name: triggers of `changeCount` and the public list, a named index, and what tells databases apart. */
const NAMED = {
  trigger: [
    ...['change_added', 'change_removed', 'change_moved', 'team_listed', 'product_listed'],
    ...['changelog_added', 'changelog_listed', 'changelog_removed'],
  ],
  index: ['version_public'],
  table: ['database_id'],
}

function schemaFaults(client: Database): string[] {
  const columnsOf = client.query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
  const found = client.query('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?')
  const columnFaults = TABLES.flatMap(({ name, columns }) => {
    const present = new Set(columnsOf.all(name).map((column) => column.name))
    if (present.size === 0) return [`no table ${name}`]
    return columns.filter((column) => !present.has(column)).map((column) => `no column ${name}.${column}`)
  })
  const missing = Object.entries(NAMED).flatMap(([type, names]) =>
    names.filter((name) => found.get(type, name) === null).map((name) => `no ${type} ${name}`),
  )
  return [...columnFaults, ...missing]
}
