import { eq, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '../../domain/records.ts'
import type { CopyTable } from '../tables/bookkeeping.ts'
import type { BookkeepingEngine } from './engine.ts'
import type { Trouble } from './source-checks.ts'

/** The note about the copies at a place. */
export interface CopyNote {
  /** As `s3://BUCKET/PATH/`. */
  place: string
  /** When the newest good one there was made; null if there was none. */
  newestAt: Instant | null
  /** Null if the worker could look there and copy at its last try. */
  failure: Trouble | null
  /** When the newest one was last tried with success: see `backup verify`. */
  verifiedAt: Instant | null
  /** The fault found when that was last tried, as a sentence; null if there was none. */
  fault: string | null
}

export type CopyNotes = ReturnType<typeof copyNotes>

type Values = Partial<CopyTable['$inferInsert']>
type Known = Omit<Values, 'failingSince'> & { failingSince?: Values['failingSince'] | SQL }

export function copyNotes({ db }: Pick<BookkeepingEngine, 'db'>, copies: CopyTable) {
  const put = async (place: string, values: Values, known: Known = values): Promise<void> => {
    await db
      .insert(copies)
      .values({ place, ...values })
      .onConflictDoUpdate({ target: copies.place, set: known })
  }
  const update = async (place: string, values: Values): Promise<void> => {
    await db.update(copies).set(values).where(eq(copies.place, place))
  }
  return {
    /** The place with the newest copy first. */
    all: async (): Promise<CopyNote[]> => {
      const rows = await db.select().from(copies)
      return rows.map(noteOf).sort((one, other) => (other.newestAt ?? 0) - (one.newestAt ?? 0))
    },

    /** The bucket tells that this is the newest good copy. Ends a failure. */
    found: (place: string, newestAt: Instant | null): Promise<void> =>
      put(place, { newestAt, failingSince: null, reason: null, remedy: null }),

    /** Since when it fails is kept while it does; so is `newestAt`, if that could not be found out. */
    failed: (
      place: string,
      { since, reason, remedy }: Trouble,
      newestAt: Instant | null | undefined,
    ): Promise<void> => {
      const values = { newestAt, failingSince: since, reason, remedy }
      return put(place, values, { ...values, failingSince: sql`coalesce(${copies.failingSince}, ${since})` })
    },

    /** For known places; nothing is kept of others. */
    verified: (place: string, verifiedAt: Instant): Promise<void> =>
      update(place, { verifiedAt, fault: null }),
    faulty: (place: string, fault: string): Promise<void> => update(place, { fault }),
  }
}

const noteOf = ({ failingSince, reason, remedy, ...row }: CopyTable['$inferSelect']): CopyNote => ({
  ...row,
  failure: failingSince === null ? null : { since: failingSince, reason: reason ?? '', remedy },
})
