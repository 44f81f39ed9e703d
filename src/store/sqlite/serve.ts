import type { Database } from 'bun:sqlite'
import { Unavailable } from '../../domain/refusal.ts'
import type { Store } from '../port.ts'
import { prepareReads } from '../queries/reads.ts'
import { translateErrors } from './errors.ts'
import { fileAt } from './files.ts'
import { openCurrent, openOrCreate } from './open.ts'
import { watchCommits } from './serving/revision.ts'
import { createWaiting, type Waiting } from './wait.ts'

/** How long a read may wait for a recovery. */
const TIMEOUT_MS = 1_000

/**
 * Opens the store for serving: creates and migrates the file first if need be; from then on its one connection
 * cannot write. Throws a `Refusal` if the file cannot be opened, is not ours, or is from a newer program.
 */
export const openForServing = (path: string): Store =>
  servingStore(path, openOrCreate(path, createWaiting()).client)

/** Opens the same store for a command that only reads: never creates or migrates a database. */
export const openForOneRequest = (path: string, waiting = createWaiting()): Store =>
  servingStore(path, openCurrent(path, waiting))

/**
 * Creates and migrates the database if need be, waiting for other commands. While the result is not disposed of, no
 * other process can be in the way of `openForServing`, which cannot wait.
 */
export async function prepareForServing(path: string, waiting: Waiting): Promise<Disposable> {
  const { client } = await waiting.untilFree(() => openOrCreate(path, waiting))
  return { [Symbol.dispose]: () => client.close() }
}

function servingStore(path: string, client: Database): Store {
  client.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
  client.run('PRAGMA query_only = ON')
  const opened = fileAt(path)
  const reads = prepareReads((sql) => {
    const statement = client.prepare(sql)
    return (values) => statement.values(...values)
  })
  const revision = watchCommits(path, client)
  const transaction = client.transaction((work: () => unknown) => work())
  /** All that `work` reads comes from one state of the data. */
  const snapshot = <T>(work: () => T): T => translateErrors(() => transaction(work) as T)

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
