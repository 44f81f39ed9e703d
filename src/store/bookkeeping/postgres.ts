import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sql'
import { before, close, connect, OPEN_MS, valuesOf } from '../postgres/connect.ts'
import { translateErrors } from '../postgres/errors.ts'
import { POSTGRES_BOOKKEEPING } from '../tables/postgres.ts'
import { type Drizzle, typedAs } from '../tables/schema.ts'
import { type Bookkeeping, bookkeepingOn, type Timing } from './bookkeeping.ts'

const NOW = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Statements are short. */
const CONNECTIONS = 2
/** A round may announce thousands of versions. */
const TRANSACTION_MS = 60_000

/** Connects on demand. The database must have this program's schema. */
export function openBookkeeping(address: string, { leaseMs }: Timing): Bookkeeping {
  const client = connect(address, { max: CONNECTIONS })
  const within = <T>(limitMs: number, statement: () => PromiseLike<T>): Promise<T> =>
    translateErrors(address, () => before(limitMs, address, Promise.resolve(statement())))
  return bookkeepingOn({
    db: typedAs<Drizzle>(drizzle({ client })),
    tables: POSTGRES_BOOKKEEPING,
    backups: null,
    now: () => NOW,
    leaseMs,
    run: (statement) => within(OPEN_MS, statement),
    atOnce: ([first, ...others]) =>
      within(TRANSACTION_MS, () =>
        client.begin(async (transaction) => {
          const on = typedAs<Drizzle>(drizzle({ client: transaction }))
          const taken = await first?.(on)
          if (!Array.isArray(taken) || taken.length === 0) return false
          for (const statement of others) await statement(on)
          return true
        }),
      ),
    contentRevision: () =>
      within(OPEN_MS, async () =>
        String((await valuesOf(client, 'select revision from changelogd'))[0]?.[0]),
      ),
    close: () => close(client),
  })
}

/** On PostgreSQL, the schema has the tables. */
export const openExisting = openBookkeeping
