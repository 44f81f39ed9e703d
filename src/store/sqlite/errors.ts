import { SQLiteError } from 'bun:sqlite'
import { reasonOf } from '../../domain/errors.ts'
import { toRun, Unavailable } from '../../domain/refusal.ts'
import { writeFault } from '../../files/access.ts'
import { accessError, broken, full, hasRoom } from '../../files/errors.ts'
import { commonFailure } from '../engines/errors.ts'

/** Translates an engine failure for the user. `doing` begins the message. Returns any other error unchanged. */
export function engineError(
  error: unknown,
  file: string,
  doing = `The database ${file} is not responding`,
): unknown {
  if (!(error instanceof SQLiteError)) return error
  const code = error.code ?? ''
  const common = commonFailure(error)
  if (common) return common
  if (code === 'SQLITE_FULL') return full(error, file, doing)
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR_ACCESS)/.test(code)) {
    const fault = writeFault(file, `${file}-wal`, `${file}-shm`)
    if (fault) return accessError(fault, file, doing, error)
  }
  // The index of the log needs room first, and its failure does not say so.
  if (code.startsWith('SQLITE_IOERR'))
    return hasRoom(file) ? broken(error, file, doing) : full(error, file, doing)
  const hint = isDamage(error) ? toRun('To see what to do', 'doctor', [], { db: file }) : undefined
  return new Unavailable(`${doing}: ${reasonOf(error)}.`, { hint, cause: error })
}

/** True if the file is damaged, or not a database. */
export const isDamage = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? '')
