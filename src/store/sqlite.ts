import { Database, SQLiteError, type SQLQueryBindings } from 'bun:sqlite'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { Refusal } from '../domain/refusal.ts'
import { checkNotRemoved, fileAt } from './files.ts'
import { checkOwnership, migrate, SCHEMA_VERSION } from './migrations.ts'
import type { Records, Revision, Store, WritableStore } from './port.ts'
import { prepareReads } from './reads.ts'
import { prepareRecords } from './records.ts'

/** The engine: how a file is opened, and what a snapshot, a transaction and a revision are. */

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
  const opened = fileAt(path)
  const reads = prepareReads(drizzle({ client }))
  const revision = watchCommits(path, client)
  const transaction = client.transaction((work: () => unknown) => work())
  /** All that `work` reads is read from one state of the data, and an engine failure becomes a refusal. */
  const snapshot = <T>(work: () => T): T => answering(() => transaction(work) as T)

  return {
    revision,
    ping: async () => {
      if (fileAt(path)?.ino !== opened?.ino)
        throw new Refusal('unavailable', `${path} has been replaced or removed: restart the server.`)
      snapshot(() => reads.ping())
    },
    findGrant: async (hash, now) => snapshot(() => reads.grant(hash, now)),
    readChangelog: async (audience, team, product, page) =>
      snapshot(() => reads.changelog(audience, team, product, page)),
    readVersion: async (audience, team, product, id) =>
      snapshot(() => reads.version(audience, team, product, id)),
    close: () => client.close(),
  }
}

/** How much of SQLite's shared memory says what has been committed: the header of the index of its log. */
const WAL_HEADER_WORDS = 12

/**
 * A stamp that another number takes the place of as soon as any process has committed. SQLite makes a commit
 * visible to others by writing the header of its shared index (`-shm`; the layout is documented, and every
 * commit changes the checksum in it). That memory is looked at directly, for a few nanoseconds; where it cannot
 * be, `PRAGMA data_version` says the same for a microsecond and a half.
 */
function watchCommits(path: string, client: Database): () => Revision {
  // The shared memory is there from the first read on, and as long as this connection is.
  const version = client.query<{ data_version: number }, []>('PRAGMA data_version')
  answering(() => version.get())
  const header = sharedHeader(`${path}-shm`)
  if (!header) return () => answering(() => version.get()?.data_version ?? 0)
  const seen = new Uint32Array(WAL_HEADER_WORDS)
  let revision = 0
  return () => {
    for (let word = 0; word < WAL_HEADER_WORDS; word++)
      if (header[word] !== seen[word]) {
        seen.set(header)
        revision++
        break
      }
    return revision
  }
}

function sharedHeader(path: string): Uint32Array | null {
  try {
    const bytes = Bun.mmap(path, { shared: true })
    return new Uint32Array(bytes.buffer, bytes.byteOffset, WAL_HEADER_WORDS)
  } catch {
    return null
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
  const found = fileAt(path)
  if (found && !found.isFile())
    throw new Refusal(
      'conflict',
      `${path} is not a file, so it cannot be the database: name another with --db.`,
    )
  if (found) return
  checkNotRemoved(path)
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
  if (error.code?.startsWith('SQLITE_CONSTRAINT'))
    return new Refusal('conflict', `That would break a rule of the database: ${error.message}.`, {
      cause: error,
    })
  const message = error.code?.startsWith('SQLITE_BUSY')
    ? 'Another command has been writing to the database for too long: try again when it is done.'
    : `The database does not answer: ${error.message}.`
  return new Refusal('unavailable', message, { cause: error })
}
