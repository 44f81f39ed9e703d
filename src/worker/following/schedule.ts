import type { Instant, Source } from '../../domain/records.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { backOff, mostAhead } from '../../domain/time/waiting.ts'
import type { SourceCheck } from '../../store/bookkeeping/source-checks.ts'

/** When a source is checked next. */

/** The longest that one is put off: see below, and the pauses that hosts may ask for. */
const longestPause = ({ every }: Source): number => Math.max(1.5 * every, DAY_MS)

/** Whether a clock that was wrong, or a longer interval, has put it off too far. What it says of times is not used. */
export const isMisdated = (source: Source, { nextAt }: SourceCheck, now: Instant): boolean =>
  nextAt > mostAhead(now, longestPause(source))

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

/** After `failures` failed checks in a row. Sources that fail together are spread already. */
export const retryAt = ({ every }: Source, failures: number, now: Instant): Instant =>
  now + backOff(failures, every, DAY_MS)
