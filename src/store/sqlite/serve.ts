import type { Database } from 'bun:sqlite'
import { openSync, readSync } from 'node:fs'
import { Unavailable } from '../../domain/refusal.ts'
import type { Revision, Store } from '../port.ts'
import { prepareReads } from '../queries/reads.ts'
import { fileAt } from './files.ts'
import { answering, openMigrated } from './open.ts'

/** How long a read may wait for a recovery. */
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
  const reads = prepareReads((sql) => {
    const statement = client.prepare(sql)
    return (values) => statement.values(...values)
  })
  const revision = watchCommits(path, client)
  const transaction = client.transaction((work: () => unknown) => work())
  /** All that `work` reads is read from one state of the data, and an engine failure becomes a refusal. */
  const snapshot = <T>(work: () => T): T => answering(() => transaction(work) as T)

  return {
    revision,
    ping: async () => {
      if (fileAt(path)?.ino !== opened?.ino)
        throw new Unavailable(`${path} has been replaced or removed: restart the server.`)
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

/** How much of SQLite's shared index says what has been committed: its header. */
const HEADER_WORDS = 12

/**
 * A stamp that another number takes the place of as soon as any process has committed. SQLite makes a commit
 * visible to others by writing the header of the shared index of its log (`-shm`; the layout is documented, and
 * every commit changes the checksum in it). That is read directly, in a third of a microsecond; where it cannot be,
 * `PRAGMA data_version` says the same in one and a half.
 */
function watchCommits(path: string, client: Database): () => Revision {
  // The index is there from the first read on, and as long as this connection is.
  const version = client.query<{ data_version: number }, []>('PRAGMA data_version')
  answering(() => version.get())
  const index = openIndex(`${path}-shm`)
  if (index === null) return () => answering(() => version.get()?.data_version ?? 0)
  const [header, seen] = [new Uint32Array(HEADER_WORDS), new Uint32Array(HEADER_WORDS)]
  let revision = 0
  return () => {
    readSync(index, header, 0, header.byteLength, 0)
    for (let word = 0; word < HEADER_WORDS; word++)
      if (header[word] !== seen[word]) {
        seen.set(header)
        revision++
        break
      }
    return revision
  }
}

/**
 * Opens the index, for as long as the process lives. It must never be closed: the locks that SQLite has on a file
 * belong to the process and end when any handle of that file is closed. The next command would then take itself for
 * the first, and begin the index anew under a server that goes on reading the old one.
 */
function openIndex(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}
