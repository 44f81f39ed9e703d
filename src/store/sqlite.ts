import { Database, SQLiteError } from 'bun:sqlite'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { Refusal } from '../domain/refusal.ts'
import { checkOwnership, migrate } from './migrations.ts'
import type { Store } from './port.ts'
import { prepareReads } from './reads.ts'

/** The only file that knows the engine: how it is opened, what a snapshot, a transaction and a revision are. */

/** How long a command waits for another one's transaction, and how long a read may wait for a recovery. */
const WRITER_PATIENCE_MS = 10_000
const READER_PATIENCE_MS = 1_000

/**
 * Opens the store for serving: creates and migrates the file first if need be, then holds one connection that
 * cannot write. Throws a `Refusal` if the file cannot be opened, is not ours, or is from a newer program.
 */
export function openForServing(path: string): Store {
  openForWriting(path).close()
  const client = connect(path, READER_PATIENCE_MS)
  client.run('PRAGMA query_only = ON')
  const reads = prepareReads(drizzle({ client }))
  const stamp = client.query<{ data_version: number }, []>('PRAGMA data_version')
  /** All that `work` reads is read from one state of the data, and an engine failure becomes a refusal. */
  const snapshot = <T>(work: () => T): T => answering(client.transaction(work))

  return {
    revision: () => answering(() => stamp.get()?.data_version ?? 0),
    ping: async () => snapshot(() => reads.ping()),
    findGrant: async (hash, now) => snapshot(() => reads.grant(hash, now)),
    readChangelog: async (audience, team, product, page) =>
      snapshot(() => reads.changelog(audience, team, product, page)),
    readVersion: async (audience, team, product, id) =>
      snapshot(() => reads.version(audience, team, product, id)),
    close: () => client.close(),
  }
}

/** A connection that may write, to a file that is there and has this program's schema. */
export function openForWriting(path: string): Database {
  createFile(path)
  const client = connect(path, WRITER_PATIENCE_MS)
  try {
    answering(() => migrate(client))
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

function connect(path: string, patience: number): Database {
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
    throw new Refusal('unavailable', `Cannot open the database ${path}: ${error.message}.`, { cause: error })
  }
}

/** Only the owner may read what is private: a new directory is 0700, a new file 0600 (SQLite's own follow it). */
function createFile(path: string): void {
  if (existsSync(path)) return
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Refusal('unavailable', `Cannot create the database ${path}: ${reason}.`, { cause: error })
  }
}

function answering<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    throw new Refusal('unavailable', 'The database does not answer.', { cause: error })
  }
}
