import type { Instant } from '../records.ts'

/**
 * The furthest ahead that a time can be if nothing is put off for more than `longest`. Twice that, because clocks are often
 * corrected by a little. A later one was noted by a clock that was wrong.
 */
export const mostAhead = (now: Instant, longest: number): Instant => now + 2 * longest

/** Whether a time has come, or was noted by a clock that was wrong: nothing waits for that. */
export const isDue = (at: Instant, now: Instant, longest: number): boolean =>
  at <= now || at > mostAhead(now, longest)
