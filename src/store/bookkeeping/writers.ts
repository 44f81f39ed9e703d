import { inArray } from 'drizzle-orm'
import type { Instant } from '../../domain/records.ts'
import { type BookkeepingEngine, excluded } from './engine.ts'

/** Who wrote a version last at the desk. */
export interface Writer {
  name: string
  at: Instant
  /** A hash of the version as it was then: a command may have changed it since. */
  state: string
}

export function writerRecords({ db, tables }: BookkeepingEngine) {
  const { writers } = tables
  return {
    find: async (versionIds: readonly string[]): Promise<ReadonlyMap<string, Writer>> => {
      const rows = await db
        .select()
        .from(writers)
        .where(inArray(writers.versionId, [...versionIds]))
      return new Map(rows.map(({ versionId, ...writer }) => [versionId, writer]))
    },

    put: async (versionId: string, writer: Writer): Promise<void> => {
      await db
        .insert(writers)
        .values({ versionId, ...writer })
        .onConflictDoUpdate({ target: writers.versionId, set: excluded(writers) })
    },
  }
}
