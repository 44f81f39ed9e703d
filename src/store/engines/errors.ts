import { reasonOf } from '../../domain/errors.ts'
import { Refusal, Unavailable } from '../../domain/refusal.ts'

/** SQLite names the broken rule in its message, PostgreSQL in fields. */
type EngineError = Error & {
  code?: unknown
  errno?: unknown
  table?: string
  column?: string
  constraint?: string
  detail?: string
}

/** The error for the user if an engine enforced a rule of the tables, in the same words for both; else null. */
export function brokenRule(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null
  const { code, errno } = error as EngineError
  const isSqlite = typeof code === 'string' && code.startsWith('SQLITE_CONSTRAINT')
  const isPostgres = typeof errno === 'string' && errno.startsWith('23')
  // Drizzle wraps the engine's error in one with the values of the statement.
  if (!isSqlite && !isPostgres) return brokenRule(error.cause)
  const rule = isSqlite ? reasonOf(error) : postgresRule(error)
  return new Refusal(`The database rejected the change: ${rule}.`, { cause: error })
}

function postgresRule({ errno, table, column, constraint, detail, message }: EngineError): string {
  const columns = /\(([^()]*)\)=\(/.exec(detail ?? '')?.[1]?.split(', ') ?? []
  const rules: Record<string, string> = {
    23502: `NOT NULL constraint failed: ${table}.${column}`,
    23503: 'FOREIGN KEY constraint failed',
    23505: `UNIQUE constraint failed: ${columns.map((each) => `${table}.${each}`).join(', ')}`,
    23514: `CHECK constraint failed: ${constraint}`,
  }
  return rules[String(errno)] ?? message
}

/** Error codes for a lock of another process: SQLite's, and PostgreSQL's SQLSTATE. */
const BUSY = /^(SQLITE_BUSY.*|SQLITE_PROTOCOL|55P03)$/

/** SQLite's protocol error counts too: under load, it gives up reading a WAL state that others keep changing. */
export function isBusy(error: unknown): boolean {
  const failure = error instanceof Unavailable ? error.cause : error
  if (!(failure instanceof Error)) return false
  const { code, errno } = failure as Error & { code?: unknown; errno?: unknown }
  return [code, errno].some((each) => typeof each === 'string' && BUSY.test(each))
}

const busy = (cause: Error): Unavailable =>
  new Unavailable('Another changelogd command is using the database.', {
    hint: 'Try again when it is done.',
    cause,
  })

/** The error for the user of a failure that both engines have; null for any other. */
export const commonFailure = (error: Error): Refusal | null =>
  brokenRule(error) ?? (isBusy(error) ? busy(error) : null)
