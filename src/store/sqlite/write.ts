import type { Instant } from '../../domain/records.ts'
import { upToDate } from '../migration.ts'
import type { WritableStore } from '../store.ts'
import { createWaiting, type Waiting } from '../wait.ts'
import { SCHEMA_VERSION } from './migrations.ts'
import {
  closeWriter,
  databaseExists,
  type Migrated,
  missingDatabase,
  openAndMigrate,
  openCurrent,
  openOrCreate,
} from './open.ts'
import { inTransaction, READ, recordsOn } from './read.ts'

/** Opens the store of a database that exists for a command that writes, and migrates it first if need be. */
export function openExisting(path: string, waiting = createWaiting(), clock = Date.now): WritableStore {
  if (!databaseExists(path)) throw missingDatabase(path)
  return writableStore(openAndMigrate(path, waiting, clock), waiting, clock)
}

/** The same, but creates the database if there is none. */
export const openForWriting = (path: string, waiting = createWaiting(), clock = Date.now): WritableStore =>
  writableStore(openOrCreate(path, waiting, clock), waiting, clock)

/**
 * Opens the store for a dry run: never creates or migrates a file. Where there is no database, the dry run is of
 * a new one, which is in memory only. Throws a `Refusal` for a database that is not of this program's schema.
 */
export const openForDryRun = (path: string, waiting = createWaiting(), clock = Date.now): WritableStore =>
  writableStore(
    databaseExists(path)
      ? { client: openCurrent(path, waiting), migration: upToDate(SCHEMA_VERSION) }
      : openAndMigrate(':memory:', waiting, clock),
    waiting,
    clock,
  )

function writableStore(
  { client, migration }: Migrated,
  waiting: Waiting,
  clock: () => Instant,
): WritableStore {
  // SQLite notes what a trigger changes, to undo its statement: in a file, that would make an import half as slow again.
  client.run('PRAGMA temp_store = MEMORY')
  let hasWritten = migration.steps > 0
  return {
    migration,
    transaction: (work, { commit } = { commit: true }) => {
      hasWritten ||= commit
      const kind = { begin: 'BEGIN IMMEDIATE', end: commit ? 'COMMIT' : 'ROLLBACK' } as const
      return inTransaction(client, waiting, kind, () => work(recordsOn(client, clock())))
    },
    snapshot: async (work) => {
      client.run('PRAGMA query_only = ON')
      try {
        return await inTransaction(client, waiting, READ, () => work(recordsOn(client, clock())))
      } finally {
        client.run('PRAGMA query_only = OFF')
      }
    },
    close: () => (hasWritten ? closeWriter(client) : client.close()),
  }
}
