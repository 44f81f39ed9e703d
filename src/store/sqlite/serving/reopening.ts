import { type BigIntStats, realpathSync } from 'node:fs'
import { messageOf, orNull } from '../../../domain/errors.ts'
import { Notice } from '../../../domain/notice.ts'
import { Refusal, Unavailable } from '../../../domain/refusal.ts'
import { exactStat } from '../../../files/lookup.ts'
import type { Revision } from '../../store.ts'
import type { WatchedConnection } from './connection.ts'
import type { Sharing } from './sharing.ts'
import { startVerification, type Verification } from './verification.ts'

/** How often the files are checked: nothing old is served for longer than a second. */
const INTERVAL_MS = 250

/** A database with faults is verified again when it changes, or after this many times as long as it took. */
const PAUSES = 10
const LEAST_PAUSE_MS = 1_000

/** The revisions of a connection begin above those of the previous one. */
export const REVISIONS = 2 ** 32

export interface Reopening {
  /** Throws `Unavailable` while there is no connection. */
  current(): WatchedConnection
  checkFiles(): void
  close(): void
}

/**
 * Keeps a server on the database at `path`. When the file is replaced, reading stops at once; once the new file has
 * been verified, `connect` opens it. `report` gets an error or a notice for each step. With `sharing`, other threads
 * use the same database.
 */
export function createReopening(
  path: string,
  first: WatchedConnection,
  connect: (firstRevision: Revision) => WatchedConnection,
  report: (event: unknown) => void,
  sharing?: Sharing,
): Reopening {
  /** The serving connection; after a loss, until it can be closed. */
  let connection: WatchedConnection | null = first
  let connections = 1
  let lost: Unavailable | null = null
  let verification: Verification | null = null
  let failed: { files: string; until: number } | null = null
  let isClosed = false

  const current = (): WatchedConnection => {
    if (lost !== null || connection === null) throw lost
    return connection
  }

  const checkFiles = (): void => {
    if (isClosed) return
    try {
      const loss = connection?.checkFiles()
      if (loss && !lost) lose(`Lost the database: ${loss.message}`, loss.hint)
      if (lost && !verification) recover()
    } catch (error) {
      fail(error)
    }
  }

  const lose = (message: string, hint?: string): void => {
    if (lost?.message === message) return
    lost = new Unavailable(message, { hint })
    sharing?.lose(lost)
    report(lost)
  }

  const fail = (error: unknown): void =>
    lose(`Cannot serve ${path}: ${messageOf(error)}`, error instanceof Refusal ? error.hint : undefined)

  /** Begins to verify the file that is there, if it can replace the lost one. */
  const recover = (): void => {
    if (sharing && !sharing.isFree()) return
    const files = filesAt(path)
    if (files === null || (files === failed?.files && performance.now() < failed.until)) return
    if (connection && !letGo(connection)) return
    const real = realpathSync(path)
    const candidate = connection ? null : openedBefore(real)
    const start = performance.now()
    const pause = () => {
      const end = performance.now()
      failed = { files, until: end + Math.max(LEAST_PAUSE_MS, PAUSES * (end - start)) }
      candidate?.release()
    }
    try {
      verification = startVerification(real)
    } catch (error) {
      pause()
      throw error
    }
    verification.fault
      .then((fault) => {
        if (isClosed || fault !== null) pause()
        if (isClosed) return
        if (fault !== null)
          return lose(`Cannot serve ${path}: ${fault.check}: ${fault.message}.`, fault.remedy)
        if (candidate ? candidate.checkFiles(0) === null : filesAt(path) === files) return reopen(candidate)
        // What was verified is gone.
        candidate?.release()
      })
      .catch((error) => {
        pause()
        if (!isClosed) fail(error)
      })
      .finally(() => {
        verification = null
      })
  }

  /**
   * Opens the file before it is verified, if it has a log, so that its own watch tells whether it is still the same,
   * and verifying copies nothing from the log. Null if that fails: verifying then tells why.
   */
  const openedBefore = (real: string): WatchedConnection | null =>
    orNull(() => (exactStat(`${real}-wal`) ? connect(connections++ * REVISIONS) : null))

  /** Closes a lost connection, unless it is still needed. Returns whether the new file can be verified. */
  const letGo = (old: WatchedConnection): boolean => {
    const step = old.checkFiles()?.step ?? 'release'
    if (step === 'wait') return false
    if (step === 'keep') return true
    if (step === 'empty the log' && !old.emptyWal()) {
      lose(`Cannot serve ${path} yet: another process is using the database that was there before.`)
      return false
    }
    return release(old)
  }

  const release = (old: WatchedConnection): boolean => {
    if (!old.release()) {
      lose(`The files of ${path} were changed while it was served.`, 'Restart the server.')
      return false
    }
    connection = null
    return true
  }

  const reopen = (candidate: WatchedConnection | null): void => {
    if (connection && !release(connection)) return
    connection = candidate ?? connect(connections++ * REVISIONS)
    lost = null
    failed = null
    sharing?.open(connection.index)
    report(new Notice('database_reopened', `Reopened the database ${path}.`))
    checkFiles()
  }

  sharing?.open(first.index)
  checkFiles()
  const timer = setInterval(checkFiles, INTERVAL_MS)
  timer.unref()

  const close = (): void => {
    isClosed = true
    clearInterval(timer)
    verification?.cancel()
    if (!connection) return
    const loss = connection.checkFiles(0)
    if (!lost && !loss) connection.close()
    else {
      // Otherwise the next start would add it to the database that is there now.
      if (loss?.step === 'empty the log') connection.emptyWal()
      connection.release()
    }
  }

  return { current, checkFiles, close }
}

/** Identifies a state of the file and its log; null if there is no file. */
function filesAt(path: string): string | null {
  const database = exactStat(path)
  if (!database?.isFile()) return null
  const log = exactStat(`${realpathSync(path)}-wal`)
  // Without the log's ctime: run by root, SQLite gives the log to its owner whenever it opens it.
  return [database.ctimeNs, ...[database, log].map(describe)].join()
}

const describe = (file: BigIntStats | undefined): string =>
  file ? [file.dev, file.ino, file.size, file.mtimeNs].join(' ') : 'none'
