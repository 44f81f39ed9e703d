import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sql'
import { close, connect, OPEN_MS } from '../postgres/connect.ts'
import { before } from '../postgres/deadline.ts'
import { translateErrors } from '../postgres/errors.ts'
import { typedAs } from '../tables/columns.ts'
import { POSTGRES_BOOKKEEPING } from '../tables/postgres.ts'
import type { Drizzle } from '../tables/schema.ts'
import type { Bookkeeping } from './bookkeeping.ts'
import { bookkeepingOn } from './engine.ts'

/** Statements are short. */
const CONNECTIONS = 2

/** Connects on demand. The database must have this program's schema. */
export function openBookkeeping(address: string): Bookkeeping {
  const client = connect(address, { max: CONNECTIONS })
  return bookkeepingOn({
    db: typedAs<Drizzle>(drizzle({ client })),
    tables: POSTGRES_BOOKKEEPING,
    now: () => sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    run: (statement) =>
      translateErrors(address, () => before(OPEN_MS, address, Promise.resolve(statement()))),
    close: () => close(client),
  })
}
