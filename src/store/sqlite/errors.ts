import { SQLiteError } from 'bun:sqlite'
import { reasonOf } from '../../domain/errors.ts'
import { Unavailable } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/text/shell.ts'
import { writeFault } from '../../files/access.ts'
import { accessError, broken, full, hasRoom } from '../../files/errors.ts'
import { brokenRule } from '../broken-rule.ts'
import { busy, isBusy } from '../wait.ts'

/**
 * Translates failures of the engine into errors for people; `files/errors.ts` does the same for the file system. Returns any
 * other error unchanged. `doing` begins the message, for example "Cannot write x.db".
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
  if (isBusy(error)) return busy(error)
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
