import { announcingTablesOf } from './announcing.ts'
import type { ColumnBuilders } from './columns.ts'

export type BookkeepingTables = ReturnType<typeof bookkeepingTablesOf>

/**
 * What the worker remembers. On SQLite these tables are in a file beside the database, on PostgreSQL no trigger of the
 * revision is on them: writing them leaves every cache of a server valid.
 */
export function bookkeepingTablesOf(build: ColumnBuilders) {
  const { table, text, number, moment } = build
  const leases = table('worker_lease', {
    name: text().primaryKey(),
    holder: text().notNull(),
    until: moment('until').notNull(),
  })

  const sourceChecks = table('worker_source_check', {
    sourceId: text('source_id').primaryKey(),
    target: text().notNull(),
    /** JSON. */
    memory: text().notNull(),
    checkedAt: moment('checked_at').notNull(),
    changedAt: moment('changed_at'),
    nextAt: moment('next_at').notNull(),
    size: number(),
    failingSince: moment('failing_since'),
    failures: number().notNull(),
    reason: text(),
    remedy: text(),
  })

  return { leases, sourceChecks, ...announcingTablesOf(build) }
}
