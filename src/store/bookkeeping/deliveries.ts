import {
  and,
  asc,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  like,
  lt,
  min,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Delivery, DeliveryTry } from '../../domain/hooks.ts'
import type { Instant } from '../../domain/records.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import type { BookkeepingTables } from '../tables/bookkeeping.ts'
import { type BookkeepingEngine, isDueAt } from './engine.ts'

/** The longest pause before a next try: see announce/deliver.ts. */
const LONGEST_PAUSE_MS = 1.2 * DAY_MS

/** How many deliveries of each hook are kept once they are settled. */
const KEPT_DELIVERIES = 100

export function deliveryRecords(engine: BookkeepingEngine) {
  const { db, tables, now: engineNow, leaseMs } = engine
  const { deliveries, told, quiet, hookStates } = tables
  const waiting = eq(deliveries.state, 'waiting')
  const isFree = () =>
    sql`(${deliveries.claimedUntil} is null or ${isDueAt(deliveries.claimedUntil, engineNow(), leaseMs)})`
  const isDue = (now: Instant) => isDueAt(deliveries.nextAt, now, LONGEST_PAUSE_MS)
  const ofHook = (hookId: string) => eq(deliveries.hookId, hookId)
  const hasId = (id: string) => eq(deliveries.id, id)
  const write = async (id: string, values: Partial<BookkeepingTables['deliveries']['$inferInsert']>) =>
    db.update(deliveries).set(values).where(hasId(id))
  const isGivenUp = eq(deliveries.state, 'failed')
  const isOfVersion = (versionId: string) => like(deliveries.versionIds, `%"${versionId}"%`)
  const newestFirst = [desc(deliveries.round), desc(deliveries.id)] as const
  const newest = (hookId: string) =>
    db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(ofHook(hookId))
      .orderBy(...newestFirst)
      .limit(KEPT_DELIVERIES)
  const earlier = alias(deliveries, 'earlier')
  /** True if an earlier delivery waits, of the same version or feed, or of the list of versions that has this one. */
  const isHeldUp = exists(
    db
      .select({ id: earlier.id })
      .from(earlier)
      .where(
        and(
          eq(earlier.hookId, deliveries.hookId),
          eq(earlier.state, 'waiting'),
          sql`(${earlier.round}, ${earlier.id}) < (${deliveries.round}, ${deliveries.id})`,
          or(
            eq(earlier.topic, deliveries.topic),
            eq(earlier.topic, deliveries.productId),
            and(eq(deliveries.topic, deliveries.productId), eq(earlier.productId, deliveries.productId)),
          ),
        ),
      ),
  )

  return {
    /** Active hooks with something to send, the longest waiting first. */
    dueHooks: (now: Instant): Promise<{ hookId: string; isFailing: boolean }[]> =>
      db
        .select({
          hookId: deliveries.hookId,
          isFailing: sql`${hookStates.failingSince} is not null`.mapWith(Boolean),
        })
        .from(deliveries)
        .innerJoin(hookStates, eq(hookStates.hookId, deliveries.hookId))
        .where(and(waiting, isFree(), isDue(now), eq(hookStates.active, true)))
        .groupBy(deliveries.hookId, hookStates.failingSince)
        .orderBy(asc(min(deliveries.nextAt))),

    /**
     * The first due delivery of the hook without an earlier one of its topic that waits. It belongs to this process until
     * it is settled or released, for as long as a lease at most.
     */
    claim: async (hookId: string, now: Instant): Promise<Delivery | null> => {
      const [first] = await db
        .select({ id: deliveries.id })
        .from(deliveries)
        .where(and(ofHook(hookId), waiting, isDue(now), isFree(), not(isHeldUp)))
        .orderBy(asc(deliveries.round), asc(deliveries.id))
        .limit(1)
      if (!first) return null
      const [row] = await db
        .update(deliveries)
        .set({ claimedUntil: sql`${engineNow()} + ${leaseMs}` })
        .where(and(hasId(first.id), waiting, isFree()))
        .returning()
      return row ? deliveryOf(row) : null
    },

    /** Before a try: what a killed worker was sending may have come. */
    begin: (id: string, triedAt: Instant, body: string | null): Promise<void> => write(id, { triedAt, body }),
    release: (id: string): Promise<void> => write(id, { claimedUntil: null }),
    /** Releases what a killed worker has claimed. To be called by the only worker. */
    releaseAll: async (): Promise<void> =>
      db.update(deliveries).set({ claimedUntil: null }).where(isNotNull(deliveries.claimedUntil)),
    settle: (
      id: string,
      { state, tries, nextAt, last }: Pick<Delivery, 'state' | 'tries' | 'nextAt' | 'last'>,
    ): Promise<void> => write(id, { state, tries, nextAt, claimedUntil: null, ...columnsOf(last) }),

    /** True if the hook cannot know the version as public: nothing was sent, or lastly that it is hidden. */
    isUntold: async ({ id, hookId, versionIds: [versionId = ''] }: Delivery): Promise<boolean> => {
      const round = db.select({ round: earlier.round }).from(earlier).where(eq(earlier.id, id))
      const before = await db
        .select({ type: deliveries.type, state: deliveries.state, triedAt: deliveries.triedAt })
        .from(deliveries)
        // Deliveries of the version alone, and of lists with it.
        .where(and(ofHook(hookId), isOfVersion(versionId), lt(deliveries.round, round)))
        .orderBy(...newestFirst)
      const sent = before.find(({ state, triedAt }) => state !== 'dropped' || triedAt !== null)
      // Deliveries settled long ago are forgotten.
      return sent
        ? sent.type === 'version.withdrawn'
        : before.some(({ type }) => type === 'version.published' || type === 'versions.published')
    },

    /** What people have got from a hook of releases of a product. */
    told: async (hookId: string, productId: string): Promise<Told[]> =>
      db
        .select()
        .from(told)
        .where(and(eq(told.hookId, hookId), eq(told.productId, productId))),

    noteTold: async (releases: readonly Told[], at: Instant): Promise<void> =>
      db
        .insert(told)
        .values(releases.map((release) => ({ ...release, at })))
        .onConflictDoNothing(),

    /** Who got a release by mail or in a chat, and when. */
    toldOf: async (versionId: string): Promise<ToldRow[]> =>
      db.select().from(told).where(eq(told.versionId, versionId)),
    /** Has hooks get a release again. Returns what is to be put back if it is not published after all. */
    forgetTold: async (versionId: string, hookIds: readonly string[]): Promise<ToldRow[]> =>
      db
        .delete(told)
        .where(and(eq(told.versionId, versionId), inArray(told.hookId, [...hookIds])))
        .returning(),
    putTold: async (rows: readonly ToldRow[]): Promise<void> => {
      if (rows.length > 0)
        await db
          .insert(told)
          .values([...rows])
          .onConflictDoNothing()
    },

    /** The newest, and all that were given up. */
    list: async (hookId: string): Promise<Delivery[]> =>
      (
        await db
          .select()
          .from(deliveries)
          .where(and(ofHook(hookId), or(isGivenUp, inArray(deliveries.id, newest(hookId)))))
          .orderBy(...newestFirst)
      ).map(deliveryOf),

    /** Of a version alone or with others, for all hooks, newest first. */
    ofVersion: async (versionId: string): Promise<Delivery[]> =>
      (
        await db
          .select()
          .from(deliveries)
          .where(isOfVersion(versionId))
          .orderBy(...newestFirst)
      ).map(deliveryOf),

    /** Of all hooks, newest first. */
    givenUp: async (): Promise<Delivery[]> =>
      (
        await db
          .select()
          .from(deliveries)
          .where(isGivenUp)
          .orderBy(...newestFirst)
      ).map(deliveryOf),

    /**
     * Ends the reports on those that were given up: on the named ones, or on all of the hook. A named one that waits is not
     * sent, and the hook hears nothing of its versions.
     */
    dismiss: async (hookId: string, ids: readonly string[]): Promise<Delivery[]> => {
      const isNamed = inArray(deliveries.id, [...ids])
      const end = (state: SQL | undefined) =>
        db
          .update(deliveries)
          .set({ state: 'dismissed' })
          .where(and(ofHook(hookId), state))
          .returning()
      const withheld = await end(and(isNamed, waiting, isFree()))
      const hushed = withheld.flatMap((row) =>
        deliveryOf(row).versionIds.map((versionId) => ({ versionId, hookId })),
      )
      if (hushed.length > 0) await db.insert(quiet).values(hushed).onConflictDoNothing()
      const givenUp = await end(and(isGivenUp, ids.length === 0 ? undefined : isNamed))
      return [...withheld, ...givenUp].map(deliveryOf)
    },

    /**
     * Sends deliveries again, with the same ids: those named, even if the list has their releases, and perhaps all that failed
     * or wait for another try. One that a worker has just sent is left alone.
     */
    again: async (
      hookId: string,
      { ids, failed }: { ids: readonly string[]; failed: boolean },
      now: Instant,
    ): Promise<Delivery[]> => {
      const hasFailed = or(isGivenUp, and(waiting, isNotNull(deliveries.triedAt), isFree()))
      const isNamed = and(ofHook(hookId), inArray(deliveries.id, ids))
      for (const { versionIds, productId, label } of await db.select().from(deliveries).where(isNamed)) {
        const isCalled = and(eq(told.productId, productId), eq(told.label, label))
        const isTold = or(inArray(told.versionId, JSON.parse(versionIds)), isCalled)
        await db.delete(told).where(and(eq(told.hookId, hookId), isTold))
        await db
          .delete(quiet)
          .where(and(eq(quiet.hookId, hookId), inArray(quiet.versionId, JSON.parse(versionIds))))
      }
      const rows = await db
        .update(deliveries)
        .set({ state: 'waiting', tries: 0, nextAt: now })
        .where(
          and(
            ofHook(hookId),
            failed ? or(inArray(deliveries.id, ids), hasFailed) : inArray(deliveries.id, ids),
          ),
        )
        .returning()
      return rows
        .toSorted((one, other) => other.round - one.round || (other.id < one.id ? -1 : 1))
        .map(deliveryOf)
    },

    prune: async (hookId: string): Promise<void> => {
      const isSettled = notInArray(deliveries.state, ['waiting', 'failed'])
      const isOld = notInArray(deliveries.id, newest(hookId))
      await db.delete(deliveries).where(and(ofHook(hookId), isSettled, isOld))
    },
  }
}

type ToldRow = BookkeepingTables['told']['$inferSelect']
export type Told = Omit<ToldRow, 'at'>

type Row = BookkeepingTables['deliveries']['$inferSelect']

export const rowOf = ({ versionIds, last, ...delivery }: Delivery & { topic: string }) => ({
  ...delivery,
  versionIds: JSON.stringify(versionIds),
  ...columnsOf(last),
})

const columnsOf = (last: DeliveryTry | null) => ({
  triedAt: last?.at ?? null,
  tookMs: last?.tookMs ?? null,
  status: last?.status ?? null,
  answer: last?.answer ?? null,
})

function deliveryOf(row: Row): Delivery {
  const { round: _, topic: __, claimedUntil: ___, triedAt, tookMs, status, answer, ...delivery } = row
  return {
    ...delivery,
    versionIds: JSON.parse(delivery.versionIds) as string[],
    last: triedAt === null ? null : { at: triedAt, tookMs: tookMs ?? 0, status, answer: answer ?? '' },
  }
}
