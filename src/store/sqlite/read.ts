import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { Instant } from '../../domain/records.ts'
import { prepareRecords } from '../records/records.ts'
import type { Records } from '../records/types.ts'
import type { ReadableStore } from '../store.ts'
import type { Drizzle } from '../tables/schema.ts'
import { SQLITE_TABLES } from '../tables/sqlite.ts'
import { createWaiting, type Waiting } from '../wait.ts'
import { engineError } from './errors.ts'
import { checkOwnership } from './migrations.ts'
import { openCurrent } from './open.ts'

/**
 * Opens the store for a command that only reads: never creates or migrates a database, and cannot write. Throws
 * a `Refusal` if there is none, or it is not of this program's schema.
 */
export function openForReading(
  path: string,
  waiting = createWaiting(),
  clock: () => Instant = Date.now,
): ReadableStore {
  const client = openCurrent(path, waiting)
  client.run('PRAGMA query_only = ON')
  return {
    snapshot: (work) => inTransaction(client, waiting, READ, () => work(recordsOn(client, clock()))),
    close: () => client.close(),
  }
}

export const recordsOn = (client: Database, now: Instant): Records =>
  prepareRecords({
    // Synchronous, but awaited like an asynchronous one.
    db: drizzle({ client }) as unknown as Drizzle,
    tables: SQLITE_TABLES,
    now,
    identity: async () => null,
    prepare: (text) => {
      const statement = client.prepare<unknown, SQLQueryBindings[]>(text)
      return (values) => {
        statement.run(...values)
      }
    },
  })

/** How a transaction begins and how it ends. */
export interface TransactionMode {
  begin: 'BEGIN' | 'BEGIN IMMEDIATE'
  end: 'COMMIT' | 'ROLLBACK'
}

export const READ: TransactionMode = { begin: 'BEGIN', end: 'COMMIT' }

/** Runs `work` in a transaction. Spelled out, because Drizzle's own commits before an asynchronous `work` is done. */
export async function inTransaction<T>(
  client: Database,
  waiting: Waiting,
  { begin, end }: TransactionMode,
  work: () => Promise<T>,
): Promise<T> {
  if (client.inTransaction) throw new Error('a command runs one transaction at a time')
  try {
    await waiting.untilFree(() => beginChecked(client, begin))
    const result = await work()
    client.run(end)
    return result
  } catch (error) {
    // Some failures, such as a full disk, have already ended the transaction.
    if (client.inTransaction) client.run('ROLLBACK')
    throw engineError(error, client.filename)
  }
}

/** Begins a transaction, or leaves none: it may be tried again. */
export function beginChecked(client: Database, begin: TransactionMode['begin']): void {
  client.run(begin)
  try {
    // A newer program may have migrated it since it was opened, or while this one waited for the lock.
    checkOwnership(client)
  } catch (error) {
    if (client.inTransaction) client.run('ROLLBACK')
    throw error
  }
}
