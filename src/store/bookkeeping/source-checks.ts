import { eq, notInArray } from 'drizzle-orm'
import type { Instant, SourceMemory } from '../../domain/records.ts'
import type { BookkeepingTables } from '../tables/bookkeeping.ts'
import { type BookkeepingEngine, excluded } from './engine.ts'

export interface Trouble {
  since: Instant
  reason: string
  remedy: string | null
}

export type SourceCheck = ReturnType<typeof checkOf>

export function sourceCheckRecords({ db, tables }: BookkeepingEngine) {
  const { sourceChecks } = tables
  return {
    all: async (): Promise<ReadonlyMap<string, SourceCheck>> => {
      const rows = await db.select().from(sourceChecks)
      return new Map(rows.map((row) => [row.sourceId, checkOf(row)]))
    },

    find: async (sourceId: string): Promise<SourceCheck | null> => {
      const [row] = await db.select().from(sourceChecks).where(eq(sourceChecks.sourceId, sourceId))
      return row ? checkOf(row) : null
    },

    put: async (sourceId: string, { failure, waiting, memory, ...check }: SourceCheck): Promise<void> => {
      const { since: failingSince, reason, remedy } = failure ?? waiting ?? NOTHING
      const why = { failures: failure?.count ?? 0, failingSince, reason, remedy }
      await db
        .insert(sourceChecks)
        .values({ sourceId, ...check, ...why, memory: JSON.stringify(memory) })
        .onConflictDoUpdate({ target: sourceChecks.sourceId, set: excluded(sourceChecks) })
    },

    keepOnly: async (sourceIds: readonly string[]): Promise<void> =>
      db.delete(sourceChecks).where(notInArray(sourceChecks.sourceId, [...sourceIds])),
  }
}

const NOTHING = { since: null, reason: null, remedy: null }

function checkOf(stored: BookkeepingTables['sourceChecks']['$inferSelect']) {
  const { sourceId: _, memory, failingSince, failures, reason, remedy, ...row } = stored
  const why = troubleOf(failingSince, reason, remedy)
  return {
    ...row,
    memory: JSON.parse(memory) as SourceMemory,
    /** Null if the last check succeeded, or if its host has asked for a pause before anything failed. */
    failure: why && failures > 0 ? { ...why, /** Checks that failed in a row. */ count: failures } : null,
    /** Not null if only the host's wish for a pause keeps it from being checked, until `nextAt`. */
    waiting: failures > 0 ? null : why,
  }
}

export const troubleOf = (since: Instant | null, reason: string | null, remedy: string | null) =>
  since === null ? null : { since, reason: reason ?? '', remedy }
