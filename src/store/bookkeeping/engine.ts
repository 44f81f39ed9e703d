import type { SQL } from 'drizzle-orm'
import type { BookkeepingTables } from '../tables/bookkeeping.ts'
import type { Drizzle } from '../tables/schema.ts'
import type { Bookkeeping } from './bookkeeping.ts'
import { leaseRecords } from './leases.ts'
import { sourceCheckRecords } from './source-checks.ts'

/** What an engine gives to the bookkeeping. Each of its writes is one statement. */
export interface BookkeepingEngine {
  db: Drizzle
  tables: BookkeepingTables
  /** The time, in milliseconds: PostgreSQL's own, because the clocks of machines differ. */
  now(): SQL
  /** Runs a statement; throws a failure of the engine as `Unavailable`. */
  run<T>(statement: () => PromiseLike<T>): Promise<T>
  close(): void
}

export const bookkeepingOn = (engine: BookkeepingEngine): Bookkeeping => ({
  leases: leaseRecords(engine),
  sourceChecks: sourceCheckRecords(engine),
  close: () => engine.close(),
})
