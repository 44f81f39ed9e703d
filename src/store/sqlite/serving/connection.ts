import type { Database } from 'bun:sqlite'
import type { Instant } from '../../../domain/records.ts'
import { Unavailable } from '../../../domain/refusal.ts'
import { type ScheduleWindow, windowColumns, windowOf } from '../../engines/schedule.ts'
import type { Read, Step } from '../../queries/read.ts'
import { TooLong } from '../../store.ts'
import { ClosingDatabase, translateErrors } from '../database.ts'
import { watchFiles } from './file-watch.ts'
import { openIndex } from './wal-index.ts'

const WINDOW = `select ${windowColumns('?1')}`

const READ_ONLY = 'PRAGMA query_only = ON'
const ANY_READ = 'select 1 from team limit 1'

export type ReadConnection = ReturnType<typeof readConnection>

interface ReadTransaction {
  /** Throws `TooLong` after its end. */
  read<T>(read: Read<T>): T
  end(): void
}

export type WatchedConnection = ReturnType<typeof watchedConnection>

/** How long a read may wait for a recovery. */
const TIMEOUT_MS = 1_000

/** `SQLITE_FCNTL_HAS_MOVED`. */
const HAS_MOVED = 20

/** `SQLITE_FCNTL_NULL_IO`: the connection no longer reads or writes the database file. */
const LET_GO = 43

/** Makes a connection read-only, whose file is at the real path. Closes it if that fails. */
export function readConnection(client: Database, real: string) {
  try {
    return readsFrom(client, real)
  } catch (error) {
    client.close()
    throw error
  }
}

function readsFrom(client: Database, real: string) {
  client.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
  client.run(READ_ONLY)
  const index = openIndex(client, real)
  const transactions = createTransactions(client, real)

  const run = <T>(read: Read<T>): T => {
    client.prepare('BEGIN').run()
    try {
      const result = runSteps(client, read)
      client.prepare('COMMIT').run()
      return result
    } catch (error) {
      if (client.inTransaction) client.prepare('ROLLBACK').run()
      throw error
    }
  }

  return {
    /** Comparable only with others of this connection. */
    revision: index.revision,
    logBytes: index.logBytes,
    window: (now: Instant): ScheduleWindow =>
      translateErrors(real, () => windowOf(rowsOf(client, WINDOW, [now])[0] ?? [null, null])),
    /** Everything in a read comes from one state of the data. */
    read: <T>(read: Read<T>): T => translateErrors(real, () => run(read)),
    /** Begins a read transaction on a connection of its own. */
    begin: () => translateErrors(real, transactions.begin),
    endTransactions: transactions.close,
    /** Closes it and its transactions, and as the last user removes log and index. */
    close: () => {
      transactions.close()
      index.close()
      client.close()
    },
  }
}

const rowsOf = (client: Database, sql: string, values: Step['values']): unknown[][] =>
  client.prepare<unknown, Step['values']>(sql).values(...values)

function runSteps<T>(client: Database, read: Read<T>): T {
  let step = read.next()
  while (!step.done) step = read.next(rowsOf(client, step.value.statement.sql, step.value.values))
  return step.value
}

/** Transactions on connections beside an open one. A connection is kept for the next transaction. */
function createTransactions(beside: Database, real: string) {
  const idle: Database[] = []
  const active = new Set<ReadTransaction>()

  const open = (): Database => {
    const client = ClosingDatabase.existing(real, TIMEOUT_MS)
    client.run(READ_ONLY)
    // A file that has moved may be another database, which nobody has verified.
    if (!hasMoved(beside)) return client
    client.close()
    throw new Unavailable(`${real} was replaced by another file.`)
  }

  const begin = (): ReadTransaction => {
    const client = idle.pop() ?? open()
    try {
      client.prepare('BEGIN').run()
      // A transaction sees the state of its first read.
      client.prepare(ANY_READ).values()
    } catch (error) {
      client.close()
      throw error
    }
    const transaction: ReadTransaction = {
      read: (read) => {
        if (!active.has(transaction)) throw new TooLong()
        return translateErrors(real, () => runSteps(client, read))
      },
      end: () => {
        if (!active.delete(transaction)) return
        if (client.inTransaction) client.prepare('ROLLBACK').run()
        idle.push(client)
      },
    }
    active.add(transaction)
    return transaction
  }

  const close = () => {
    for (const transaction of active) transaction.end()
    for (const client of idle.splice(0)) client.close()
  }
  return { begin, close }
}

/** True if the file at its path is no longer the open one. */
function hasMoved(client: Database): boolean {
  const answer = new Int32Array(2)
  return client.fileControl(HAS_MOVED, answer) !== 0 || answer[0] !== 0
}

/** The connection of the thread that watches the files. `path` leads to the real one. */
export function watchedConnection(client: Database, path: string, real: string) {
  const reading = readConnection(client, real)
  return {
    ...reading,
    checkFiles: watchFiles(path, real, () => hasMoved(client)),
    /** Copies the log to the database and empties it. False if another process uses the log. */
    emptyWal: () => {
      reading.endTransactions()
      client.run('PRAGMA busy_timeout = 0')
      return client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
    },
    /** Closes it and leaves every file as it is. False if this SQLite cannot: then it stays open. */
    release: () => {
      reading.endTransactions()
      // The last user of a file would copy the log to whatever is there now, and remove the log.
      if (client.fileControl(LET_GO) !== 0) return false
      reading.close()
      return true
    },
  }
}
