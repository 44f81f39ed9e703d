import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Instant } from '../../domain/records.ts'
import { resolvedPath } from '../../files/lookup.ts'
import { createWaiting, type Waiting } from '../engines/wait.ts'
import { createRowBuffer, inGroups } from '../records/engine.ts'
import { prepareRecords, type Records } from '../records/records.ts'
import type { OpenMode, WritableStore } from '../store.ts'
import { type Drizzle, typedAs } from '../tables/schema.ts'
import { SQLITE_TABLES } from '../tables/sqlite.ts'
import { upToDate } from '../upkeep/migration.ts'
import { repair } from '../upkeep/repair.ts'
import { databaseIdOf } from './backup/copy.ts'
import { asking, deriveMissing, SCHEMA_VERSION } from './migrations.ts'
import {
  closeWriter,
  createIfMissing,
  databaseExists,
  missingDatabase,
  openAndMigrate,
  openCurrent,
} from './open.ts'
import { inTransaction } from './transaction.ts'
import { CONTENT_RULES, schemaFaults } from './verify.ts'

export async function open(
  path: string,
  mode: OpenMode,
  waiting: Waiting,
  clock: () => Instant,
): Promise<WritableStore> {
  const file = mode === 'create behind links' ? resolvedPath(path) : path
  return waiting.untilFree(() => openNow(file, mode, waiting, clock))
}

/** Throws an `isBusy` error if another process holds a lock. */
export function openNow(
  path: string,
  mode: OpenMode,
  waiting = createWaiting(),
  clock = Date.now,
): WritableStore {
  const { client, migration } = openAs(mode, path, waiting, clock)
  // SQLite notes changes of a trigger, to undo its statement: in a file, that would make an import half as slow again.
  client.run('PRAGMA temp_store = MEMORY')
  // In KiB. To find a version, SQLite reads the whole texts of several others. They are as long as this together.
  client.run('PRAGMA cache_size = -16384')
  let hasWritten = migration.steps > 0
  const close = () => (hasWritten ? closeWriter(client) : client.close())
  const write = <T>(end: 'COMMIT' | 'ROLLBACK', work: () => Promise<T>): Promise<T> => {
    hasWritten ||= end === 'COMMIT'
    return inTransaction(client, waiting, 'BEGIN IMMEDIATE', end, async () => {
      const result = await work()
      deriveMissing(client)
      return result
    })
  }
  return {
    migration,
    transaction: (work, { commit } = { commit: true }) =>
      inGroups((groupLength) =>
        write(commit ? 'COMMIT' : 'ROLLBACK', () => work(recordsOn(client, clock(), groupLength))),
      ),
    repair: () => write('COMMIT', () => repair(schemaFaults(client), CONTENT_RULES, asking(client))),
    snapshot: async (work) => {
      client.run('PRAGMA query_only = ON')
      try {
        return await inTransaction(client, waiting, 'BEGIN', 'COMMIT', () => work(recordsOn(client, clock())))
      } finally {
        client.run('PRAGMA query_only = OFF')
      }
    },
    close,
    [Symbol.dispose]: close,
  }
}

function openAs(mode: OpenMode, path: string, waiting: Waiting, clock: () => Instant) {
  if (mode === 'read' || (mode === 'dry run' && databaseExists(path)))
    return { client: openCurrent(path, waiting), migration: upToDate(SCHEMA_VERSION) }
  // Without a database, the dry run has a new one in memory.
  if (mode === 'dry run') return openAndMigrate(':memory:', waiting, clock)
  if (mode !== 'write') createIfMissing(path)
  else if (!databaseExists(path)) throw missingDatabase(path)
  return openAndMigrate(path, waiting, clock)
}

const recordsOn = (client: Database, now: Instant, groupLength = 0): Records =>
  prepareRecords({
    // Synchronous, but awaited like an asynchronous one.
    db: typedAs<Drizzle>(drizzle({ client })),
    tables: SQLITE_TABLES,
    now,
    identity: async () => databaseIdOf(client),
    // To count a change in its version, SQLite writes the texts of the version again. So a version comes last, with the count.
    rows: createRowBuffer(
      groupLength,
      (table, columns, rows) => {
        client.run('PRAGMA defer_foreign_keys = ON')
        const names = columns.map((column) => `"${column}"`)
        const text = `insert into "${table}" (${names}) values (${columns.map(() => '?')})`
        const statement = client.prepare<unknown, SQLQueryBindings[]>(text)
        for (const row of rows) statement.run(...row)
      },
      SQLITE_TABLES.changes,
    ),
  })
