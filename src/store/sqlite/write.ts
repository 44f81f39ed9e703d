import type { SQLQueryBindings } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { WritableStore } from '../port.ts'
import type { Records } from '../records/port.ts'
import { prepareRecords } from '../records/records.ts'
import { engineError } from './errors.ts'
import { checkOwnership, SCHEMA_VERSION } from './migrations.ts'
import { openMigrated } from './open.ts'

/**
 * Opens the store for a command: creates and migrates the file first if need be. Throws a `Refusal` if the
 * file cannot be opened, is not ours, or is from a newer program.
 */
export function openForWriting(path: string): WritableStore {
  const { client, steps } = openMigrated(path)
  // What a trigger changes is noted so that its statement can be undone: in a file, an import would take half as long again.
  client.run('PRAGMA temp_store = MEMORY')
  const records = prepareRecords({
    db: drizzle({ client }),
    prepare: (text) => {
      const statement = client.prepare<unknown, SQLQueryBindings[]>(text)
      return (values) => {
        statement.run(...values)
      }
    },
  })
  /** Drizzle's own transaction commits before an asynchronous `work` is done, so these are spelled out. */
  const within = async <T>(
    begin: 'BEGIN' | 'BEGIN IMMEDIATE',
    end: 'COMMIT' | 'ROLLBACK',
    work: (records: Records) => Promise<T>,
  ): Promise<T> => {
    if (client.inTransaction) throw new Error('a command runs one transaction at a time')
    try {
      client.run(begin)
      // It may have been migrated by a newer program since it was opened, or while this one waited for the lock.
      checkOwnership(client)
      const result = await work(records)
      client.run(end)
      return result
    } catch (error) {
      // Some failures, a full disk for one, have ended the transaction by themselves.
      if (client.inTransaction) client.run('ROLLBACK')
      throw engineError(error)
    }
  }

  return {
    migration: { steps, schema: SCHEMA_VERSION },
    transaction: (work, { commit } = { commit: true }) =>
      within('BEGIN IMMEDIATE', commit ? 'COMMIT' : 'ROLLBACK', work),
    snapshot: async (work) => {
      client.run('PRAGMA query_only = ON')
      try {
        return await within('BEGIN', 'COMMIT', work)
      } finally {
        client.run('PRAGMA query_only = OFF')
      }
    },
    close: () => client.close(),
  }
}
