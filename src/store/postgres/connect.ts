import { SQL } from 'bun'
import { databaseName } from '../../domain/addresses/database.ts'
import { Unavailable } from '../../domain/refusal.ts'
import { inTime } from '../../domain/time/waiting.ts'
import { engineError } from './errors.ts'

export type Client = Pick<SQL, 'unsafe'>

/** How long connecting and the first reply may take. */
export const OPEN_MS = 5_000

export const DEADLINE_MS = 2_000

/**
 * Without statistics, the engine would rather read a small table than its index, and so look at what is hidden. Reading a
 * table without an index then counts as so expensive that it would compile the statement first, for a third of a second.
 */
export const BY_INDEX = { enable_seqscan: 'off', jit: 'off' }

/** The pool of a server, which cannot write. */
export const serving = (max: number) => ({
  max,
  settings: { default_transaction_read_only: 'on', statement_timeout: DEADLINE_MS, ...BY_INDEX },
})

/** A pool that connects on demand. Throws a `Refusal` for an invalid address. */
export function connect(address: string, { max, settings }: { max: number; settings?: object }): SQL {
  const { pathname } = new URL(address)
  const database = decodeURIComponent(pathname.slice(1))
  try {
    return new SQL({
      url: address,
      adapter: 'postgres',
      // Otherwise PGDATABASE would override the URL.
      ...(database && { database }),
      max,
      connectionTimeout: OPEN_MS / 1_000,
      connection: { application_name: 'changelogd', ...settings },
    })
  } catch (error) {
    throw engineError(error, address)
  }
}

export const close = (sql: SQL): void => void sql.close({ timeout: 0 }).catch(() => {})

/** Rows as arrays, in the order of the SQL. */
export const valuesOf = (client: Client, text: string, values: unknown[] = []): SQL.Query<unknown[][]> =>
  client.unsafe<unknown[][]>(text, values).values()

class Late extends Unavailable {}

export const isLate = (error: unknown): boolean => error instanceof Late

/** Throws `Unavailable` after the deadline, and calls `cancel`. The client has no such limit. */
export const before = <T>(
  ms: number,
  address: string,
  work: Promise<T>,
  cancel: () => void = () => {},
): Promise<T> =>
  inTime(ms, work, () => {
    // Not at once, or the result would be that it was canceled.
    queueMicrotask(cancel)
    return new Late(`The database ${databaseName(address)} did not respond within ${ms} ms.`)
  })
