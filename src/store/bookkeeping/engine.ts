import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { mapRows } from '../../domain/objects.ts'
import type { Instant } from '../../domain/records.ts'
import { mostAhead } from '../../domain/time/waiting.ts'
import type { BackupTable, BookkeepingTables } from '../tables/bookkeeping.ts'
import type { Drizzle } from '../tables/schema.ts'

/** The engine of the bookkeeping. Its writes are one statement each, or `atOnce`. */
export interface BookkeepingEngine {
  db: Drizzle
  tables: BookkeepingTables
  /** Null on PostgreSQL. */
  backups: BackupTable | null
  /** The time, in milliseconds: PostgreSQL's own, because the clocks of machines differ. */
  now(): SQL
  leaseMs: number
  /** Runs a statement; throws a failure of the engine as `Unavailable`. */
  run<T>(statement: () => PromiseLike<T>): Promise<T>
  /**
   * Runs all in one transaction. False, and nothing is written, if the first returns no row: it takes the right to write
   * the others.
   */
  atOnce(statements: readonly Statement[]): Promise<boolean>
  /** A text that changes whenever anybody has changed the content. Cheap; only equality means something. */
  contentRevision(): Promise<string>
  close(): void
}

/** The used part of a Drizzle statement, on the connection of a transaction. */
export type Statement = (on: Drizzle) => PromiseLike<unknown> & { all?(): unknown; run(): unknown }

/** `isDue` of domain/time/waiting.ts in SQL. */
export const isDueAt = (at: Column, now: SQL | Instant, longest: number): SQL =>
  sql`(${at} <= ${now} or ${at} - ${mostAhead(0, longest)} > ${now})`

/** The values an insert would have written, by column. */
export const excluded = (table: SQLiteTable) =>
  mapRows<Record<string, Column>, SQL>(getTableColumns(table), ({ name }) => sql.raw(`excluded."${name}"`))
