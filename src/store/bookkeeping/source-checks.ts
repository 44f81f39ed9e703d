import { eq, notInArray } from 'drizzle-orm'
import type { SourceMemory } from '../../domain/records.ts'
import type { BookkeepingTables } from '../tables/bookkeeping.ts'
import type { SourceCheck, SourceChecks } from './bookkeeping.ts'
import type { BookkeepingEngine } from './engine.ts'

export function sourceCheckRecords({ db, tables, run }: BookkeepingEngine): SourceChecks {
  const { sourceChecks } = tables
  return {
    all: async () => {
      const rows = await run(() => db.select().from(sourceChecks))
      return new Map(rows.map((row) => [row.sourceId, checkOf(row)]))
    },

    find: async (sourceId) => {
      const [row] = await run(() => db.select().from(sourceChecks).where(eq(sourceChecks.sourceId, sourceId)))
      return row ? checkOf(row) : null
    },

    put: async (sourceId, { failure, memory, ...check }) => {
      const row = {
        ...check,
        memory: JSON.stringify(memory),
        failingSince: failure?.since ?? null,
        failures: failure?.count ?? 0,
        reason: failure?.reason ?? null,
        remedy: failure?.remedy ?? null,
      }
      await run(() =>
        db
          .insert(sourceChecks)
          .values({ sourceId, ...row })
          .onConflictDoUpdate({ target: sourceChecks.sourceId, set: row }),
      )
    },

    keepOnly: async (sourceIds) => {
      await run(() => db.delete(sourceChecks).where(notInArray(sourceChecks.sourceId, [...sourceIds])))
    },
  }
}

function checkOf({
  sourceId: _,
  memory,
  failingSince,
  failures,
  reason,
  remedy,
  ...row
}: BookkeepingTables['sourceChecks']['$inferSelect']): SourceCheck {
  return {
    ...row,
    memory: JSON.parse(memory) as SourceMemory,
    failure:
      failingSince === null ? null : { since: failingSince, count: failures, reason: reason ?? '', remedy },
  }
}
