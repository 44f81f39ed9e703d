import type { Instant } from '../records.ts'

/**
 * How far ahead a time can lie that puts something off for at most `longest`. Twice that, because clocks are set by a little
 * all the time. One further ahead was noted by a clock that was wrong.
 */
export const mostAhead = (now: Instant, longest: number): Instant => now + 2 * longest

/** Whether a time has come, or was noted by a clock that was wrong: nothing waits for that. */
export const isDue = (at: Instant, now: Instant, longest: number): boolean =>
  at <= now || at > mostAhead(now, longest)
