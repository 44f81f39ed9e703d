import type { Database, Statement } from 'bun:sqlite'
import type { Instant } from '../../../domain/records.ts'
import type { Read, Step } from '../../queries/read.ts'
import { type ScheduleWindow, windowColumns, windowOf } from '../../schedule.ts'
import type { Revision } from '../../store.ts'
import { translateErrors } from '../errors.ts'
import { type FileWatch, watchFiles } from './file-watch.ts'
import { openIndex } from './wal-index.ts'

const WINDOW = `select ${windowColumns('?1')}`

export interface ReadConnection {
  /** Changes as soon as any process has committed. */
  revision(): Revision
  /** The schedule window that includes a time. */
  span(now: Instant): ScheduleWindow
  /** Everything in a read comes from one state of the data. */
  read<T>(read: Read<T>): T
  close(): void
}

/** For a thread that also watches the files. */
export interface WatchedConnection extends ReadConnection {
  /** A handle of the index, open as long as the connection; null for a database without a log. */
  readonly index: number | null
  /** What has happened to its files, or null. */
  checkFiles: FileWatch['check']
  /** Copies the log to the database and empties it. False if another process uses the log. */
  emptyWal(): boolean
  /** Closes it, and as the last user removes log and index. */
  close(): void
  /** Closes it and leaves every file as it is. False if this SQLite cannot: then it stays open. */
  release(): boolean
}

/** How long a read may wait for a recovery. */
const TIMEOUT_MS = 1_000

/** `SQLITE_FCNTL_NULL_IO`: the connection no longer reads or writes the database file. */
const LET_GO = 43

/** Makes a connection read-only. `path` leads to its file, which is at `real`. */
export function servingConnection(
  client: Database,
  path: string,
  real: string,
  first: Revision,
): WatchedConnection {
  const reads = readsFrom(client, path)
  const index = openIndex(real, client, first)
  const files = watchFiles(path, real, index)

  const close = () => {
    client.close()
    files.close()
    index.close()
  }

  return {
    index: index.file,
    revision: index.revision,
    ...reads,
    checkFiles: files.check,
    emptyWal: () => {
      client.run('PRAGMA busy_timeout = 0')
      return client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
    },
    close,
    release: () => {
      // Otherwise the last user copies the log to whatever is in the file now, and removes the log.
      if (client.fileControl(LET_GO) !== 0) return false
      close()
      return true
    },
  }
}

/** Reads beside the connection of another thread, whose handle of the index is `index`. */
export function readingConnection(
  client: Database,
  path: string,
  first: Revision,
  index: number | null,
): ReadConnection {
  const reads = readsFrom(client, path)
  const { revision, close } = openIndex(path, client, first, index)
  return {
    ...reads,
    revision,
    close: () => {
      client.close()
      close()
    },
  }
}

/** The connection must not write from now on. */
function readsFrom(client: Database, path: string): Pick<ReadConnection, 'span' | 'read'> {
  client.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
  client.run('PRAGMA query_only = ON')
  const [begin, commit, rollback] = [
    client.prepare('BEGIN'),
    client.prepare('COMMIT'),
    client.prepare('ROLLBACK'),
  ]
  const prepared = new Map<string, Statement>()

  const rows = (sql: string, values: Step['values']): unknown[][] => {
    let statement = prepared.get(sql)
    if (!statement) {
      statement = client.prepare(sql)
      prepared.set(sql, statement)
    }
    return statement.values(...values)
  }

  const run = <T>(read: Read<T>): T => {
    begin.run()
    try {
      let step = read.next()
      while (!step.done) step = read.next(rows(step.value.statement.sql, step.value.values))
      commit.run()
      return step.value
    } catch (error) {
      if (client.inTransaction) rollback.run()
      throw error
    }
  }

  return {
    span: (now) => translateErrors(path, () => windowOf(rows(WINDOW, [now])[0] ?? [null, null])),
    read: (read) => translateErrors(path, () => run(read)),
  }
}
