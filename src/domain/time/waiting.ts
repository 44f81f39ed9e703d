import type { Instant } from '../records.ts'

/**
 * The furthest ahead that a time can be if nothing is put off for more than `longest`. Twice that, because clocks are often
 * corrected by a little. A later one was noted by a clock that was wrong.
 */
export const mostAhead = (now: Instant, longest: number): Instant => now + 2 * longest

/** True if a time has come, or was noted by a clock that was wrong: nothing waits for that. */
export const isDue = (at: Instant, now: Instant, longest: number): boolean =>
  at <= now || at > mostAhead(now, longest)

/** How long to wait after so many failures in a row: `first`, then twice as long each time, up to `longest`. */
export const backOff = (failures: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** (failures - 1))

/** When a server wants to be asked again, as its Retry-After says: seconds, or a date. */
export function retryAfter(headers: Headers, now: Instant): Instant | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  const at = /^\d+$/.test(text) ? now + Number(text) * 1_000 : Date.parse(text)
  return Number.isNaN(at) ? null : at
}

/** The longest time of a timer, almost 25 days. A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Waits, for any length of time, or until `signal` is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises')
  for (let left = Math.max(1, ms); left > 0 && !signal?.aborted; left -= LONGEST_TIMER_MS)
    await sleep(Math.min(left, LONGEST_TIMER_MS), null, { signal }).catch(() => {})
}

/** The result of `work`, or throws `late()` if it takes longer. A later result is ignored. */
export async function inTime<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(late()), Math.min(ms, LONGEST_TIMER_MS))
  work.catch(() => {})
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}
