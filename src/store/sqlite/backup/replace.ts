import type { Database } from 'bun:sqlite'
import { rmSync } from 'node:fs'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import type { Instant } from '../../../domain/records.ts'
import { timeInName } from '../../../files/leftovers.ts'
import type { Waiting } from '../../engines/wait.ts'
import { SQLITE_TABLES } from '../../tables/sqlite.ts'
import type { Migration } from '../../upkeep/migration.ts'
import { engineError } from '../errors.ts'
import { foreignKeyFaults } from '../migrations.ts'
import { closeWriter, copyBeside, openAndMigrate } from '../open.ts'
import { beginChecked } from '../transaction.ts'
import { type Backup, hasContent } from './copy.ts'

const TABLES = Object.values(SQLITE_TABLES).map((table) => getTableConfig(table).name)

export interface Replaced {
  readonly kept: Backup
  readonly migration: Migration
}

/**
 * Replaces the content of the database by that of the file `source`, which has the same schema, in one transaction:
 * readers and a crash see either the old or the new. The old content is first copied to a file next to the database,
 * under the same lock, so that no other command's work is lost. The database keeps its id, unless it was empty: then it
 * goes on as the one that the copy is of.
 */
export async function replaceContent(
  database: string,
  source: string,
  now: Instant,
  waiting: Waiting,
): Promise<Replaced> {
  const { client, migration } = await waiting.untilFree(() => openAndMigrate(database, waiting, () => now))
  try {
    // Off, or deleting a team would look for its products one by one. Checked as a whole at the end.
    client.run('PRAGMA foreign_keys = OFF')
    client.query('ATTACH ? AS backup').run(source)
    await waiting.untilFree(() => beginChecked(client, 'BEGIN IMMEDIATE'))
    const copy = `${database}.before-restore-${timeInName(now)}`
    const kept = await waiting.untilFree(() => copyBeside(database, copy, waiting))
    try {
      withoutTriggers(client, () => {
        if (!hasContent(client)) replaceRows(client, 'database_id')
        for (const table of TABLES) replaceRows(client, table)
      })
      const [fault] = foreignKeyFaults(client)
      if (fault !== undefined) throw new Error(`restoring left ${fault}`)
      client.run('COMMIT')
    } catch (error) {
      if (client.inTransaction) client.run('ROLLBACK')
      rmSync(kept.file)
      throw error
    }
    return { kept, migration }
  } catch (error) {
    throw engineError(error, database)
  } finally {
    closeWriter(client)
  }
}

/** Triggers have already been at work on these rows. */
function withoutTriggers(client: Database, work: () => void): void {
  const triggers = client
    .query<{ name: string; sql: string }, []>(
      `SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'`,
    )
    .all()
  for (const { name } of triggers) client.run(`DROP TRIGGER main."${name}"`)
  work()
  for (const { sql } of triggers) client.run(sql)
}

/** Both databases have the schema of this program, so the same order of columns. */
function replaceRows(client: Database, table: string): void {
  client.run(`DELETE FROM main."${table}"`)
  client.run(`INSERT INTO main."${table}" SELECT * FROM backup."${table}"`)
}
