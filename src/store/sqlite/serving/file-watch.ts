import { type BigIntStats, closeSync, openSync, realpathSync } from 'node:fs'
import { shellWord } from '../../../domain/text/shell.ts'
import { exactStat, isSame } from '../../../files/lookup.ts'
import { hasPagesOfWal, isPartlyCopied, isSameSample, sampleOf, usesWal } from './database-pages.ts'
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
   * nothing else has explained its change for so long: a process may be in the middle of one. Throws if this user may
   * not look.
   */
  check(confirmedMs?: number): Loss | null
  /** The locks that this process has on the database end, so only once the connection is closed. */
  close(): void
}

const CONFIRMED_MS = 200

/** File systems count time in steps: a file that has just changed can change again without a trace in its times. */
const SETTLED_MS = 50

/** A process that copies from the log does not pause for so long, but while the disk writes. */
const COPYING_MS = 500

/** Watches the files of the database at `path`, which has just been opened at its real path. */
export function watchFiles(path: string, real: string, index: WalIndex): FileWatch {
  const [log, shared] = [`${real}-wal`, `${real}-shm`]
  const opened = { database: exactStat(real), log: exactStat(log), shared: exactStat(shared) }
  // Everything a check needs is opened now: clients may exhaust the file descriptors later.
  const file = openSync(real, 'r')
  const logFile = opened.log ? openSync(log, 'r') : null
  const state = (stamp: string | undefined, database = exactStat(real), sample = sampleOf(file)) => ({
    database,
    sample,
    stamp,
    isSettled: ageMs(database) > SETTLED_MS,
  })
  let known = state(index.checkpoints()?.stamp)
  let suspectedAt: number | null = null

  const check = (confirmedMs = CONFIRMED_MS): Loss | null => {
    const there = exactStat(path)
    const [database, foundLog, foundShared] = [exactStat(real), exactStat(log), exactStat(shared)]
    const isLeft = isUnchanged(foundLog, opened.log) && !isUnchanged(database, opened.database)
    const step = isLeft ? 'empty the log' : 'release'
    if (!there) return { message: `${path} was removed.`, hint: putBack(path), step: 'wait' }
    if (!isUnchanged(there, database) || leadsElsewhere(path, real))
      return { message: `${path} leads to another file now.`, step }
    // Also what was replaced after SQLite had opened it, and before this watch began.
    if (!isUnchanged(database, opened.database) || index.isMoved())
      return { message: `${path} was replaced by another file.`, step }
    if (!isUnchanged(foundLog, opened.log)) return { message: gone(log, foundLog), step: 'release' }
    if (!isUnchanged(foundShared, opened.shared))
      return { message: gone(shared, foundShared), step: 'release' }
    return checkContent(confirmedMs)
  }

  /**
   * Other processes write to the file only to copy to it from the log, and note that in the index first. If the file
   * has changed for any other reason, it was overwritten.
   */
  const checkContent = (confirmedMs: number): Loss | null => {
    const before = index.checkpoints()
    // Without a log, the file is written to at every commit.
    if (before === null || logFile === null) return null
    if (before.isUnfinished) return checkUnfinishedCopy(before, logFile, confirmedMs)
    const database = exactStat(real)
    const isTheSame = isUntouched(database)
    if (isTheSame || isExplained(before, database, logFile)) {
      const now = state(before.stamp, database, isTheSame ? known.sample : sampleOf(file))
      // Otherwise a process is copying at this moment, and a later look will tell.
      if (index.checkpoints()?.stamp === before.stamp) known = now
      suspectedAt = null
      return null
    }
    return suspect(before, confirmedMs)
  }

  /**
   * If no process is copying any more, copies the rest. Otherwise nothing that happens to the file could be noticed
   * until a command copies again.
   */
  const checkUnfinishedCopy = (before: Checkpoints, log: number, confirmedMs: number): Loss | null => {
    // One that copies writes all the time; one that only reads may take long.
    if (index.hasOtherUsers() && ageMs(exactStat(real)) < COPYING_MS) return null
    if (!isPartlyCopied(known.sample, log, file, before)) return suspect(before, confirmedMs)
    suspectedAt = null
    try {
      index.copy()
    } catch {
      // What was committed is safe in the log.
    }
    const after = index.checkpoints()
    if (after && !after.isUnfinished) known = state(after.stamp)
    return null
  }

  const suspect = (before: Checkpoints, confirmedMs: number): Loss | null => {
    suspectedAt ??= performance.now()
    if (performance.now() - suspectedAt < confirmedMs) return null
    const message = `${path} was overwritten.`
    if (before.isComplete) return { message, step: 'empty the log' }
    // The log may have the only copy of something: what removes it is advised only where it is of another database.
    if (isSameSample(sampleOf(file), known.sample)) return { message, step: 'keep' }
    return {
      message: `${path} was overwritten, but ${log} still has changes of the database that was there before.`,
      hint: `To serve the new one: rm ${shellWord(log)} ${shellWord(shared)}`,
      step: 'wait',
    }
  }

  /** Nobody can set the time of the last change of a file, unlike that of the last write. */
  const isUntouched = (database?: BigIntStats): boolean =>
    database?.ctimeNs === known.database?.ctimeNs &&
    isAsWritten(database) &&
    (known.isSettled || isSameSample(sampleOf(file), known.sample))

  const isAsWritten = (database?: BigIntStats): boolean =>
    database?.size === known.database?.size && database?.mtimeNs === known.database?.mtimeNs

  const isExplained = (now: Checkpoints, database: BigIntStats | undefined, log: number): boolean =>
    now.stamp === known.stamp ? isOnlyOwned(database) : isFromLog(now, database, log)

  /** Whether only the owner or the mode of the file is another, or it has another name as well. */
  const isOnlyOwned = (database?: BigIntStats): boolean =>
    ownership(database) !== ownership(known.database) &&
    isAsWritten(database) &&
    isSameSample(sampleOf(file), known.sample)

  /** Whether the file is as copying from the log leaves it: with its pages, or older than what became of the log then. */
  const isFromLog = (now: Checkpoints, database: BigIntStats | undefined, log: number): boolean =>
    usesWal(file) &&
    (now.copied > 0
      ? hasPagesOfWal(log, file, now)
      : (database?.ctimeNs ?? 0n) <= (exactStat(`${real}-wal`)?.mtimeNs ?? 0n))

  const close = () => {
    closeSync(file)
    if (logFile !== null) closeSync(logFile)
  }

  return { check, close }
}

/** Whether a path that leads to the file `real` does so by another name, next to which it would have another log. */
function leadsElsewhere(path: string, real: string): boolean {
  try {
    return realpathSync(path) !== real
  } catch {
    // It needs a file of its own to find out.
    return false
  }
}

/** A database whose log is still there cannot be restored: a server might be serving it. */
function putBack(path: string): string {
  const left = ['-wal', '-shm'].map((suffix) => path + suffix).filter(exactStat)
  const first = left.length > 0 ? `rm ${left.map(shellWord).join(' ')} && ` : ''
  return `Put it back, or a backup in its place: ${first}changelogd restore FILE --db ${shellWord(path)}`
}

/** Whether it is still the same file, or still none. */
const isUnchanged = (found: BigIntStats | undefined, before: BigIntStats | undefined): boolean =>
  found === before || isSame(found, before)

/** How long ago the file has last changed. */
const ageMs = (file: BigIntStats | undefined): number => Date.now() - Number(file?.ctimeMs ?? 0)

const ownership = (file: BigIntStats | undefined): string =>
  [file?.mode, file?.uid, file?.gid, file?.nlink].join()

const gone = (path: string, found: unknown): string => `${path} was ${found ? 'replaced' : 'removed'}.`
