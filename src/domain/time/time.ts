import type { Instant } from '../records.ts'

const ISO = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** The first and the last time that can be written, with a year of four digits. */
export const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z')
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

export const ISO_RULE = 'an ISO 8601 date or time such as 2026-01-02 or 2026-01-02T03:04:05Z'

export const LOCAL_RULE =
  'a date such as 2026-01-02 (midnight UTC), or a time such as 2026-01-02T09:00 (local) or 2026-01-02T09:00Z'

/**
 * Parses ISO 8601; null if the text is no such time, or a day that does not exist. A date is its first millisecond, a
 * time without an offset is UTC, digits past the millisecond are dropped.
 */
export function parseInstant(text: string): Instant | null {
  const parts = ISO.exec(text)
  if (!parts) return null
  const [, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts
  const full = `${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const wall = Date.parse(full)
  // Some parsers carry 30 February into March.
  if (Number.isNaN(wall) || formatInstant(wall) !== full) return null
  if (offset === 'Z') return wall
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(4, 6))
  if (hours > 23 || minutes > 59) return null
  const shift = (hours * 60 + minutes) * 60_000
  const instant = offset.startsWith('-') ? wall + shift : wall - shift
  return isWritable(instant) ? instant : null
}

/** Parses ISO 8601. A time without an offset is local: null if clocks skip it, the first of two if they repeat it. */
export function parseLocalInstant(text: string): Instant | null {
  const wall = parseInstant(text)
  if (wall === null || !/T[^Z+-]*$/.test(text)) return wall
  const candidates = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offsetAt(near))
  const isRight = (instant: Instant) => instant + offsetAt(instant) === wall && isWritable(instant)
  return candidates.sort((a, b) => a - b).find(isRight) ?? null
}

export const DAY_MS = 86_400_000

/** A time counted from now has no milliseconds: nobody means them. */
export const wholeSecond = (instant: Instant): Instant => Math.round(instant / 1_000) * 1_000

/** How far local time is ahead of UTC, in milliseconds. */
const offsetAt = (instant: Instant): number => -new Date(instant).getTimezoneOffset() * 60_000

/** True if the API can write it: with a year of four digits. */
export const isWritable = (instant: Instant): boolean => instant >= FIRST_TIME && instant <= LAST_TIME

/** At most the last time that can be written: 0.2.0 stored later expiries of tokens. */
export const writable = (instant: Instant): Instant => Math.min(instant, LAST_TIME)

/** ISO 8601, UTC, with milliseconds, as the API writes it. */
export const formatInstant = (instant: Instant): string => new Date(instant).toISOString()

/** How a time was understood, for the user: `2026-12-01 09:00 +01:00 (08:00 UTC)`, or only UTC if that is local. */
export function spelledOut(instant: Instant): string {
  const utc = clockTime(instant)
  const offset = offsetAt(instant)
  if (offset === 0) return `${utc} UTC`
  const local = clockTime(instant + offset)
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 3_600_000), (Math.abs(offset) / 60_000) % 60]
  const zone = [hours, minutes].map((part) => String(Math.trunc(part)).padStart(2, '0')).join(':')
  const short = utc.slice(0, 10) === local.slice(0, 10) ? utc.slice(11) : utc
  return `${local} ${offset < 0 ? '-' : '+'}${zone} (${short} UTC)`
}

/** The time to the second, or to the minute if seconds are zero. */
const clockTime = (instant: Instant): string =>
  formatInstant(instant)
    .replace(/(:00)?\.\d+Z$/, '')
    .replace('T', ' ')

export function isFormattedInstant(text: string): boolean {
  const instant = Date.parse(text)
  return isWritable(instant) && formatInstant(instant) === text
}

const DURATION = /^(\d{1,6})(s|m|h|d|w)$/
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS, w: 604_800_000 }

export const DURATION_RULE = 'a duration such as 90m, 24h, 30d or 2w'

/** A duration such as `24h` in milliseconds, or null. */
export function parseDuration(text: string): number | null {
  const parts = DURATION.exec(text)
  return parts ? Number(parts[1]) * UNIT_MS[parts[2] as keyof typeof UNIT_MS] : null
}

/** The duration that `parseDuration` reads as so many milliseconds, in its largest unit. */
export function formatDuration(ms: number): string {
  const [unit, length] = Object.entries(UNIT_MS).findLast(([, length]) => ms % length === 0) ?? ['s', 1_000]
  return `${Math.ceil(ms / length)}${unit}`
}
