import type { Database, SQLQueryBindings } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ReadableStore } from '../port.ts'
import type { Records } from '../records/port.ts'
import { prepareRecords } from '../records/records.ts'
import { engineError, isBusy } from './errors.ts'
import { checkOwnership } from './migrations.ts'
import { openCurrent, TIMEOUT_MS } from './open.ts'

/**
 * Opens the store for a command that only reads: never creates or migrates a database, and cannot write. Throws
 * a `Refusal` if there is none, or it is not of this program's schema.
 */
export function openForReading(path: string): ReadableStore {
  const client = openCurrent(path)
  client.run('PRAGMA query_only = ON')
  const records = recordsOn(client)
  return {
    snapshot: (work) => inTransaction(client, { begin: 'BEGIN', end: 'COMMIT' }, () => work(records)),
    close: () => client.close(),
  }
}

export const recordsOn = (client: Database): Records =>
  prepareRecords({
    db: drizzle({ client }),
    prepare: (text) => {
      const statement = client.prepare<unknown, SQLQueryBindings[]>(text)
      return (values) => {
        statement.run(...values)
      }
    },
  })

/** Runs `work` in a transaction. Spelled out, because Drizzle's own commits before an asynchronous `work` is done. */
export async function inTransaction<T>(
  client: Database,
  { begin, end }: { begin: 'BEGIN' | 'BEGIN IMMEDIATE'; end: 'COMMIT' | 'ROLLBACK' },
  work: () => Promise<T>,
): Promise<T> {
  if (client.inTransaction) throw new Error('a command runs one transaction at a time')
  try {
    if (begin === 'BEGIN') client.run(begin)
    else beginWriting(client)
    // A newer program may have migrated it since it was opened, or while this one waited for the lock.
    checkOwnership(client)
    const result = await work()
    client.run(end)
    return result
  } catch (error) {
    // Some failures, such as a full disk, have already ended the transaction.
    if (client.inTransaction) client.run('ROLLBACK')
    throw engineError(error)
  }
}

/** How long one attempt to begin writing waits, and how often it is made: ten seconds in all. */
const ATTEMPT_MS = 100
const ATTEMPTS = 100

/**
 * Begins a transaction that writes. SQLite looks for the lock less and less often, so that of many writers those
 * that came first would wait longest: in short attempts, all look equally often.
 */
function beginWriting(client: Database): void {
  client.run(`PRAGMA busy_timeout = ${ATTEMPT_MS}`)
  try {
    for (let attempt = 1; ; attempt++)
      try {
        client.run('BEGIN IMMEDIATE')
        return
      } catch (error) {
        if (!isBusy(error) || attempt === ATTEMPTS) throw error
      }
  } finally {
    client.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
  }
}
