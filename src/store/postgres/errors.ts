import { SQL } from 'bun'
import { databaseName } from '../../domain/addresses/database.ts'
import { codeOf, reasonOf } from '../../domain/errors.ts'
import { type Hint, isRefusal, Refusal, toRun, Unavailable } from '../../domain/refusal.ts'
import { commonFailure } from '../engines/errors.ts'

type Remedy = readonly [doing: string, hint: string | Hint]

const OPEN: Remedy = ['Cannot open', 'Check DATABASE_URL or DATABASE_URL_FILE.']

const REMEDIES: readonly [states: RegExp, remedy: Remedy][] = [
  // User, password, database, or a parameter in the address: no statement of this program has a wrong one.
  [/^(28|3D|42704|22023)/, OPEN],
  [/^42P07$/, ['Cannot create the tables in', 'Use a separate database.']],
  [/^42501$/, ['Cannot use', 'Use a role with the permission.']],
  // A table, a column or a function is missing.
  [
    /^42(P01|703|883)$/,
    ['Cannot use', toRun('It is damaged, or not a changelogd database. To check it', 'doctor')],
  ],
  [/^25006$/, ['Cannot write to', 'Use the primary server, not a standby.']],
]

/** Translates an engine failure for the user. Returns any other error unchanged. */
export function engineError(error: unknown, address: string): unknown {
  if (error instanceof Refusal) return error
  if (isAddressFault(error)) return refused(address, error, OPEN)
  const failure = postgresError(error)
  if (!failure) return error
  const common = commonFailure(failure)
  if (common) return common
  const state = failure.errno ?? ''
  const [, remedy] = REMEDIES.find(([states]) => states.test(state)) ?? []
  if (remedy) return refused(address, failure, remedy)
  const name = databaseName(address)
  return new Unavailable(`The database ${name} is not responding: ${reasonOf(failure)}.`, { cause: failure })
}

const refused = (address: string, cause: Error, [doing, hint]: Remedy): Refusal =>
  new Refusal(`${doing} the database ${databaseName(address)}: ${reasonOf(cause)}.`, { hint, cause })

/** Errors of the client about an untrusted certificate, or a wrong parameter in the address. */
const ADDRESS_FAULT =
  /CERT|ISSUER|SIGNATURE|CRL|PURPOSE|INVALID_CA|PATH_LENGTH|SSL|TLS|CHANNEL_BINDING|^ERR_INVALID_ARG/

const isAddressFault = (error: unknown): error is Error =>
  error instanceof Error && ADDRESS_FAULT.test(codeOf(error))

/** Translates a failure for a running server: what the engine refuses is unavailable for now. */
export function whileServing(error: unknown, address: string): unknown {
  const failure = engineError(error, address)
  if (!isRefusal(failure)) return failure
  const { message, advice: hint } = failure
  return new Unavailable(message, { hint, cause: failure })
}

/** Throws engine failures of `work` translated. */
export async function translateErrors<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw engineError(error, address)
  }
}

/** The engine's error. Drizzle wraps it in one with the values of the statement. */
export function postgresError(error: unknown): SQL.PostgresError | null {
  if (error instanceof SQL.PostgresError) return error
  return error instanceof Error && error.cause !== undefined ? postgresError(error.cause) : null
}
