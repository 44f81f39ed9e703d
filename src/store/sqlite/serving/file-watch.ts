import { type BigIntStats, closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { shellWord } from '../../../domain/shell.ts'
import { hasCopiesOf, sampleOf, usesLog } from './pages.ts'
import type { Checkpoints, WalIndex } from './wal-index.ts'

/** What has happened to the files of a database while it was open. */
export interface Loss {
  readonly message: string
  readonly hint?: string
  /**
   * What to do with the connection before what is at the path is opened:
   * - `wait`: nothing can be opened yet. The connection may have the only copy of something.
   * - `empty the log`: copy it to the file that the connection has open. Otherwise SQLite would add it to the new one.
   * - `release`: close it and leave every file as it is.
   * - `keep`: verify first. Without this connection, verifying would copy the log to the file.
   */
  readonly step: 'wait' | 'empty the log' | 'release' | 'keep'
}

export interface FileWatch {
  /**
   * What has happened so far, or null for nothing. Takes some microseconds. That the file was overwritten is said when
   * nothing else has explained its change for so long: a process may be in the middle of one.
   */
  look(confirmedMs?: number): Loss | null
  /** The locks that this process has on the database end, so only once the connection is closed. */
  close(): void
}

const CONFIRMED_MS = 200

/** Watches the files of the database at `path`, which has just been opened at its real path. */
export function watchFiles(path: string, real: string, index: WalIndex): FileWatch {
  const [log, shared] = [`${real}-wal`, `${real}-shm`]
  const opened = { database: stat(real), log: stat(log), shared: stat(shared) }
  const file = openSync(real, 'r')
  let known = { database: opened.database, stamp: index.checkpoints()?.stamp, sample: sampleOf(file) }
  let suspectedAt: number | null = null
  const restoreHint = `Put it back, or a backup in its place: changelogd restore FILE --db ${shellWord(path)}`

  const look = (confirmedMs = CONFIRMED_MS): Loss | null => {
    const there = realPath(path)
    const database = stat(real)
    const [foundLog, foundShared] = [stat(log), stat(shared)]
    const isLeft = isSame(foundLog, opened.log) && !isSame(database, opened.database)
    const step = isLeft ? 'empty the log' : 'release'
    if (there === null) return { message: `${path} was removed.`, hint: restoreHint, step: 'wait' }
    if (there !== real) return { message: `${path} leads to another file now.`, step }
    if (!isSame(database, opened.database)) return { message: `${path} was replaced by another file.`, step }
    if (!isSame(foundLog, opened.log)) return { message: gone(log, foundLog), step: 'release' }
    if (!isSame(foundShared, opened.shared)) return { message: gone(shared, foundShared), step: 'release' }
    return lookInside(confirmedMs)
  }

  /**
   * Other processes write to the file only to copy to it from the log, and note that in the index first. If the file
   * has changed for any other reason, it was overwritten.
   */
  const lookInside = (confirmedMs: number): Loss | null => {
    const before = index.checkpoints()
    // Without a log, the file is written to at every commit.
    if (before === null || before.isUnfinished) return null
    const { stamp } = before
    const [database, logFile] = [stat(real), stat(log)]
    const isChanged = database?.size !== known.database?.size || database?.mtimeNs !== known.database?.mtimeNs
    if (!isChanged || (stamp !== known.stamp && isFromLog(before, database, logFile))) {
      const sample = isChanged ? sampleOf(file) : known.sample
      // Otherwise a process is copying at this moment, and a later look will tell.
      if (index.checkpoints()?.stamp === stamp) known = { database, stamp, sample }
      suspectedAt = null
      return null
    }
    suspectedAt ??= performance.now()
    if (performance.now() - suspectedAt < confirmedMs) return null
    const message = `${path} was overwritten.`
    if (before.isComplete) return { message, step: 'empty the log' }
    // The log may have the only copy of something: what removes it is advised only where it is of another database.
    if (sampleOf(file) === known.sample) return { message, step: 'keep' }
    return {
      message: `${path} was overwritten, but ${log} still has changes of the database that was there before.`,
      hint: `To serve the new one: rm ${shellWord(log)} ${shellWord(shared)}`,
      step: 'wait',
    }
  }

  /** Whether the file is as copying from the log leaves it: with its pages, or older than what became of the log then. */
  const isFromLog = (checkpoints: Checkpoints, database?: BigIntStats, logFile?: BigIntStats): boolean =>
    usesLog(file) &&
    (checkpoints.copied > 0
      ? hasCopiesOf(log, file, checkpoints)
      : (database?.mtimeNs ?? 0n) <= (logFile?.mtimeNs ?? 0n))

  return { look, close: () => closeSync(file) }
}

/** Exactly: inode numbers may be larger than what a number can tell apart. */
function stat(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

const isSame = (one: BigIntStats | undefined, other: BigIntStats | undefined): boolean =>
  one?.ino === other?.ino && one?.dev === other?.dev

const gone = (path: string, found: unknown): string => `${path} was ${found ? 'replaced' : 'removed'}.`
