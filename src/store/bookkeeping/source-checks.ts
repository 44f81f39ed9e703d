import { eq, notInArray } from 'drizzle-orm'
import type { Instant, SourceMemory } from '../../domain/records.ts'
import type { BookkeepingTables } from '../tables/bookkeeping.ts'
import { type BookkeepingEngine, excluded } from './engine.ts'

/** Why something does not work. */
export interface Trouble {
  since: Instant
  /** A sentence. */
  reason: string
  /** The remedy, as a sentence or a command. */
  remedy: string | null
}

export interface SourceCheck {
  /** The checked target, such as its address: a check of another says nothing. */
  target: string
  memory: SourceMemory
  checkedAt: Instant
  /** When a check last changed something here. */
  changedAt: Instant | null
  /** When the next check is due. */
  nextAt: Instant
  /** How many versions the source had when it was last imported: see transfer/import-followed.ts. */
  size: number | null
  /** Null if the last check succeeded, or if its host has asked for a pause before anything failed. */
  failure: (Trouble & { /** How many checks have failed in a row. */ count: number }) | null
  /** Not null if only the host's wish for a pause keeps it from being checked, until `nextAt`. */
  waiting: Trouble | null
}

export function sourceCheckRecords({ db, tables }: BookkeepingEngine) {
  const { sourceChecks } = tables
  return {
    /** Checks by the id of the source. */
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

    /** Forgets the checks of sources that are not among these. */
    keepOnly: async (sourceIds: readonly string[]): Promise<void> =>
      db.delete(sourceChecks).where(notInArray(sourceChecks.sourceId, [...sourceIds])),
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
