import { SQLiteError } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Unavailable } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/shell.ts'
import { brokenRule } from '../broken-rule.ts'
import { isBusy } from '../wait.ts'
import { type AccessFault, readFault, writeFault } from './files/access.ts'

/**
 * The two translators of what fails below the store into errors for people: one for the engine, one for the file
 * system. Each returns any other error unchanged. `file` is what was used, and `doing` begins the message, for example
 * "Cannot write x.db".
 */

/** Translates a failure of the engine, which used the database `file`. */
export function engineError(
  error: unknown,
  file: string,
  doing = `The database ${file} does not answer`,
): unknown {
  if (!(error instanceof SQLiteError)) return error
  const code = error.code ?? ''
  const rule = brokenRule(error)
  if (rule) return rule
  if (isBusy(error))
    return new Unavailable('Another changelogd command is using the database.', {
      hint: 'Try again when it is done.',
      cause: error,
    })
  if (code === 'SQLITE_FULL') return full(error, file, doing)
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR_ACCESS)/.test(code)) {
    const fault = writeFault(file, `${file}-wal`, `${file}-shm`)
    if (fault) return accessError(fault, file, doing, error)
  }
  // The index of the log is the first thing that needs room, and its failure says nothing of that.
  if (code.startsWith('SQLITE_IOERR'))
    return hasRoom(file) ? broken(error, file, doing) : full(error, file, doing)
  const hint = isDamage(error) ? `To see what to do: changelogd doctor --db ${shellWord(file)}` : undefined
  return new Unavailable(`${doing}: ${reasonOf(error)}.`, { hint, cause: error })
}

/** Translates a failure of the file system. */
export function fileError(error: unknown, file: string, doing: string): unknown {
  if (error instanceof SQLiteError || !(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return full(error, file, doing)
  if (error.code === 'EIO') return broken(error, file, doing)
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS') {
    // What failed may be a file next to it.
    const path = 'path' in error && typeof error.path === 'string' ? error.path : file
    const fault = readFault(path) ?? writeFault(path)
    if (fault) return accessError(fault, file, doing, error)
  }
  return new Unavailable(`${doing}: ${reasonOf(error)}.`, { cause: error })
}

/** The error for a file that this user may not use. */
export const accessError = (
  { path, reason, hint }: AccessFault,
  file: string,
  doing: string,
  cause?: Error,
): Unavailable => new Unavailable(`${doing}: ${path === file ? 'it' : path} ${reason}.`, { hint, cause })

/** Returns what `work` returns; an engine failure in it, with the database `file`, is thrown translated. */
export function translateErrors<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw engineError(error, file)
  }
}

/** Whether the engine says that the file is damaged, or not a database at all. */
export const isDamage = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? '')

const full = (cause: Error, file: string, doing: string): Unavailable =>
  new Unavailable(`${doing}: the disk is full.`, {
    hint: `Make room, and try again. To see how much there is: df -h ${shellWord(dirname(file))}`,
    cause,
  })

const broken = (cause: Error, file: string, doing: string): Unavailable =>
  new Unavailable(`${doing}: the disk has failed to read or write (${reasonOf(cause)}).`, {
    hint: `The log of the system says more, for example: dmesg. To see whether a database is whole: changelogd doctor --db ${shellWord(file)}`,
    cause,
  })

/** Less than this is as good as nothing: SQLite begins with half of it. */
const LEAST_ROOM = 65_536

function hasRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize >= LEAST_ROOM
  } catch {
    return true
  }
}

const reasonOf = (error: Error): string => error.message.replace(/[.\s]+$/, '')
