import type { Database } from 'bun:sqlite'
import { realpathSync } from 'node:fs'
import { messageOf, orNull } from '../../domain/errors.ts'
import { Notice } from '../../domain/notice.ts'
import type { Instant } from '../../domain/records.ts'
import { Unavailable } from '../../domain/refusal.ts'
import { upgradeNotice } from '../migration.ts'
import type { Read } from '../queries/read.ts'
import { mapReads, ping, READS, type ReadContext } from '../queries/reads.ts'
import { readStatements } from '../queries/statements.ts' with { type: 'macro' }
import { ALWAYS, includes } from '../schedule.ts'
import type { Revision, Serving, Stamped, Store, ThreadedStore } from '../store.ts'
import { createWaiting, type Waiting } from '../wait.ts'
import {
  createIfMissing,
  type Migrated,
  openAndMigrate,
  openBeside,
  openCurrent,
  openCurrentWithWal,
  openOrCreate,
} from './open.ts'
import { type ReadConnection, readConnection, watchedConnection } from './serving/connection.ts'
import { createReopening } from './serving/reopening.ts'
import { createSharing, followSharing, type Sharing } from './serving/sharing.ts'

// Frozen by a call: of a plain constant that is used once, the bundler would make a new copy at each read.
const STATEMENTS = Object.freeze(readStatements('sqlite'))

/** How often a thread checks whether the main thread has lost the database. */
const FOLLOW_MS = 100

/**
 * Opens the store for serving: creates and migrates the file first if need be, waiting for other commands; from then on its
 * one connection cannot write. Throws a `Refusal` if the file cannot be opened, is not ours, or is from a newer program.
 *
 * When the files are removed or replaced, every method throws `Unavailable` within a second, until what is at `path` is a
 * whole database of this schema: then that one is served. `report` gets an error or a line for the operator each time.
 * Scheduled versions are published by `clock`.
 */
export async function openForServing(path: string, options: Serving): Promise<Store> {
  const { thread } = options
  if (thread?.memory) return openInThread(path, thread.memory, thread.thread)
  using _ = await prepareForServing(path, options)
  return openNow(path, options.report, options.clock)
}

/** For so many threads, which open it after that. */
export async function openForThreads(
  path: string,
  options: Serving,
  threads: number,
): Promise<ThreadedStore> {
  const sharing = createSharing(threads)
  using _ = await prepareForServing(path, options)
  const { close } = openNow(path, options.report, options.clock, sharing)
  return { ...sharing, close }
}

/** For one request: never creates or migrates a database. */
export async function openForOneRequest(path: string, waiting: Waiting): Promise<Store> {
  return waiting.untilFree(() => openOnce(path, waiting))
}

/** Without waiting for other commands. */
export function openNow(
  path: string,
  report: (event: unknown) => void = () => {},
  clock: () => Instant = Date.now,
  sharing?: Sharing,
): Store {
  createIfMissing(path)
  const waiting = createWaiting()
  const real = realpathSync(path)
  const client = reported(openAndMigrate(real, waiting, clock), path, report)
  const connect = () => {
    const real = realpathSync(path)
    return watchedConnection(openCurrentWithWal(real, waiting), path, real)
  }
  return storeOn(
    createReopening(path, watchedConnection(client, path, real), connect, report, sharing),
    clock,
  )
}

export function openOnce(path: string, waiting = createWaiting()): Store {
  const connection = readConnection(openCurrent(path, waiting), realpathSync(path))
  return storeOn({ current: () => connection, close: connection.close }, Date.now)
}

function openInThread(path: string, memory: SharedArrayBuffer, thread: number): Store {
  const waiting = createWaiting()
  const following = followSharing(memory, thread, () => {
    let client: Database | undefined
    try {
      const real = realpathSync(path)
      client = openBeside(real, waiting)
      return readConnection(client, real)
    } catch (error) {
      client?.close()
      throw new Unavailable(`Cannot serve ${path}: ${messageOf(error)}`)
    }
  })
  // If it fails, the next request will tell.
  const follow = () => orNull(following.follow)
  follow()
  // A thread closes a lost database even without requests.
  const timer = setInterval(follow, FOLLOW_MS)
  timer.unref()
  const close = () => {
    clearInterval(timer)
    following.close()
  }
  return storeOn({ current: following.current, close }, Date.now)
}

/**
 * Creates and migrates the database, after other commands. Until the result is disposed of, no process can be in the
 * way of `openNow`, which cannot wait.
 */
async function prepareForServing(
  path: string,
  { waiting, report, clock = Date.now }: Serving,
): Promise<Disposable> {
  const client = reported(await waiting.untilFree(() => openOrCreate(path, waiting, clock)), path, report)
  return { [Symbol.dispose]: () => client.close() }
}

function reported({ client, migration }: Migrated, path: string, report: (event: unknown) => void): Database {
  const notice = upgradeNotice(path, migration)
  if (notice !== null) report(new Notice('database_upgraded', notice))
  return client
}

function storeOn(source: { current(): ReadConnection; close(): void }, clock: () => Instant): Store {
  /** The connection with its revision, and the window of this store's revision. */
  let known: ReadConnection | undefined
  let committed: Revision = 0
  let span = ALWAYS
  let revision = 0

  /** Without scheduled versions the clock is not asked. */
  const revisionOf = (connection: ReadConnection, now?: Instant): Revision => {
    const asked = connection.revision()
    const isKnown = connection === known && asked === committed
    if (isKnown && (span === ALWAYS || includes(span, now ?? clock()))) return revision
    // Read after `asked`, so it may only be newer: then the next call finds another revision.
    span = connection.span(now ?? clock())
    known = connection
    committed = asked
    revision++
    return revision
  }

  /** The revision is asked before the read, so that a stamp is never newer than its value. */
  const read = <T>(begin: (context: ReadContext) => Read<T>): Stamped<T> => {
    const connection = source.current()
    const now = clock()
    return {
      revision: revisionOf(connection, now),
      value: connection.read(begin({ statements: STATEMENTS, now })),
    }
  }
  return {
    ...mapReads((name, given) => read((context) => READS[name](context, ...given))),
    readsAtOnce: true,
    revision: () => revisionOf(source.current()),
    unconfirmedFor: () => 0,
    ping: async () => {
      read(ping)
    },
    close: source.close,
  }
}
