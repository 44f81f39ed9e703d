import type { Database } from 'bun:sqlite'
import { Refusal, toRun } from '../../domain/refusal.ts'
import { plural } from '../../domain/text/plural.ts'
import { APPLICATION_ID } from '../../files/leftovers.ts'
import { deriving, type Query } from '../upkeep/derivation.ts'
import { migrationFiles } from '../upkeep/migration.ts' with { type: 'macro' }
import { newerSchema, olderSchema } from '../upkeep/migration.ts'
import { wayBack } from './backup/upgrade-backups.ts'

// Frozen by a call, as the statements of serve.ts.
const MIGRATIONS = Object.freeze(migrationFiles('sqlite'))

/** The schema of this program, stored in the file as `user_version`. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Migrates the database to this program's schema in one transaction, and returns the number of steps. Refuses, without
 * changes, a file of another program or of a newer version. If there is a schema, `keep` is called with it under the
 * lock, before any change; if it throws, so does this.
 */
export function migrate(client: Database, keep: (schema: number) => void = () => {}): number {
  checkOwnership(client)
  if (schemaVersion(client) === SCHEMA_VERSION) return 0

  // A table rebuild would fire cascades. Inside a transaction this pragma does nothing.
  client.run('PRAGMA foreign_keys = OFF')
  try {
    client.run('BEGIN IMMEDIATE')
    // Again under the lock: another process may have migrated during the wait.
    checkOwnership(client)
    const from = schemaVersion(client)
    const [fault] = foreignKeyFaults(client)
    if (fault !== undefined)
      throw new Refusal(`${client.filename} is damaged and cannot be migrated: ${fault}.`, {
        hint: toRun('To see more', 'doctor', [], { db: client.filename }),
      })
    if (from > 0 && from < SCHEMA_VERSION) keep(from)
    for (const sql of MIGRATIONS.slice(from)) client.run(sql)
    deriveMissing(client)
    const [left] = foreignKeyFaults(client)
    if (left !== undefined) throw new Refusal(`A foreign trigger of ${client.filename} leaves ${left}.`)
    client.run(`PRAGMA application_id = ${APPLICATION_ID}`)
    client.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    client.run('COMMIT')
    return SCHEMA_VERSION - from
  } catch (error) {
    if (client.inTransaction) client.run('ROLLBACK')
    throw error
  } finally {
    client.run('PRAGMA foreign_keys = ON')
  }
}

/** Writes missing columns derived from labels and changes. */
export function deriveMissing(client: Database): void {
  const steps = deriving()
  for (let step = steps.next(); !step.done; ) step = steps.next(asking(client)(step.value))
}

export const asking =
  (client: Database) =>
  ({ sql, values }: Query): unknown[][] =>
    client.prepare<unknown, (string | null)[]>(sql).values(...values)

/** Refuses a file of another program or of a newer version. `name` is for the refusal. */
export function checkOwnership(client: Database, name = client.filename): void {
  // In one snapshot: a file that another process is creating looks foreign.
  const { owner, version, empty } = client.transaction(() => ({
    owner: applicationId(client),
    version: schemaVersion(client),
    empty: isEmpty(client),
  }))()
  if (owner !== APPLICATION_ID && !(owner === 0 && version === 0 && empty))
    throw new Refusal(`${name} is a SQLite database, but not a changelogd database.`)
  if (version <= SCHEMA_VERSION) return
  // A backup being restored has none of its own.
  const hint = name === client.filename ? wayBack(name, SCHEMA_VERSION) : 'Run the newer program.'
  throw newerSchema(name, version, SCHEMA_VERSION, hint)
}

/** Refuses a database that must be migrated before this program can read it. */
export function checkCurrent(client: Database): void {
  const [name, version] = [client.filename, schemaVersion(client)]
  if (version < SCHEMA_VERSION) throw olderSchema(name, version, SCHEMA_VERSION, name)
}

/** Rows that refer to a missing row, counted by both tables. */
export function foreignKeyFaults(client: Database): string[] {
  const rows = client.query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check').all()
  const groups = Map.groupBy(rows, ({ table, parent }) => `of ${table} without ${parent}`)
  return [...groups].map(([what, { length }]) => `${plural(length, 'row')} ${what}`)
}

export const isEmpty = (client: Database): boolean =>
  client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() === null
export const hasTable = (client: Database, name: string): boolean =>
  client.query('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== null
export const applicationId = (client: Database): number => pragma(client, 'application_id')
export const schemaVersion = (client: Database): number => pragma(client, 'user_version')

function pragma(client: Database, name: string): number {
  return client.query<Record<string, number>, []>(`PRAGMA ${name}`).get()?.[name] ?? 0
}
