import { isUrl } from '../domain/hooks.ts'
import type { Instant } from '../domain/records.ts'
import { Places } from '../outgoing/places.ts'
import { type Announcing, deliver } from './deliver.ts'
import { observe } from './observe.ts'

/** How often the content is looked at: one small query while nothing happens. */
const LOOK_MS = 2_000

/** Hooks that are sent to at once, each one message at a time. A chat has many at one host. Most answer in a second. */
const MOST_AT_ONCE = { all: 512, ofHost: 16, slowMs: 1_000 }

/**
 * Announces what becomes public, and delivers it. A round only begins deliveries: a slow receiver holds up nobody. `ended`
 * resolves once those that were begun have ended.
 */
export function createAnnouncer(announcing: Announcing) {
  const { snapshot, bookkeeping, now, report } = announcing
  const places = new Places(MOST_AT_ONCE)
  /** Attempts since the start. */
  const attempts = { done: 0, dropped: 0, failed: 0 }
  let seen: { revision: string; from: Instant; until: Instant } | null = null

  const look = async (at: Instant): Promise<void> => {
    const revision = await bookkeeping.contentRevision()
    if (seen?.revision === revision && seen.from <= at && at < seen.until) return
    const until = await observe(snapshot, bookkeeping, at)
    seen = { revision, from: at, until }
  }

  /** Sends the due deliveries of one hook, in order. */
  const run = async (hookId: string, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    const { announced, deliveries } = bookkeeping
    const state = await announced.hook(hookId)
    while (state?.active && !signal.aborted) {
      const delivery = await deliveries.claim(hookId, now())
      if (!delivery) break
      try {
        const result = await deliver(announcing, delivery, state, signal)
        attempts[result]++
        if (result === 'failed') break
      } catch (error) {
        await deliveries.release(delivery.id)
        if (!signal.aborted) throw error
      }
    }
    await deliveries.prune(hookId)
  }

  const begin = async (at: Instant, signal: AbortSignal): Promise<void> => {
    const { deliveries, hookSecrets } = bookkeeping
    const due = (await deliveries.dueHooks(at)).filter(({ hookId }) => !places.has(hookId))
    if (due.length === 0) return
    const hooks = await snapshot((records) => records.hooks.list())
    const urls = new Map(hooks.map(({ id, url }) => [id, url]))
    for (const { hookId, isFailing } of due) {
      const url = urls.get(hookId) ?? (await hookSecrets.list(hookId, now())).find(isUrl) ?? ''
      const host = URL.parse(url)?.host ?? ''
      void places.add(hookId, { host, isFailing }, () => run(hookId, signal)).catch(report)
    }
  }

  return {
    attempts,

    /** Also how many hooks fail or were disabled because of that, and how many deliveries were given up. */
    stats: async () => {
      const states = await bookkeeping.announced.failing()
      const stopped = states.filter(({ stoppedAt }) => stoppedAt !== null).length
      const givenUp = (await bookkeeping.deliveries.givenUp()).length
      return { deliveries: attempts, hooks: { failing: states.length - stopped, stopped }, givenUp }
    },

    round: async (at: Instant, signal: AbortSignal): Promise<Instant> => {
      await look(at)
      await begin(at, signal)
      return now() + LOOK_MS
    },

    hurry: (): void => {
      seen = null
    },

    ended: (): Promise<void> => places.ended(),
  }
}
