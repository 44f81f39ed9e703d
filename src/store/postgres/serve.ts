import type { SQL } from 'bun'
import { Notice } from '../../domain/notice.ts'
import type { Instant } from '../../domain/records.ts'
import { isRefusal } from '../../domain/refusal.ts'
import { pause } from '../../domain/time/waiting.ts'
import type { Read, Step } from '../queries/read.ts'
import { mapReads, ping, READS, type ReadContext } from '../queries/reads.ts'
import { readStatements } from '../queries/statements.ts' with { type: 'macro' }
import { windowColumns, windowOf } from '../schedule.ts'
import type { Serving, Stamped, Store, ThreadedStore } from '../store.ts'
import { isBusy, type Waiting } from '../wait.ts'
import { type Client, close, connect, DEADLINE_MS, serving, valuesOf } from './connect.ts'
import { before, isLate } from './deadline.ts'
import { translateErrors, whileServing } from './errors.ts'
import { checkCurrent, checkKnown, type Meta, readMeta, SCHEMA_VERSION } from './migrations.ts'
import { type Seen, watchRevision } from './watch.ts'

// Frozen by a call, see the one of SQLite.
const STATEMENTS = Object.freeze(readStatements('postgres'))

/** The stamp of a read, from its own snapshot. */
const STAMP = `select revision, ${windowColumns('$1::int8')} from changelogd`

/** More would not be faster: connections are pipelined. */
const CONNECTIONS = 4

/** The pause between attempts of a starting server. */
const RETRY_MS = 500

/**
 * Opens the store for serving: migrates the database first if its role may, waiting for other commands, and for the engine
 * if it does not answer. From then on it only reads. Throws a `Refusal` if it may not connect or migrate, or the database
 * is from a newer program.
 *
 * While the engine does not answer, every read throws `Unavailable` at once. `report` gets an error or a line for the
 * operator each time that begins or ends. Scheduled versions are published by `clock`.
 */
export const openForServing = (
  address: string,
  { waiting, report, clock = Date.now }: Serving,
): Promise<Store> =>
  untilThere(report, async () => {
    await prepare(address, waiting)
    return storeOn(address, report, clock)
  })

/** Migrates the database in the same way, for several threads that open it after that and share nothing. */
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

/** Opens the same store for a command that only reads: never migrates a database. */
export async function openForOneRequest(address: string): Promise<Store> {
  checkCurrent(await askMeta(address), address)
  return storeOn(address, () => {}, Date.now)
}

/** Migrates the database if need be. */
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
): Promise<Store> {
  let pool = openPool(address)
  let answeredAt = Number.NEGATIVE_INFINITY
  // Queries sent before the engine went away, or on dead connections, may never be answered.
  const renewPool = () => {
    close(pool)
    pool = openPool(address)
  }
  const watch = await watchRevision(address, report, renewPool, clock)

  const read = async <T>(begin: (context: ReadContext) => Read<T>): Promise<Stamped<T>> => {
    watch.check()
    const now = clock()
    const sentAt = performance.now()
    const used = pool
    try {
      const { value, seen } = await snapshot(address, used, begin({ statements: STATEMENTS, now }), now)
      answeredAt = performance.now()
      return { value, revision: watch.confirm(seen, sentAt) }
    } catch (error) {
      const isSilent = isLate(error) && answeredAt < sentAt
      if (isSilent && used === pool) renewPool()
      throw whileServing(error, address)
    }
  }

  return {
    ...mapReads((name, given) => read((context) => READS[name](context, ...given))),
    revision: watch.revision,
    unconfirmedFor: watch.unconfirmedFor,
    ping: async () => {
      await read(ping)
    },
    close: () => {
      watch.close()
      close(pool)
    },
  }
}

const openPool = (address: string): SQL => connect(address, serving(CONNECTIONS))

/**
 * Runs a read and its stamp on one state of the data. The client sends concurrent queries in one write, but only
 * template literals or with values: so there are as many round trips as the read has steps.
 */
function snapshot<T>(
  address: string,
  pool: SQL,
  read: Read<T>,
  now: Instant,
): Promise<{ value: T; seen: Seen }> {
  let current: SQL.Query<unknown[][]> | undefined
  let isOver = false

  const run = async (client: Client, { statement, values }: Step): Promise<unknown[][]> => {
    if (isOver) throw new Error('the deadline of this read is over')
    current = valuesOf(client, statement.sql, values.map(findable))
    return current
  }

  const work = async (): Promise<{ value: T; seen: Seen }> => {
    const client = await pool.reserve()
    try {
      let step = read.next()
      if (step.done) throw new Error('a read runs a statement')
      const [, [[revision, ...span] = []], first] = await Promise.all([
        client`begin isolation level repeatable read read only`.execute(),
        valuesOf(client, STAMP, [now]).execute(),
        run(client, step.value),
      ])
      step = read.next(first)
      while (!step.done) step = read.next(await run(client, step.value))
      return { value: step.value, seen: { revision: Number(revision), span: windowOf(span) } }
    } finally {
      // Nothing depends on the reply, and later queries on this connection come after it.
      client`commit`.catch(() => {})
      client.release()
    }
  }
  return before(DEADLINE_MS, address, work(), () => {
    isOver = true
    current?.cancel()
  })
}

/** PostgreSQL refuses a text with NUL, even in a lookup. No id or slug has U+0001 either. */
const findable = (value: string | number): string | number =>
  typeof value === 'string' ? value.replaceAll('\0', '\u0001') : value
