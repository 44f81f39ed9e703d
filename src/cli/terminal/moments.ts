import type { Instant } from '../../domain/records.ts'
import { formatInstant } from '../../domain/time.ts'

/** A moment, absolute and relative: `2026-01-02 03:04 UTC (3 days ago)`. */
export const moment = (instant: Instant, now: Instant): string =>
  `${formatInstant(instant).slice(0, 16).replace('T', ' ')} UTC (${relative(instant, now)})`

/** The same to the day: `2026-01-02 (3 days ago)`. */
export const day = (instant: Instant, now: Instant): string =>
  `${formatInstant(instant).slice(0, 10)} (${relative(instant, now)})`

const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

function relative(instant: Instant, now: Instant): string {
  const distance = instant - now
  for (const [unit, length] of UNITS) {
    const count = Math.trunc(distance / length)
    if (count !== 0) return new Intl.RelativeTimeFormat('en').format(count, unit)
  }
  return 'just now'
}
