import { SQLiteError } from 'bun:sqlite'
import { Refusal, Unavailable } from '../../domain/refusal.ts'

/**
 * The two translators of what fails below the store into errors for people: one for the engine, one for the file
 * system. Each returns any other error unchanged. `doing` begins the message, for example "Cannot write x.db".
 */

/** Translates a failure of the engine. */
export function engineError(error: unknown, doing = 'The database does not answer'): unknown {
  if (!(error instanceof SQLiteError)) return error
  const code = error.code ?? ''
  if (code.startsWith('SQLITE_CONSTRAINT'))
    return new Refusal(`That would break a rule of the database: ${reasonOf(error)}.`, { cause: error })
  if (isBusy(error))
    return new Unavailable('Another changelogd command is using the database.', {
      hint: 'Try again when it is done.',
      cause: error,
    })
  return new Unavailable(`${doing}: ${reasonOf(error)}.`, { cause: error })
}

/** Translates a failure of the file system. */
export function fileError(error: unknown, doing: string): unknown {
  if (error instanceof SQLiteError || !(error instanceof Error) || !('code' in error)) return error
  return new Unavailable(`${doing}: ${reasonOf(error)}.`, { cause: error })
}

/** Returns what `work` returns; an engine failure in it is thrown translated. */
export function translateErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw engineError(error)
  }
}

/** Whether the engine says that the file is damaged, or not a database at all. */
export const isDamage = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code ?? '')

/**
 * Whether the engine says, translated or not, that another process has the lock. A protocol error means the same:
 * under heavy load SQLite gives up to read the state of the log while others change it.
 */
export function isBusy(error: unknown): boolean {
  const failure = error instanceof Unavailable ? error.cause : error
  return failure instanceof SQLiteError && /^SQLITE_(BUSY|PROTOCOL)/.test(failure.code ?? '')
}

const reasonOf = (error: Error): string => error.message.replace(/[.\s]+$/, '')
