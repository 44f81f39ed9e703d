import type { SQL } from 'bun'
import { Notice } from '../../domain/notice.ts'
import type { Instant } from '../../domain/records.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { pause } from '../../domain/time/waiting.ts'
import { isBusy } from '../engines/errors.ts'
import type { Waiting } from '../engines/wait.ts'
import { readStatements } from '../queries/dialects.ts' with { type: 'macro' }
import type { Read } from '../queries/read.ts'
import { mapReads, READS, type StoreContext } from '../queries/reads.ts'
import {
  LONG_READ_MS,
  type Serving,
  type Stamped,
  type Store,
  type ThreadedStore,
  TooLong,
} from '../store.ts'
import { before, close, connect, DEADLINE_MS, isLate, serving } from './connect.ts'
import { translateErrors, whileServing } from './errors.ts'
import { checkCurrent, checkKnown, type Meta, readMeta, SCHEMA_VERSION } from './migrations.ts'
import { beginRead, type ReadTransaction } from './read-transaction.ts'
import { watchRevision } from './watch.ts'

// Frozen by a call, see the one of SQLite.
const STATEMENTS = Object.freeze(readStatements('postgres'))

const LATE = new Error('the transaction has ended')

/** More would not be faster: connections are pipelined. */
const CONNECTIONS = 4

const RETRY_MS = 500

/**
 * Opens the store for serving: first migrates the database if its role may, waiting for other commands and the engine.
 * While the engine does not answer later, every read throws `Unavailable` at once, which `report` is told.
 */
export const openForServing = (
  address: string,
  { waiting, report, clock = Date.now, longReadMs }: Serving,
): Promise<Store> =>
  untilThere(report, async () => {
    await prepare(address, waiting)
    return storeOn(address, report, clock, longReadMs)
  })

/** Migrates the database as `openForServing` does, for several threads that open it after that and share nothing. */
export async function openForThreads(address: string, { waiting, report }: Serving): Promise<ThreadedStore> {
  await untilThere(report, () => prepare(address, waiting))
  return { memory: null, forget: () => {}, close: () => {} }
}

/** Retries until the engine answers. */
async function untilThere<T>(report: (event: unknown) => void, attempt: () => Promise<T>): Promise<T> {
  let isAnnounced = false
  for (;;)
    try {
      return await attempt()
    } catch (error) {
      if (isRefusal(error) || isBusy(error) || !(error instanceof Error)) throw error
      if (!isAnnounced) report(new Notice('database_waiting', `${error.message} Waiting for it …`, 'warning'))
      isAnnounced = true
      await pause(RETRY_MS)
    }
}

/** Opens the store for a command that only reads: never migrates a database. */
export async function openForOneRequest(address: string): Promise<Store> {
  checkCurrent(await askMeta(address), address)
  return storeOn(address, () => {}, Date.now)
}

async function prepare(address: string, waiting: Waiting): Promise<void> {
  const meta = await askMeta(address)
  if (meta && meta.schema >= SCHEMA_VERSION) return
  // Loaded only here: a server needs nothing else that writes.
  const { open } = await import('./commands.ts')
  using _ = await open(address, 'create', waiting, Date.now)
}

async function askMeta(address: string): Promise<Meta | null> {
  const sql = connect(address, serving(1))
  try {
    const meta = await translateErrors(address, () => before(DEADLINE_MS, address, readMeta(sql)))
    if (meta) checkKnown(meta, address)
    return meta
  } finally {
    close(sql)
  }
}

async function storeOn(
  address: string,
  report: (event: unknown) => void,
  clock: () => Instant,
  longReadMs = LONG_READ_MS,
): Promise<Store> {
  let pool = openPool(address)
  let answeredAt = Number.NEGATIVE_INFINITY
  // Queries sent before the engine went away, or on dead connections, may never be answered.
  const renewPool = () => {
    close(pool)
    pool = openPool(address)
  }
  const watch = await watchRevision(address, report, renewPool, clock)

  const begin = () => {
    watch.check()
    const now = clock()
    return { now, sentAt: performance.now(), transaction: beginRead(pool, now) }
  }

  /** The result of a step of a transaction, or `Unavailable` after the deadline. */
  const inTime = async <T>({ end }: ReadTransaction, step: Promise<T>): Promise<T> => {
    const sentAt = performance.now()
    const used = pool
    try {
      const value = await before(DEADLINE_MS, address, step, () => end(LATE))
      answeredAt = performance.now()
      return value
    } catch (error) {
      const isSilent = isLate(error) && answeredAt < sentAt
      if (isSilent && used === pool) renewPool()
      throw whileServing(error, address)
    }
  }

  const read = async <T>(start: (context: StoreContext) => Read<T>): Promise<Stamped<T>> => {
    const { now, sentAt, transaction } = begin()
    const steps = Promise.all([transaction.read(start({ statements: STATEMENTS, now })), transaction.seen])
    try {
      const [value, seen] = await inTime(transaction, steps)
      return { value, revision: watch.confirm(seen, sentAt) }
    } finally {
      transaction.end(LATE)
    }
  }

  const snapshot: Store['snapshot'] = async (work) => {
    const { now, sentAt, transaction } = begin()
    const timer = setTimeout(() => transaction.end(new TooLong()), longReadMs)
    try {
      const at = watch.confirm(await inTime(transaction, transaction.seen), sentAt)
      const reads = mapReads(async (name, given) => {
        watch.check()
        const steps = transaction.read(READS[name]({ statements: STATEMENTS, now }, ...given))
        return { value: await inTime(transaction, steps), revision: at }
      })
      return { value: await work(reads, at), revision: at }
    } finally {
      clearTimeout(timer)
      transaction.end(LATE)
    }
  }

  return {
    ...mapReads((name, given) => read((context) => READS[name](context, ...given))),
    snapshot,
    revision: watch.revision,
    unconfirmedFor: watch.unconfirmedFor,
    close: () => {
      watch.close()
      close(pool)
    },
  }
}

const openPool = (address: string): SQL => connect(address, serving(CONNECTIONS))
