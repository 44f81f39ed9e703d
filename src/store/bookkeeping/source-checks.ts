import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Instant, SourceMemory } from '../../domain/records.ts'
import { prepared } from '../records/engine.ts'
import type { BookkeepingTables } from '../tables/bookkeeping.ts'
import { type BookkeepingEngine, excluded } from './engine.ts'
import type { Trouble } from './trouble.ts'

export interface SourceCheck {
  /** What was checked, such as its address: a check of another target says nothing. */
  target: string
  memory: SourceMemory
  checkedAt: Instant
  /** When a check last changed something here. */
  changedAt: Instant | null
  /** When the next one is due. */
  nextAt: Instant
  /** How many versions the source had when it was last imported: see transfer/import-followed.ts. */
  size: number | null
  /** Null if the last check succeeded, or if its host has asked for a pause before anything failed. */
  failure: (Trouble & { /** How many checks have failed in a row. */ count: number }) | null
  /** Not null if only the host's wish for a pause keeps it from being checked, until `nextAt`. */
  waiting: Trouble | null
}

export interface SourceChecks {
  /** By the id of the source. */
  all(): Promise<ReadonlyMap<string, SourceCheck>>
  find(sourceId: string): Promise<SourceCheck | null>
  put(sourceId: string, check: SourceCheck): Promise<void>
  /** Forgets the checks of sources that are not among these. */
  keepOnly(sourceIds: readonly string[]): Promise<void>
}

export function sourceCheckRecords({ db, tables, run }: BookkeepingEngine): SourceChecks {
  const { sourceChecks } = tables
  const isOf = eq(sourceChecks.sourceId, sql.placeholder('sourceId'))
  const list = prepared(() => db.select().from(sourceChecks))
  const find = prepared(() => db.select().from(sourceChecks).where(isOf))
  const remove = prepared(() => db.delete(sourceChecks).where(isOf))
  const insert = prepared(() => {
    const names = Object.keys(getTableColumns(sourceChecks))
    const row: unknown = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]))
    return db
      .insert(sourceChecks)
      .values(row as typeof sourceChecks.$inferInsert)
      .onConflictDoUpdate({ target: sourceChecks.sourceId, set: excluded(sourceChecks) })
  })

  const all = async () => {
    const rows = await run(() => list())
    return new Map(rows.map((row) => [row.sourceId, checkOf(row)]))
  }

  return {
    all,

    find: async (sourceId) => {
      const [row] = await run(() => find({ sourceId }))
      return row ? checkOf(row) : null
    },

    put: async (sourceId, { failure, waiting, memory, ...check }) => {
      const { since: failingSince, reason, remedy } = failure ?? waiting ?? NOTHING
      const failures = failure?.count ?? 0
      await run(() =>
        insert({
          ...{ sourceId, ...check, memory: JSON.stringify(memory) },
          ...{ failures, failingSince, reason, remedy },
        }),
      )
    },

    keepOnly: async (sourceIds) => {
      const kept = new Set(sourceIds)
      for (const sourceId of (await all()).keys())
        if (!kept.has(sourceId)) await run(() => remove({ sourceId }))
    },
  }
}

const NOTHING = { since: null, reason: null, remedy: null }

function checkOf({
  sourceId: _,
  memory,
  failingSince,
  failures,
  reason,
  remedy,
  ...row
}: BookkeepingTables['sourceChecks']['$inferSelect']): SourceCheck {
  const why = failingSince === null ? null : { since: failingSince, reason: reason ?? '', remedy }
  return {
    ...row,
    memory: JSON.parse(memory) as SourceMemory,
    failure: why && failures > 0 ? { ...why, count: failures } : null,
    waiting: failures > 0 ? null : why,
  }
}
