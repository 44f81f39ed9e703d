import type { Instant, Source } from '../../domain/records.ts'
import { DAY_MS } from '../../domain/time/time.ts'

/** When a source is checked next. */

/**
 * After a success: each source has a place of its own within its interval, so that the checks of many are spread over
 * it, also after a restart. Not before half an interval has passed.
 */
export function nextCheck({ id, every }: Source, now: Instant): Instant {
  const offset = Bun.hash.xxHash32(id) % every
  const slot = Math.floor((now - offset) / every) * every + offset
  const next = slot + every
  return next - now < every / 2 ? next + every : next
}

/** After `failures` failed checks in a row: twice as late each time, up to a day, and not all at the same moment. */
export function retryAt({ every }: Source, failures: number, now: Instant, random: () => number): Instant {
  const delay = Math.min(DAY_MS, every * 2 ** Math.min(failures - 1, 20))
  return Math.round(now + delay * (0.75 + random() / 4))
}
