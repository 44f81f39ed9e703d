import { Database, SQLiteError } from 'bun:sqlite'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal, Unavailable } from '../../domain/refusal.ts'
import { checkNotRemoved, fileAt } from './files.ts'
import { checkOwnership, migrate } from './migrations.ts'

/** The engine: how a file is opened, and what its failures mean. */

/** How long a command waits for another one's transaction. */
export const WRITER_PATIENCE_MS = 10_000

/** A connection that may write, to a file that is there and has this program's schema. */
export function openMigrated(path: string): { client: Database; steps: number } {
  createFile(path)
  const client = connect(path, WRITER_PATIENCE_MS)
  try {
    return { client, steps: answering(() => migrate(client)) }
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
    if (!(error instanceof SQLiteError)) throw error
    throw new Unavailable(`Cannot open the database ${path}: ${error.message}.`, { cause: error })
  }
}

/** Only the owner may read what is private: a new directory is 0700, a new file 0600 (SQLite's own follow it). */
function createFile(path: string): void {
  const found = fileAt(path)
  if (found && !found.isFile())
    throw new Refusal(`${path} is not a file, so it cannot be the database: name another with --db.`)
  if (found) return
  checkNotRemoved(path)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Unavailable(`Cannot create the database ${path}: ${reason}.`, { cause: error })
  }
}

/** What `work` gives; an engine failure in it becomes a refusal. */
export function answering<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refusalFor(error)
  }
}

/** What an engine failure means to whoever asked; anything else is given back as it is. */
export function refusalFor(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  if (error.code?.startsWith('SQLITE_CONSTRAINT'))
    return new Refusal(`That would break a rule of the database: ${error.message}.`, {
      cause: error,
    })
  const message = error.code?.startsWith('SQLITE_BUSY')
    ? 'Another command has been writing to the database for too long: try again when it is done.'
    : `The database does not answer: ${error.message}.`
  return new Unavailable(message, { cause: error })
}
