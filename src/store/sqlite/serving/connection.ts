import type { Database } from 'bun:sqlite'
import type { Instant } from '../../../domain/records.ts'
import type { Read, Step } from '../../queries/read.ts'
import { type ScheduleWindow, windowColumns, windowOf } from '../../schedule.ts'
import type { Revision } from '../../store.ts'
import { translateErrors } from '../errors.ts'
import { type Loss, watchFiles } from './file-watch.ts'
import { openIndex } from './wal-index.ts'

const WINDOW = `select ${windowColumns('?1')}`

export interface ReadConnection {
  /** Changes as soon as any process has committed. Comparable only with others of this connection. */
  revision(): Revision
  /** The schedule window that includes a time. */
  span(now: Instant): ScheduleWindow
  /** Everything in a read comes from one state of the data. */
  read<T>(read: Read<T>): T
  /** Closes it, and as the last user removes log and index. */
  close(): void
}

/** For the thread that watches the files. */
export interface WatchedConnection extends ReadConnection {
  /** A change to its files, or null. */
  checkFiles(): Loss | null
  /** Copies the log to the database and empties it. False if another process uses the log. */
  emptyWal(): boolean
  /** Closes it and leaves every file as it is. False if this SQLite cannot: then it stays open. */
  release(): boolean
}

/** How long a read may wait for a recovery. */
const TIMEOUT_MS = 1_000

/** `SQLITE_FCNTL_HAS_MOVED`: whether the file at the path is no longer the open one. */
const HAS_MOVED = 20

/** `SQLITE_FCNTL_NULL_IO`: the connection no longer reads or writes the database file. */
const LET_GO = 43

/** Makes a connection read-only, whose file is at the real path. Closes it if that fails. */
export function readConnection(client: Database, real: string): ReadConnection {
  try {
    return readsFrom(client, real)
  } catch (error) {
    client.close()
    throw error
  }
}

function readsFrom(client: Database, real: string): ReadConnection {
  client.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
  client.run('PRAGMA query_only = ON')
  const index = openIndex(client, real)
  const rows = (sql: string, values: Step['values']): unknown[][] =>
    client.prepare<unknown, Step['values']>(sql).values(...values)

  const run = <T>(read: Read<T>): T => {
    client.prepare('BEGIN').run()
    try {
      let step = read.next()
      while (!step.done) step = read.next(rows(step.value.statement.sql, step.value.values))
      client.prepare('COMMIT').run()
      return step.value
    } catch (error) {
      if (client.inTransaction) client.prepare('ROLLBACK').run()
      throw error
    }
  }

  return {
    revision: index.revision,
    span: (now) => translateErrors(real, () => windowOf(rows(WINDOW, [now])[0] ?? [null, null])),
    read: (read) => translateErrors(real, () => run(read)),
    close: () => {
      index.close()
      client.close()
    },
  }
}

/** The same, and watches the files. `path` leads to the real one. */
export function watchedConnection(client: Database, path: string, real: string): WatchedConnection {
  const reading = readConnection(client, real)
  const isMoved = () => {
    const answer = new Int32Array(2)
    return client.fileControl(HAS_MOVED, answer) !== 0 || answer[0] !== 0
  }
  return {
    ...reading,
    checkFiles: watchFiles(path, real, isMoved),
    emptyWal: () => {
      client.run('PRAGMA busy_timeout = 0')
      return client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
    },
    release: () => {
      // Otherwise the last user copies the log to whatever is in the file now, and removes the log.
      if (client.fileControl(LET_GO) !== 0) return false
      reading.close()
      return true
    },
  }
}
