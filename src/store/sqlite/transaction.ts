import type { Database } from 'bun:sqlite'
import type { Waiting } from '../engines/wait.ts'
import { engineError } from './errors.ts'
import { checkOwnership } from './migrations.ts'

type Begin = 'BEGIN' | 'BEGIN IMMEDIATE'

/** Drizzle's own transaction commits before an asynchronous `work` is done. */
export async function inTransaction<T>(
  client: Database,
  waiting: Waiting,
  begin: Begin,
  end: 'COMMIT' | 'ROLLBACK',
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

/** Begins a transaction or leaves none, so that it can be tried again. */
export function beginChecked(client: Database, begin: Begin): void {
  client.run(begin)
  try {
    // A newer program may have migrated it since it was opened, or during the wait.
    checkOwnership(client)
  } catch (error) {
    if (client.inTransaction) client.run('ROLLBACK')
    throw error
  }
}
