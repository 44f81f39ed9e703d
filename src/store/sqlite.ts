import { Database, SQLiteError, type SQLQueryBindings } from 'bun:sqlite'
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { Refusal } from '../domain/refusal.ts'
import { checkOwnership, migrate, SCHEMA_VERSION } from './migrations.ts'
import type { Records, Store, WritableStore } from './port.ts'
import { prepareReads } from './reads.ts'
import { prepareRecords } from './records.ts'

/** The only file that knows the engine: how it is opened, what a snapshot, a transaction and a revision are. */

/** How long a command waits for another one's transaction, and how long a read may wait for a recovery. */
export const WRITER_PATIENCE_MS = 10_000
const READER_PATIENCE_MS = 1_000

/**
 * Opens the store for serving: creates and migrates the file first if need be; from then on its one connection
 * cannot write. Throws a `Refusal` if the file cannot be opened, is not ours, or is from a newer program.
 */
export function openForServing(path: string): Store {
  const { client } = openMigrated(path)
  client.run(`PRAGMA busy_timeout = ${READER_PATIENCE_MS}`)
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

/**
 * Opens the store for a command: creates and migrates the file first if need be. Throws a `Refusal` if the
 * file cannot be opened, is not ours, or is from a newer program.
 */
export function openForWriting(path: string): WritableStore {
  const { client, steps } = openMigrated(path)
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
  const within = async <T>(begin: string, work: (records: Records) => Promise<T>): Promise<T> => {
    if (client.inTransaction) throw new Error('a command runs one transaction at a time')
    try {
      client.run(begin)
      const result = await work(records)
      client.run('COMMIT')
      return result
    } catch (error) {
      // Some failures, a full disk for one, have ended the transaction by themselves.
      if (client.inTransaction) client.run('ROLLBACK')
      throw refusalFor(error)
    }
  }

  return {
    migration: { steps, schema: SCHEMA_VERSION },
    transaction: (work) => within('BEGIN IMMEDIATE', work),
    snapshot: async (work) => {
      client.run('PRAGMA query_only = ON')
      try {
        return await within('BEGIN', work)
      } finally {
        client.run('PRAGMA query_only = OFF')
      }
    },
    close: () => client.close(),
  }
}

/** A connection that may write, to a file that is there and has this program's schema. */
function openMigrated(path: string): { client: Database; steps: number } {
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

/** What `work` gives; an engine failure in it becomes a refusal. */
export function answering<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refusalFor(error)
  }
}

/** What an engine failure means to whoever asked; anything else is given back as it is. */
function refusalFor(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  const busy = error.code?.startsWith('SQLITE_BUSY')
  const message = busy
    ? `Another command has been writing to the database for ${WRITER_PATIENCE_MS / 1000} seconds: try again when it is done.`
    : `The database does not answer: ${error.message}.`
  return new Refusal('unavailable', message, { cause: error })
}
