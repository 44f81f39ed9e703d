import { SQL } from 'bun'
import { databaseName } from '../../domain/addresses/database.ts'
import { Refusal, Unavailable } from '../../domain/refusal.ts'
import { brokenRule } from '../broken-rule.ts'

/**
 * What PostgreSQL says (SQLSTATE) when the one who connects must change something first: the user, the password, the
 * database; or a parameter in the address, as no statement of this program has any that is unknown or wrong.
 */
const REFUSED_LOGIN = /^(28|3D|42704|22023)/
/** A table, a column or a function is missing. */
const DAMAGED = /^42(P01|703|883)$/
const NOT_ALLOWED = '42501'
const TABLE_EXISTS = '42P07'
const READ_ONLY = '25006'

/** Translates a failure of the engine into an error for people. Returns any other error unchanged. */
export function engineError(error: unknown, address: string): unknown {
  // A refusal has been translated already.
  if (error instanceof Refusal) return error
  if (isAddressFault(error)) return cannotOpen(address, error)
  const failure = postgresError(error)
  if (!failure) return error
  const rule = brokenRule(failure)
  if (rule) return rule
  const state = failure.errno ?? ''
  const name = databaseName(address)
  if (state === '55P03')
    return new Unavailable('Another changelogd command is using the database.', {
      hint: 'Try again when it is done.',
      cause: failure,
    })
  if (REFUSED_LOGIN.test(state)) return cannotOpen(address, failure)
  if (state === TABLE_EXISTS)
    return new Refusal(`Cannot create the tables in the database ${name}: ${reasonOf(failure)}.`, {
      hint: 'Use a database of its own.',
      cause: failure,
    })
  if (state === NOT_ALLOWED)
    return new Refusal(`Cannot use the database ${name}: ${reasonOf(failure)}.`, {
      hint: 'Use a role that may.',
      cause: failure,
    })
  if (DAMAGED.test(state))
    return new Refusal(`Cannot use the database ${name}: ${reasonOf(failure)}.`, {
      hint: 'It is damaged, or not of changelogd. To check it: changelogd doctor',
      cause: failure,
    })
  if (state === READ_ONLY)
    return new Refusal(`Cannot write to the database ${name}: ${reasonOf(failure)}.`, {
      hint: 'Name the primary server, not a standby.',
      cause: failure,
    })
  return new Unavailable(`The database ${name} does not answer: ${reasonOf(failure)}.`, { cause: failure })
}

/** What the client says of a certificate that it does not trust, and of a parameter in the address that is wrong. */
const ADDRESS_FAULT =
  /CERT|ISSUER|SIGNATURE|CRL|PURPOSE|INVALID_CA|PATH_LENGTH|SSL|TLS|CHANNEL_BINDING|^ERR_INVALID_ARG/

const isAddressFault = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && ADDRESS_FAULT.test(String(error.code))

const cannotOpen = (address: string, cause: Error): Refusal =>
  new Refusal(`Cannot open the database ${databaseName(address)}: ${reasonOf(cause)}.`, {
    hint: 'Set DATABASE_URL, or DATABASE_URL_FILE, to the right one.',
    cause,
  })

/** For a server that runs: where the engine refuses it something, its data cannot be read for now. */
export function whileServing(error: unknown, address: string): unknown {
  const failure = engineError(error, address)
  if (!isRefusal(failure)) return failure
  const { message, hint } = failure
  return new Unavailable(message, { hint, cause: failure })
}

/** Returns what `work` returns; an engine failure in it is thrown translated. */
export async function translateErrors<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw engineError(error, address)
  }
}

/** The engine's own error. Drizzle wraps it in one whose message holds the values of the statement. */
export function postgresError(error: unknown): SQL.PostgresError | null {
  if (error instanceof SQL.PostgresError) return error
  return error instanceof Error && error.cause !== undefined ? postgresError(error.cause) : null
}

/** Whether this program is at fault for the failure, or has to be allowed something: waiting would not help. */
export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Refusal && !(error instanceof Unavailable)

const reasonOf = (error: Error): string => error.message.replace(/[.\s]+$/, '')
