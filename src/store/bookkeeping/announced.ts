import { and, eq, inArray, isNotNull, notInArray, or, sql } from 'drizzle-orm'
import type { Delivery } from '../../domain/hooks.ts'
import type { Instant } from '../../domain/records.ts'
import { DERIVING } from '../../domain/versions/derived.ts'
import type { BookkeepingTables } from '../tables/bookkeeping.ts'
import type { Drizzle } from '../tables/schema.ts'
import { rowOf } from './deliveries.ts'
import { type BookkeepingEngine, excluded, type Statement } from './engine.ts'

/** A version that is public, or was when it was last compared. */
export type AnnouncedVersion = BookkeepingTables['announced']['$inferSelect']

export type HookState = BookkeepingTables['hookStates']['$inferSelect']

export type AnnouncedState = Awaited<ReturnType<ReturnType<typeof announcedRecords>['read']>>

/** Results of a comparison, written at once. */
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

const BATCH = 500

export function announcedRecords({ db, tables }: BookkeepingEngine) {
  const { announceRounds, announced, hookStates, quiet } = tables
  const ofHook = (hookId: string) => eq(hookStates.hookId, hookId)
  const update = async (hookId: string, values: Partial<HookState>): Promise<void> =>
    db.update(hookStates).set(values).where(ofHook(hookId))

  return {
    read: async () => {
      // The round first: whatever is read after it is at least as new.
      const [last] = await db.select().from(announceRounds)
      return {
        round: last?.round ?? 0,
        seenAt: last?.seenAt ?? 0,
        rules: last?.rules ?? null,
        hooks: await db.select().from(hookStates),
        versions: await db.select().from(announced),
        quiet: await db.select().from(quiet),
      }
    },

    /** The hooks that are to hear nothing of a version. */
    quiet: async (versionId: string): Promise<string[]> =>
      (await db.select().from(quiet).where(eq(quiet.versionId, versionId))).map(({ hookId }) => hookId),
    setQuiet: async (versionId: string, hookIds: readonly string[]): Promise<void> => {
      await db
        .delete(quiet)
        .where(and(eq(quiet.versionId, versionId), notInArray(quiet.hookId, [...hookIds])))
      if (hookIds.length === 0) return
      const rows = hookIds.map((hookId) => ({ versionId, hookId }))
      await db.insert(quiet).values(rows).onConflictDoNothing()
    },

    hook: async (hookId: string): Promise<HookState | null> => {
      const [state] = await db.select().from(hookStates).where(ofHook(hookId))
      return state ?? null
    },
    /** Notes since when tries fail, and why lastly; null and null after a successful one. */
    setFailing: (hookId: string, failingSince: Instant | null, reason: string | null): Promise<void> =>
      update(hookId, { failingSince, reason }),
    stop: (hookId: string, stoppedAt: Instant, reason: string): Promise<void> =>
      update(hookId, { active: false, stoppedAt, reason }),
    /** Forgets failures: a user has enabled the hook. */
    resume: (hookId: string): Promise<void> =>
      update(hookId, { stoppedAt: null, reason: null, failingSince: null }),
    failing: (): Promise<HookState[]> =>
      db
        .select()
        .from(hookStates)
        .where(or(isNotNull(hookStates.failingSince), isNotNull(hookStates.stoppedAt))),
  }
}

/** Writes a round. False, and nothing is written, if another process has written one since the one before it. */
export const roundWriter =
  ({ tables, atOnce }: BookkeepingEngine) =>
  ({ round, seenAt, ...found }: Round): Promise<boolean> => {
    const { announceRounds, announced, hookStates, deliveries, told, quiet, hookSecrets } = tables
    const take: Statement = (on) =>
      on
        .insert(announceRounds)
        .values({ id: ONLY, round, seenAt, rules: DERIVING })
        .onConflictDoUpdate({
          target: announceRounds.id,
          set: { round, seenAt, rules: DERIVING },
          setWhere: eq(announceRounds.round, round - 1),
        })
        .returning({ id: announceRounds.id })
    return atOnce([
      take,
      ...inBatches(found.versions, (rows, on) =>
        on
          .insert(announced)
          .values(rows)
          .onConflictDoUpdate({ target: announced.versionId, set: excluded(announced) }),
      ),
      ...inBatches(found.hooks, (rows, on) =>
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
      ...inBatches(found.deliveries, (rows, on) =>
        on.insert(deliveries).values(rows.map((delivery) => ({ ...rowOf(delivery), round }))),
      ),
      ...inBatches(found.forgottenVersions, (ids, on) =>
        on.delete(announced).where(inArray(announced.versionId, ids)),
      ),
      ...[hookStates, deliveries, told, quiet, hookSecrets].flatMap((table) =>
        inBatches(found.forgottenHooks, (ids, on) => on.delete(table).where(inArray(table.hookId, ids))),
      ),
    ])
  }

function inBatches<T>(
  rows: readonly T[],
  statement: (part: T[], on: Drizzle) => ReturnType<Statement>,
): Statement[] {
  const parts: Statement[] = []
  for (let from = 0; from < rows.length; from += BATCH)
    parts.push((on) => statement(rows.slice(from, from + BATCH), on))
  return parts
}
