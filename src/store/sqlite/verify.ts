import type { Database } from 'bun:sqlite'
import { contentRules } from '../upkeep/content-rules.ts' with { type: 'macro' }
import type { Fault } from '../upkeep/repair.ts'
import { ClosingDatabase } from './database.ts'
import { isDamage } from './errors.ts'
import { foreignKeyFaults, migrate, SCHEMA_VERSION, schemaVersion } from './migrations.ts'

export interface FileFault extends Fault {
  check: 'integrity' | 'foreign keys' | 'schema'
}

// Frozen by a call, as the statements of serve.ts.
export const CONTENT_RULES = Object.freeze(contentRules('sqlite'))

/** A single fault is enough to refuse the file. */
const MAX_FAULTS = 10

/**
 * Damage; without it, faults of the schema, if it is this program's; without those, references to missing rows, which
 * cannot be looked for without their index. Changes nothing.
 */
export function verify(client: Database): FileFault[] {
  try {
    const damage = integrityFaults(client).map((message) => ({ check: 'integrity' as const, message }))
    if (damage.length > 0) return damage
    const schema = schemaVersion(client) === SCHEMA_VERSION ? schemaFaults(client) : []
    if (schema.length > 0) return schema.map((fault) => ({ check: 'schema', ...fault }))
    return foreignKeyFaults(client).map((message) => ({ check: 'foreign keys', message }))
  } catch (error) {
    if (isDamage(error)) return [{ check: 'integrity', message: error.message }]
    throw error
  }
}

const integrityFaults = (client: Database): string[] =>
  client
    .query<{ integrity_check: string }, []>(`PRAGMA integrity_check(${MAX_FAULTS})`)
    .all()
    .map((row) => row.integrity_check.replaceAll('\n', ' '))
    .filter((fault) => fault !== 'ok')

/** How the schema differs from that of a new database. */
export function schemaFaults(client: Database): Fault[] {
  using fresh = new ClosingDatabase(':memory:')
  migrate(fresh)
  const [expected, found] = [partsOf(fresh), partsOf(client)]
  const faults = [...expected].flatMap(([part, sql]): Fault[] => {
    const actual = found.get(part)
    if (actual !== undefined && normalized(actual) === normalized(sql)) return []
    const message = actual === undefined ? `no ${part}` : `the ${part} differs from the expected one`
    return [{ message, mend: part.startsWith('table ') ? undefined : [dropping(part), sql] }]
  })
  const foreign = [...found.keys()].filter((part) => !expected.has(part))
  const remedy = 'If nothing needs it, run this in SQLite: '
  return faults.concat(
    foreign.map((part) => ({ message: `the ${part} is not changelogd's`, remedy: remedy + dropping(part) })),
  )
}

/** Without the tables of SQLite and Litestream. */
const PARTS = `SELECT type || ' ' || name, sql FROM sqlite_schema
  WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB '_litestream_*'`

const partsOf = (client: Database) => new Map(client.query(PARTS).values() as [string, string][])

function dropping(part: string): string {
  const [type = '', ...name] = part.split(' ')
  return `DROP ${type.toUpperCase()} IF EXISTS "${name.join(' ').replaceAll('"', '""')}"`
}

/** SQLite itself writes some quotes anew when it alters a table. */
const normalized = (sql: string): string => sql.replace(/[\s"`]+/g, ' ')
