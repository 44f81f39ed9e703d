import { Database } from 'bun:sqlite'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../../domain/refusal.ts'
import { engineError, fileError, translateErrors } from './errors.ts'
import { checkNotRemoved, fileAt } from './files.ts'
import { checkOwnership, migrate } from './migrations.ts'

/** How long a command waits for another one's transaction. */
export const WRITER_PATIENCE_MS = 10_000

/** A connection that may write, to a file that is there and has this program's schema. */
export function openMigrated(path: string): { client: Database; steps: number } {
  createFile(path)
  const client = connect(path, WRITER_PATIENCE_MS)
  try {
    return { client, steps: translateErrors(() => migrate(client)) }
  } catch (error) {
    client.close()
    throw error
  }
}

/**
 * A connection to a file that is there, as it is. Throws a `Refusal` if it cannot be opened, is not ours, or is
 * from a newer program.
 */
export function connect(path: string, patience: number): Database {
  let client: Database | undefined
  try {
    client = new Database(path, { readwrite: true, create: false, strict: true })
    // The order matters: switching to WAL may itself have to wait for a lock.
    client.run(`PRAGMA busy_timeout = ${patience}`)
    checkOwnership(client)
    client.run('PRAGMA journal_mode = WAL')
    client.run('PRAGMA synchronous = FULL')
    client.run('PRAGMA foreign_keys = ON')
    return client
  } catch (error) {
    client?.close()
    throw engineError(error, `Cannot open the database ${path}`)
  }
}

/** Only the owner may read what is private: a new directory is 0700, a new file 0600 (SQLite's own follow it). */
function createFile(path: string): void {
  const found = fileAt(path)
  if (found && !found.isFile())
    throw new Refusal(`${path} is not a file, so it cannot be the database.`, {
      hint: 'Set --db or DATABASE_URL to another one.',
    })
  if (found) return
  checkNotRemoved(path)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    throw fileError(error, `Cannot create the database ${path}`)
  }
}
