import { existsSync } from 'node:fs'
import { messageOf, orNull } from '../../domain/errors.ts'
import { Notice } from '../../domain/notice.ts'
import type { Instant } from '../../domain/records.ts'
import { Unavailable } from '../../domain/refusal.ts'
import { pause } from '../../domain/time/waiting.ts'
import { resolvedPath } from '../../files/lookup.ts'
import { ALWAYS, includes } from '../engines/schedule.ts'
import { createWaiting, type Waiting } from '../engines/wait.ts'
import { readStatements } from '../queries/dialects.ts' with { type: 'macro' }
import type { Read } from '../queries/read.ts'
import { mapReads, READS, type StoreContext } from '../queries/reads.ts'
import {
  LONG_READ_MS,
  type Revision,
  type Serving,
  type Stamped,
  type Store,
  type ThreadedStore,
} from '../store.ts'
import { upgradeNotice } from '../upkeep/migration.ts'
import { ClosingDatabase } from './database.ts'
import { createIfMissing, openAndMigrate, openCurrent, openCurrentWithWal } from './open.ts'
import { type ReadConnection, readConnection, watchedConnection } from './serving/connection.ts'
import { createReopening } from './serving/reopening.ts'
import { createSharing, followSharing, type Sharing } from './serving/sharing.ts'

// Frozen by a call: of a plain constant that is used once, the bundler would make a new copy at each read.
const STATEMENTS = Object.freeze(readStatements('sqlite'))

/** How often a thread checks whether the main thread has lost the database. */
const FOLLOW_MS = 100

/**
 * Opens the store for serving: first creates or migrates the file, waiting for other commands. When the files are
 * removed or replaced later, every method throws `Unavailable` within a second, until `path` has a whole database of
 * this schema, which is then served. `report` is told each time.
 */
export async function openForServing(path: string, options: Serving): Promise<Store> {
  const { thread } = options
  if (thread?.memory) return openInThread(path, thread.memory, thread.thread)
  return options.waiting.untilFree(() => openNow(path, options))
}

/** Opens the database for threads, which connect to it after that. */
export async function openForThreads(
  path: string,
  options: Serving,
  threads: number,
): Promise<ThreadedStore> {
  const sharing = createSharing(threads)
  const { close } = await options.waiting.untilFree(() => openNow(path, options, sharing))
  return { ...sharing, close }
}

/** Opens the store for one request: never creates or migrates a database. */
export const openForOneRequest = (path: string, waiting: Waiting): Promise<Store> =>
  waiting.untilFree(() => {
    const connection = readConnection(openCurrent(path, waiting), resolvedPath(path))
    return storeOn({ current: () => connection, close: connection.close }, Date.now)
  })

/** Throws an `isBusy` error if another process holds a lock. */
export function openNow(path: string, options: Partial<Serving> = {}, sharing?: Sharing): Store {
  const { waiting = createWaiting(), report = () => {}, clock = Date.now, longReadMs } = options
  createIfMissing(path)
  const real = resolvedPath(path)
  const { client, migration } = openAndMigrate(real, waiting, clock)
  const notice = upgradeNotice(path, migration)
  if (notice !== null) report(new Notice('database_upgraded', notice))
  const first = watchedConnection(client, path, real)
  const connect = () => {
    const real = resolvedPath(path)
    return watchedConnection(openCurrentWithWal(real, waiting), path, real)
  }
  return storeOn(createReopening(path, first, connect, report, sharing), clock, longReadMs)
}

function openInThread(path: string, memory: SharedArrayBuffer, thread: number): Store {
  const { attemptMs } = createWaiting()
  const following = followSharing(memory, thread, () => {
    try {
      const real = resolvedPath(path)
      return readConnection(ClosingDatabase.existing(real, attemptMs), real)
    } catch (error) {
      if (existsSync(path)) throw new Unavailable(`Cannot serve ${path}: ${messageOf(error)}`)
      return null
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

/** Equals no revision, so that nothing is cached. */
const UNKNOWN: Revision = Number.NaN

/** A log that was emptied as usual is shorter. */
const LONG_LOG_BYTES = 16 * 2 ** 20
const LOG_POLL_MS = 25
/** After this long without a commit, nobody writes. */
const QUIET_MS = 500

/**
 * A commit cannot empty the log while a transaction reads from it. So while it is long and grows, none begins until the
 * others have ended. If that does not help, another process reads from it, and no transaction waits for a while.
 */
function createLogWait(current: () => ReadConnection): () => Promise<void> {
  let committed: number | undefined
  let committedAt = 0
  let gaveUpAt = Number.NEGATIVE_INFINITY
  return async () => {
    const start = performance.now()
    while (current().logBytes() > LONG_LOG_BYTES) {
      const now = performance.now()
      const seen = current().revision()
      if (seen !== committed) {
        committed = seen
        committedAt = now
      }
      if (now - committedAt >= QUIET_MS || now - gaveUpAt < LONG_READ_MS) return
      if (now - start >= LONG_READ_MS) gaveUpAt = now
      else await pause(LOG_POLL_MS)
    }
  }
}

function storeOn(
  source: { current(): ReadConnection; close(): void },
  clock: () => Instant,
  longReadMs = LONG_READ_MS,
): Store {
  /** The connection with its revision, and the window of this store's revision. */
  let known: ReadConnection | undefined
  let committed: Revision = 0
  let window = ALWAYS
  let revision = 0

  /** Without scheduled versions the clock is not asked. */
  const revisionOf = (connection: ReadConnection, now?: Instant): Revision => {
    const asked = connection.revision()
    const isKnown = connection === known && asked === committed
    if (isKnown && (window === ALWAYS || includes(window, now ?? clock()))) return revision
    // Read after `asked`, so it may only be newer: then the next call finds another revision.
    window = connection.window(now ?? clock())
    known = connection
    committed = asked
    revision++
    return revision
  }

  /** The revision is asked before the read, so that a stamp is never newer than its value. */
  const read = <T>(begin: (context: StoreContext) => Read<T>): Stamped<T> => {
    const connection = source.current()
    const now = clock()
    return {
      revision: revisionOf(connection, now),
      value: connection.read(begin({ statements: STATEMENTS, now })),
    }
  }

  const untilLogIsShort = createLogWait(source.current)

  const snapshot: Store['snapshot'] = async (work) => {
    await untilLogIsShort()
    const connection = source.current()
    const now = clock()
    const before = revisionOf(connection, now)
    const transaction = connection.begin()
    // Known if it was the same before the first read and after it.
    const at = revisionOf(connection, now) === before ? before : UNKNOWN
    const timer = setTimeout(transaction.end, longReadMs)
    const reads = mapReads((name, given) => {
      // Throws once the file is lost. The next one is another database.
      if (source.current() !== connection) throw new Unavailable('The database was replaced.')
      return { value: transaction.read(READS[name]({ statements: STATEMENTS, now }, ...given)), revision: at }
    })
    try {
      return { value: await work(reads, at), revision: at }
    } finally {
      clearTimeout(timer)
      transaction.end()
    }
  }

  return {
    ...mapReads((name, given) => read((context) => READS[name](context, ...given))),
    snapshot,
    revision: () => revisionOf(source.current()),
    unconfirmedFor: () => 0,
    close: source.close,
  }
}
