import type { Instant } from '../domain/records.ts'
import { DAY_MS, formatInstant } from '../domain/time/time.ts'
import type { Desk } from './visit.ts'

/** The time zone of the machine, for those whose browser does not name its own. */
export const MACHINE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `12 Nov, 09:00 UTC`; a day that is far with its year. */
export function moment({ language, now }: Desk, at: Instant): string {
  const isFar = Math.abs(at - now()) > 180 * DAY_MS
  return new Intl.DateTimeFormat(language.words.locale, {
    day: 'numeric',
    month: 'short',
    ...(isFar && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)
}

/** How far `zone` is ahead of UTC then, in milliseconds. */
function offsetAt(instant: Instant, zone: string): number {
  // Swedish dates are those of ISO 8601.
  const clock = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const wall = Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`)
  return wall - Math.floor(instant / 1000) * 1000
}

/** When clocks in `zone` show this day and time: the first of two if they repeat it. Null for no such time or zone. */
export function momentIn(day: string, time: string, zone: string): Instant | null {
  const wall =
    /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d$/.test(time) ? Date.parse(`${day}T${time}:00Z`) : Number.NaN
  // Days that a month does not have are those after it.
  if (Number.isNaN(wall) || formatInstant(wall).slice(0, 10) !== day) return null
  try {
    const near = [wall - DAY_MS, wall + DAY_MS].map((each) => wall - offsetAt(each, zone))
    return near.sort((a, b) => a - b).find((each) => each + offsetAt(each, zone) === wall) ?? null
  } catch {
    return null
  }
}
