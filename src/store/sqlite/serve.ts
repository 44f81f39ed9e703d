import type { Database } from 'bun:sqlite'
import { realpathSync } from 'node:fs'
import type { Stamped, Store } from '../port.ts'
import type { Read, Reads } from '../queries/reads.ts'
import { createWaiting, type Waiting } from '../wait.ts'
import { refuseForeignLog } from './foreign-log.ts'
import { createIfMissing, openAndMigrate, openCurrent, openCurrentWithLog, openOrCreate } from './open.ts'
import { type Connection, servingConnection } from './serving/connection.ts'
import { createReopening } from './serving/reopening.ts'

/**
 * Opens the store for serving: creates and migrates the file first if need be; from then on its one connection
 * cannot write. Throws a `Refusal` if the file cannot be opened, is not ours, or is from a newer program.
 *
 * When the files are removed, replaced or overwritten, every method throws `Unavailable` within a second, until what
 * is at `path` is a whole database of this schema: then that one is served. `report` gets an error or a line for the
 * operator each time.
 */
export function openForServing(path: string, report: (event: unknown) => void = () => {}): Store {
  createIfMissing(path)
  return openPrepared(path, report, (real, waiting) => openAndMigrate(real, waiting).client)
}

/** Opens the same store of a database that exists and has this program's schema. */
export function openPrepared(
  path: string,
  report: (event: unknown) => void,
  openFirst: (real: string, waiting: Waiting) => Database = openCurrentWithLog,
): Store {
  const waiting = createWaiting()
  const connect = (firstRevision: number, open = openCurrentWithLog) => {
    const real = realpathSync(path)
    return servingConnection(open(real, waiting), path, real, firstRevision)
  }
  return storeOn(createReopening(path, connect(0, openFirst), connect, report))
}

/** Opens the same store for a command that only reads: never creates or migrates a database. */
export function openForOneRequest(path: string, waiting = createWaiting()): Store {
  const connection = servingConnection(openCurrent(path, waiting), path, realpathSync(path), 0)
  return storeOn({ current: () => connection, look: () => {}, close: connection.close })
}

/**
 * Creates and migrates the database if need be, waiting for other commands. While the result is not disposed of, no
 * other process can be in the way of `openForServing`, which cannot wait.
 */
export async function prepareForServing(path: string, waiting: Waiting): Promise<Disposable> {
  refuseForeignLog(path)
  const { client } = await waiting.untilFree(() => openOrCreate(path, waiting))
  return { [Symbol.dispose]: () => client.close() }
}

function storeOn(source: { current(): Connection; look(): void; close(): void }): Store {
  /** Asked before the read, so that the stamp is never newer than what it is for. */
  const read = <T>(choose: (reads: Reads) => Read<T>): Stamped<T> => {
    const connection = source.current()
    const revision = connection.revision()
    return { revision, value: connection.read(choose) }
  }
  return {
    revision: () => source.current().revision(),
    unconfirmedFor: () => 0,
    ping: async () => {
      source.look()
      read((reads) => reads.ping())
    },
    findGrant: async (hash, now) => read((reads) => reads.grant(hash, now)),
    readChangelog: async (audience, team, product, page) =>
      read((reads) => reads.changelog(audience, team, product, page)),
    readVersion: async (audience, team, product, id, range) =>
      read((reads) => reads.version(audience, team, product, id, range)),
    readOverview: async (audience, team, product) => read((reads) => reads.overview(audience, team, product)),
    readNewer: async (audience, team, product, than, limit) =>
      read((reads) => reads.newer(audience, team, product, than, limit)),
    readDirectory: async (range, limit) => read((reads) => reads.directory(range, limit)),
    close: source.close,
  }
}
