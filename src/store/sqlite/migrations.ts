import type { Database } from 'bun:sqlite'
import start from '../../../drizzle/sqlite/0000_start.sql' with { type: 'text' }
import keepChangeCount from '../../../drizzle/sqlite/0001_keep-change-count.sql' with { type: 'text' }
import { Refusal } from '../../domain/refusal.ts'

/** Every migration in order, as text, so that the one executable holds them. */
const MIGRATIONS: readonly string[] = [start, keepChangeCount]

/** The schema this program reads and writes; kept in the file as `user_version`. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** Marks a SQLite file as ours (`application_id`): the letters "clgd". */
export const APPLICATION_ID = 0x636c6764

/**
 * Brings the database to this program's schema, in one transaction, and says how many steps that took.
 * Refuses, without changing anything, a file that is not ours and one that a newer program has migrated.
 */
export function migrate(client: Database): number {
  checkOwnership(client)
  if (schemaVersion(client) === SCHEMA_VERSION) return 0

  // A table rebuild would fire cascades; and inside a transaction this pragma does nothing, so: before it.
  client.run('PRAGMA foreign_keys = OFF')
  try {
    client.run('BEGIN IMMEDIATE')
    // Asked again under the lock: another process may have migrated while this one waited for it.
    checkOwnership(client)
    const from = schemaVersion(client)
    const broken = brokenReferences(client)
    if (broken > 0) throw damaged(client.filename, broken)
    for (const sql of MIGRATIONS.slice(from)) client.run(sql)
    if (brokenReferences(client) > 0)
      throw new Error('the migration left records without what they belong to')
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

/** How many records lack what they belong to. */
const brokenReferences = (client: Database): number => client.query('PRAGMA foreign_key_check').all().length

const damaged = (name: string, broken: number): Refusal =>
  new Refusal(
    `${name} is damaged, so it cannot be migrated: ${broken} of its records ${broken === 1 ? 'lacks what it belongs' : 'lack what they belong'} to. To see more: changelogd doctor`,
  )

/**
 * Refuses a file that this program must not touch: another program's, or one from a newer changelogd. `name`
 * is what the refusal calls it.
 */
export function checkOwnership(client: Database, name = client.filename): void {
  // Of one moment: another process may be making the same file, and half of what it does looks like a stranger's.
  const { owner, version, empty } = client.transaction(() => ({
    owner: applicationId(client),
    version: schemaVersion(client),
    empty: client.query('SELECT 1 FROM sqlite_schema LIMIT 1').get() === null,
  }))()
  if (owner !== APPLICATION_ID && !(owner === 0 && version === 0 && empty))
    throw new Refusal(`${name} is a SQLite database, but not one of changelogd's.`)
  if (version > SCHEMA_VERSION)
    throw new Refusal(
      `${name} has schema ${version}, made by a newer changelogd; this one knows schema ${SCHEMA_VERSION}. Run the newer program.`,
    )
}

export const applicationId = (client: Database): number => pragma(client, 'application_id')
export const schemaVersion = (client: Database): number => pragma(client, 'user_version')

function pragma(client: Database, name: string): number {
  return client.query<Record<string, number>, []>(`PRAGMA ${name}`).get()?.[name] ?? 0
}
