import type { Instant } from '../../domain/records.ts'
import { DAY_MS, formatInstant, spelledOut } from '../../domain/time/time.ts'
import { type Fixed, fixed } from './table.ts'

/** `2026-01-02 03:04 UTC (3 days ago)` */
export const moment = (instant: Instant, now: Instant): string =>
  `${formatInstant(instant).slice(0, 16).replace('T', ' ')} UTC (${relative(instant, now)})`

/** A time in a list: `3 days ago` where space is short. */
export const event = (instant: Instant, now: Instant): Fixed =>
  fixed(moment(instant, now), relative(instant, now))

/** `2026-01-02 (3 days ago)`, or only the date where space is short. */
export function day(instant: Instant, now: Instant): Fixed {
  const date = formatInstant(instant).slice(0, 10)
  return fixed(`${date} (${relative(instant, now)})`, date)
}

/** `2026-12-01 09:00 +01:00 (08:00 UTC), in 15 days` */
export const ahead = (instant: Instant, now: Instant): string =>
  `${spelledOut(instant)}, ${relative(instant, now)}`

const UNITS = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** `in 2 days`, `3 hours ago`. */
export function relative(instant: Instant, now: Instant): string {
  // Two hours ahead stay two while a command runs.
  const exact = instant - now + (instant > now ? 1_000 : 0)
  const unit = unitOf(exact)
  if (!unit) return exact > 0 ? 'in less than a minute' : 'just now'
  // Almost three hours are not two, and almost one hour is not 60 minutes.
  const distance = exact > 0 ? Math.round(exact / unit[1]) * unit[1] : exact
  const [name, length] = unitOf(distance) ?? unit
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(distance / length), name)
}

const unitOf = (distance: number) => UNITS.find(([, length]) => Math.abs(distance) >= length)
