import { eq, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '../../domain/records.ts'
import type { BackupTable } from '../tables/bookkeeping.ts'
import type { BookkeepingEngine } from './engine.ts'
import { type Trouble, troubleOf } from './source-checks.ts'

export type BackupNote = ReturnType<typeof noteOf>

export type BackupNotes = ReturnType<typeof backupNotes>

type Values = Partial<BackupTable['$inferInsert']>
type Known = Omit<Values, 'failingSince'> & { failingSince?: Values['failingSince'] | SQL }

export function backupNotes({ db }: Pick<BookkeepingEngine, 'db'>, backups: BackupTable) {
  const put = async (place: string, values: Values, known: Known = values): Promise<void> =>
    db
      .insert(backups)
      .values({ place, ...values })
      .onConflictDoUpdate({ target: backups.place, set: known })
  const update = async (place: string, values: Values): Promise<void> =>
    db.update(backups).set(values).where(eq(backups.place, place))
  return {
    /** The bucket with the newest backup first. */
    all: async (): Promise<BackupNote[]> => {
      const rows = await db.select().from(backups)
      return rows.map(noteOf).sort((one, other) => (other.newestAt ?? 0) - (one.newestAt ?? 0))
    },

    /** Notes the newest good backup of a bucket. Ends a failure. */
    found: (place: string, newestAt: Instant | null): Promise<void> =>
      put(place, { newestAt, failingSince: null, reason: null, remedy: null }),

    /** Since when it fails is kept while it does; so is `newestAt`, if that could not be found out. */
    failed: (
      place: string,
      { since, reason, remedy }: Trouble,
      newestAt: Instant | null | undefined,
    ): Promise<void> => {
      const values = { newestAt, failingSince: since, reason, remedy }
      return put(place, values, { ...values, failingSince: sql`coalesce(${backups.failingSince}, ${since})` })
    },

    /** Notes a verification. Nothing is kept of buckets that are not known. */
    verified: (place: string, verifiedAt: Instant): Promise<void> =>
      update(place, { verifiedAt, fault: null }),
    faulty: (place: string, fault: string): Promise<void> => update(place, { fault }),
  }
}

/** `failure` is null if the worker could list and write backups at its last try. */
const noteOf = ({ failingSince, reason, remedy, ...row }: BackupTable['$inferSelect']) => ({
  ...row,
  failure: troubleOf(failingSince, reason, remedy),
})
