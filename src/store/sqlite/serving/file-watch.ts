import { type BigIntStats, closeSync, openSync, realpathSync } from 'node:fs'
import { orNull } from '../../../domain/errors.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { exactStat, isSame } from '../../../files/lookup.ts'
import { hasPagesOfWal, isPartlyCopied, isSameSample, sampleOf, usesWal } from './database-pages.ts'
import type { Checkpoints, WalIndex } from './wal-index.ts'

/** What has happened to the files of an open database. */
export interface Loss {
  readonly message: string
  readonly hint?: string
  /**
   * What to do with the connection before opening what is at the path:
   * - `wait`: nothing can be opened yet. The connection may have the only copy of something.
   * - `empty the log`: copy it to the connection's file. Otherwise SQLite would add it to the new one.
   * - `release`: close it and leave every file as it is.
   * - `keep`: verify first. Without this connection, verifying would copy the log to the file.
   */
  readonly step: 'wait' | 'empty the log' | 'release' | 'keep'
}

export interface FileWatch {
  /**
   * What has happened, or null. Takes microseconds. An overwritten file is reported once nothing else has explained its
   * change for `confirmedMs`: a process may be writing. Throws if this user may not look.
   */
  check(confirmedMs?: number): Loss | null
  /** Ends the locks of this process on the database, so only to be called once the connection is closed. */
  close(): void
}

const CONFIRMED_MS = 200

/** File times have steps: a file that has just changed can change again with the same times. */
const SETTLED_MS = 50

/** A process that copies from the log does not pause for so long, except for slow disks. */
const COPYING_MS = 500

/** The database at `path` has just been opened at its real path. */
export function watchFiles(path: string, real: string, index: WalIndex): FileWatch {
  const [log, shared] = [`${real}-wal`, `${real}-shm`]
  const opened = { database: exactStat(real), log: exactStat(log), shared: exactStat(shared) }
  // Opened now: clients may exhaust the file descriptors later.
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
    // Also a file that was replaced between SQLite's opening and this watch.
    if (!isUnchanged(database, opened.database) || index.isMoved())
      return { message: `${path} was replaced by another file.`, step }
    if (!isUnchanged(foundLog, opened.log)) return { message: gone(log, foundLog), step: 'release' }
    if (!isUnchanged(foundShared, opened.shared))
      return { message: gone(shared, foundShared), step: 'release' }
    return checkContent(confirmedMs)
  }

  /** Others write to the file only to copy from the log, which the index shows: any other change overwrote it. */
  const checkContent = (confirmedMs: number): Loss | null => {
    const before = index.checkpoints()
    // Without a log, every commit writes to the file.
    if (before === null || logFile === null) return null
    if (before.isUnfinished) return checkUnfinishedCopy(before, logFile, confirmedMs)
    const database = exactStat(real)
    const isTheSame = isUntouched(database)
    if (isTheSame || isExplained(before, database, logFile)) {
      const now = state(before.stamp, database, isTheSame ? known.sample : sampleOf(file))
      // Otherwise a process is copying now, and a later check will tell.
      if (index.checkpoints()?.stamp === before.stamp) known = now
      suspectedAt = null
      return null
    }
    // Before a process empties the log it restarts the index: until then the log is older than the file.
    if (before.lastFrame === 0 && isBeingCopied(database)) return null
    return suspect(before, confirmedMs)
  }

  /** A process that copies writes all the time; a reader may take long. */
  const isBeingCopied = (database = exactStat(real)): boolean =>
    index.hasOtherUsers() && ageMs(database) < COPYING_MS

  /** Copies the rest, if no process does: otherwise changes of the file could not be noticed until a command copies. */
  const checkUnfinishedCopy = (before: Checkpoints, log: number, confirmedMs: number): Loss | null => {
    if (isBeingCopied()) return null
    if (!isPartlyCopied(known.sample, log, file, before)) return suspect(before, confirmedMs)
    suspectedAt = null
    // If it fails, what was committed is safe in the log.
    orNull(index.copy)
    const after = index.checkpoints()
    if (after && !after.isUnfinished) known = state(after.stamp)
    return null
  }

  const suspect = (before: Checkpoints, confirmedMs: number): Loss | null => {
    suspectedAt ??= performance.now()
    if (performance.now() - suspectedAt < confirmedMs) return null
    const message = `${path} was overwritten.`
    if (before.isComplete) return { message, step: 'empty the log' }
    // The log may have the only copy of something: removing it is advised only if it is another database's.
    if (isSameSample(sampleOf(file), known.sample)) return { message, step: 'keep' }
    return {
      message: `${path} was overwritten, but ${log} still has changes of the database that was there before.`,
      hint: `To serve the new one: rm ${shellWord(log)} ${shellWord(shared)}`,
      step: 'wait',
    }
  }

  /** Unlike the time of the last write, that of the last change cannot be set. */
  const isUntouched = (database?: BigIntStats): boolean =>
    database?.ctimeNs === known.database?.ctimeNs &&
    isAsWritten(database) &&
    (known.isSettled || isSameSample(sampleOf(file), known.sample))

  const isAsWritten = (database?: BigIntStats): boolean =>
    database?.size === known.database?.size && database?.mtimeNs === known.database?.mtimeNs

  const isExplained = (now: Checkpoints, database: BigIntStats | undefined, log: number): boolean =>
    now.stamp === known.stamp ? isOnlyOwned(database) : isFromLog(now, database, log)

  /** Whether only the owner, the mode or the number of names has changed. */
  const isOnlyOwned = (database?: BigIntStats): boolean =>
    ownership(database) !== ownership(known.database) &&
    isAsWritten(database) &&
    isSameSample(sampleOf(file), known.sample)

  /** Whether the file is as copying leaves it: with pages of the log, or older than the last write to the log. */
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

/** Whether a path leads to `real` by another name, next to which it would have another log. */
const leadsElsewhere = (path: string, real: string): boolean =>
  // It fails without a free file descriptor.
  (orNull(() => realpathSync(path)) ?? real) !== real

/** A database cannot be restored while its log is there: a server might be using it. */
function putBack(path: string): string {
  const left = ['-wal', '-shm'].map((suffix) => path + suffix).filter(exactStat)
  const first = left.length > 0 ? `rm ${left.map(shellWord).join(' ')} && ` : ''
  return `Put it back, or a backup in its place: ${first}changelogd restore FILE --db ${shellWord(path)}`
}

const isUnchanged = (found: BigIntStats | undefined, before: BigIntStats | undefined): boolean =>
  found === before || isSame(found, before)

/** How long ago the file last changed. */
const ageMs = (file: BigIntStats | undefined): number => Date.now() - Number(file?.ctimeMs ?? 0)

const ownership = (file: BigIntStats | undefined): string =>
  [file?.mode, file?.uid, file?.gid, file?.nlink].join()

const gone = (path: string, found: unknown): string => `${path} was ${found ? 'replaced' : 'removed'}.`
