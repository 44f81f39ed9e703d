import type { Instant } from '../domain/records.ts'
import { type Announcing, deliver } from './deliver.ts'
import { observe } from './observe.ts'

/** How often the content is looked at: one small query while nothing happens. */
const LOOK_MS = 2_000

/** Hooks that are sent to at once, each one message at a time. Those that fail may not take the room of all others. */
const MOST_AT_ONCE = 64
const MOST_FAILING = 32

/**
 * Announces what becomes public, and delivers it. A round only begins deliveries: a slow receiver holds up nobody. `ended`
 * resolves once those that were begun have ended.
 */
export function createAnnouncer(announcing: Announcing) {
  const { content, bookkeeping, now, report } = announcing
  /** By hook, whether it was failing. */
  const running = new Map<string, { isFailing: boolean; ended: Promise<void> }>()
  /** What was counted since the start, and how many hooks fail or were disabled because of that. */
  const stats = { deliveries: { done: 0, dropped: 0, failed: 0 }, hooks: { failing: 0, stopped: 0 } }
  let seen: { revision: string; from: Instant; until: Instant } | null = null

  const look = async (at: Instant): Promise<void> => {
    const revision = await bookkeeping.contentRevision()
    if (seen?.revision === revision && seen.from <= at && at < seen.until) return
    const until = await content.during((snapshot) => observe(snapshot, bookkeeping, at))
    seen = { revision, from: at, until }
    await countFailing()
  }

  const countFailing = async (): Promise<void> => {
    const states = await bookkeeping.announced.failing()
    const stopped = states.filter(({ stoppedAt }) => stoppedAt !== null).length
    stats.hooks = { failing: states.length - stopped, stopped }
  }

  /** Sends what is due to one hook, in order, until nothing is. */
  const run = (hookId: string, signal: AbortSignal): Promise<void> =>
    content.during(async (snapshot) => {
      const { announced, deliveries } = bookkeeping
      const state = await announced.hook(hookId)
      while (state?.active && !signal.aborted) {
        const delivery = await deliveries.claim(hookId, now())
        if (!delivery) break
        try {
          const result = await deliver(announcing, snapshot, delivery, state, signal)
          stats.deliveries[result]++
          if (result === 'failed') break
        } catch (error) {
          await deliveries.release(delivery.id)
          if (!signal.aborted) throw error
        }
      }
      await deliveries.prune(hookId)
      await countFailing()
    })

  const begin = async (at: Instant, signal: AbortSignal): Promise<void> => {
    const room = MOST_AT_ONCE - running.size
    if (room <= 0) return
    let failing = [...running.values()].filter(({ isFailing }) => isFailing).length
    for (const { hookId, isFailing } of await bookkeeping.deliveries.dueHooks(
      at,
      [...running.keys()],
      room,
    )) {
      if (isFailing && failing++ >= MOST_FAILING) continue
      const ended = run(hookId, signal)
        .catch(report)
        .finally(() => running.delete(hookId))
      running.set(hookId, { isFailing, ended })
    }
  }

  return {
    name: 'announce',
    stats,

    round: async (at: Instant, signal: AbortSignal): Promise<Instant> => {
      await look(at)
      await begin(at, signal)
      return now() + LOOK_MS
    },

    hurry: (): void => {
      seen = null
    },

    ended: async (): Promise<void> => {
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}
