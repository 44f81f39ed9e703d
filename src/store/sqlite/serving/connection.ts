import type { Database } from 'bun:sqlite'
import type { Revision } from '../../port.ts'
import { prepareReads } from '../../queries/reads.ts'
import { translateErrors } from '../errors.ts'
import { type FileWatch, watchFiles } from './file-watch.ts'
import { openIndex } from './wal-index.ts'

export type Reads = ReturnType<typeof prepareReads>

/** One opened database, as the server reads it. */
export interface Connection {
  readonly reads: Reads
  revision(): Revision
  /** All that `work` reads comes from one state of the data. */
  snapshot<T>(work: () => T): T
  /** What has happened to its files so far, or null for nothing. */
  look: FileWatch['look']
  /** Copies the log to the database and empties it. False if another process is using the log. */
  emptyLog(): boolean
  /** Closes it, and as the last user removes log and index. */
  close(): void
  /** Closes it and leaves every file as it is. False if this SQLite cannot do that: then it stays open. */
  release(): boolean
}

/** How long a read may wait for a recovery. */
const TIMEOUT_MS = 1_000

/** `SQLITE_FCNTL_NULL_IO`: the connection lets go of the database file, and from then on neither reads nor writes it. */
const LET_GO = 43

/** Makes a connection one that only reads. `path` leads to its file, which is at `real`. */
export function servingConnection(client: Database, path: string, real: string, first: Revision): Connection {
  client.run(`PRAGMA busy_timeout = ${TIMEOUT_MS}`)
  client.run('PRAGMA query_only = ON')
  const [begin, commit, rollback] = [
    client.prepare('BEGIN'),
    client.prepare('COMMIT'),
    client.prepare('ROLLBACK'),
  ]
  const reads = prepareReads((sql) => {
    const statement = client.prepare(sql)
    return (values) => statement.values(...values)
  })
  const index = openIndex(real, client, first)
  const files = watchFiles(path, real, index)

  const run = <T>(work: () => T): T => {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      if (client.inTransaction) rollback.run()
      throw error
    }
  }

  const close = () => {
    client.close()
    files.close()
    index.close()
  }

  return {
    reads,
    revision: index.revision,
    snapshot: (work) => translateErrors(path, () => run(work)),
    look: files.look,
    emptyLog: () => {
      client.run('PRAGMA busy_timeout = 0')
      return client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
    },
    close,
    release: () => {
      // Otherwise the last user of a database copies its log to whatever is in the file now, and removes the log.
      if (client.fileControl(LET_GO) !== 0) return false
      close()
      return true
    },
  }
}
