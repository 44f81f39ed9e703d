import type { Instant } from '../domain/records.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long after a failed try the next one comes. After the last, the hook is disabled: three days and four hours in all. */
export const RETRIES_MS: readonly number[] = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]

/** Up to a fifth more, so that receivers that failed together are not tried together. */
const JITTER = 0.2

/** The most that a receiver may put off the next try by Retry-After. */
const MOST_MS = 24 * HOUR

/** When to try again after `tries` failed ones; null if that was the last. `notBefore` is what the receiver asks for. */
export function retryAt(
  tries: number,
  now: Instant,
  notBefore: Instant | null,
  random = Math.random,
): Instant | null {
  const delay = RETRIES_MS[tries - 1]
  if (delay === undefined) return null
  const at = now + Math.round(delay * (1 + random() * JITTER))
  return notBefore === null ? at : Math.max(at, Math.min(notBefore, now + MOST_MS))
}
