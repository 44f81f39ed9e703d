import { eq, inArray, sql } from 'drizzle-orm'
import type { Delivery } from '../../domain/hooks.ts'
import type { Instant } from '../../domain/records.ts'
import type { BookkeepingTables } from '../tables/bookkeeping.ts'
import type { Drizzle } from '../tables/schema.ts'
import { rowOf } from './deliveries.ts'
import { type BookkeepingEngine, excluded } from './engine.ts'

/** A version that is public, or was when it was last compared. */
export type AnnouncedVersion = BookkeepingTables['announced']['$inferSelect']

export type HookState = BookkeepingTables['hookStates']['$inferSelect']

export interface AnnouncedState {
  round: number
  seenAt: Instant
  versions: AnnouncedVersion[]
  hooks: HookState[]
}

/** What a comparison found, written at once. */
export interface Round {
  round: number
  seenAt: Instant
  versions: readonly AnnouncedVersion[]
  forgottenVersions: readonly string[]
  hooks: readonly HookState[]
  forgottenHooks: readonly string[]
  deliveries: readonly (Delivery & { topic: string })[]
}

const ONLY = 'only'

/** Rows written or ids named by one statement. */
const BATCH = 500

export function announcedRecords({ db, tables, run, atOnce }: BookkeepingEngine) {
  const { announceRounds, announced, hookStates, deliveries, hookSecrets } = tables
  const ofHook = (hookId: string) => eq(hookStates.hookId, hookId)
  const updated = (hookId: string, values: Partial<HookState>) =>
    run(() => db.update(hookStates).set(values).where(ofHook(hookId)))

  return {
    read: async (): Promise<AnnouncedState> => {
      // The round first: whatever is read after it is at least as new.
      const [last] = await run(() => db.select().from(announceRounds))
      return {
        round: last?.round ?? 0,
        seenAt: last?.seenAt ?? 0,
        hooks: await run(() => db.select().from(hookStates)),
        versions: await run(() => db.select().from(announced)),
      }
    },

    /** False, and nothing is written, if another process has written a round since the one before this. */
    write: (round: Round): Promise<boolean> => {
      const taken = (on: Drizzle) =>
        on
          .insert(announceRounds)
          .values({ id: ONLY, round: round.round, seenAt: round.seenAt })
          .onConflictDoUpdate({
            target: announceRounds.id,
            set: { round: round.round, seenAt: round.seenAt },
            setWhere: eq(announceRounds.round, round.round - 1),
          })
          .returning({ id: announceRounds.id })
      return atOnce([
        taken,
        ...batches(round.versions).map(
          (rows) => (on: Drizzle) =>
            on
              .insert(announced)
              .values(rows)
              .onConflictDoUpdate({ target: announced.versionId, set: excluded(announced) }),
        ),
        ...batches(round.hooks).map(
          (rows) => (on: Drizzle) =>
            on
              .insert(hookStates)
              .values(rows)
              .onConflictDoUpdate({
                target: hookStates.hookId,
                // Tries that failed meanwhile stay noted.
                set: {
                  position: sql`excluded.position`,
                  active: sql`excluded.active and ${hookStates.stoppedAt} is null`,
                },
              }),
        ),
        ...batches(round.deliveries).map(
          (rows) => (on: Drizzle) =>
            on
              .insert(deliveries)
              .values(rows.map((delivery) => ({ ...rowOf(delivery), round: round.round }))),
        ),
        ...batches(round.forgottenVersions).map(
          (ids) => (on: Drizzle) => on.delete(announced).where(inArray(announced.versionId, ids)),
        ),
        ...batches(round.forgottenHooks).flatMap((ids) =>
          [hookStates, deliveries, hookSecrets].map(
            (table) => (on: Drizzle) => on.delete(table).where(inArray(table.hookId, ids)),
          ),
        ),
      ])
    },

    hook: async (hookId: string): Promise<HookState | null> => {
      const [state] = await run(() => db.select().from(hookStates).where(ofHook(hookId)))
      return state ?? null
    },
    /** Notes since when tries fail, and why lastly; null and null after a successful one. */
    setFailing: async (
      hookId: string,
      failingSince: Instant | null,
      reason: string | null,
    ): Promise<void> => {
      await updated(hookId, { failingSince, reason })
    },
    /** Disables the hook until somebody enables it. */
    stop: async (hookId: string, stoppedAt: Instant, reason: string): Promise<void> => {
      await updated(hookId, { active: false, stoppedAt, reason })
    },
    /** After it was enabled by hand. */
    resume: async (hookId: string): Promise<void> => {
      await updated(hookId, { stoppedAt: null, reason: null, failingSince: null })
    },
    /** Those that are failing or were disabled because of that. */
    failing: (): Promise<HookState[]> =>
      run(() =>
        db
          .select()
          .from(hookStates)
          .where(sql`${hookStates.failingSince} is not null or ${hookStates.stoppedAt} is not null`),
      ),
  }
}

function batches<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < rows.length; from += BATCH) parts.push(rows.slice(from, from + BATCH))
  return parts
}
