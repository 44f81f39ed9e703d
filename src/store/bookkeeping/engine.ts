import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { mapRows } from '../../domain/objects.ts'
import type { Instant } from '../../domain/records.ts'
import { mostAhead } from '../../domain/time/waiting.ts'
import type { BookkeepingTables, CopyTable } from '../tables/bookkeeping.ts'
import type { Drizzle } from '../tables/schema.ts'

/** What an engine gives to the bookkeeping. Its writes are one statement each, or `atOnce`. */
export interface BookkeepingEngine {
  db: Drizzle
  tables: BookkeepingTables
  /** Null if the engine has none. */
  copies: CopyTable | null
  /** The time, in milliseconds: PostgreSQL's own, because the clocks of machines differ. */
  now(): SQL
  /** How long a lease or a claim is valid. */
  leaseMs: number
  /** Runs a statement; throws a failure of the engine as `Unavailable`. */
  run<T>(statement: () => PromiseLike<T>): Promise<T>
  /**
   * Runs all in one transaction. False, and nothing is written, if the first returns no row: it takes the right to write
   * the others.
   */
  atOnce(statements: readonly Statement[]): Promise<boolean>
  /** Another text whenever anybody has changed the content. Cheap; only equality means something. */
  contentRevision(): Promise<string>
  close(): void
}

/** What is used of a statement of Drizzle, on the connection of a transaction. */
export type Statement = (on: Drizzle) => PromiseLike<unknown> & { all?(): unknown; run(): unknown }

/** As `isDue` of domain/time/due.ts, in SQL. */
export const isDueAt = (at: Column, now: SQL | Instant, longest: number): SQL =>
  sql`(${at} <= ${now} or ${at} - ${mostAhead(0, longest)} > ${now})`

/** What an insert would have written, for every column. */
export const excluded = (table: SQLiteTable) =>
  mapRows<Record<string, Column>, SQL>(getTableColumns(table), ({ name }) => sql.raw(`excluded."${name}"`))
