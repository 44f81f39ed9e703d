import type { Instant } from '../domain/records.ts'
import { DAY_MS } from '../domain/time/time.ts'
import type { Desk } from './visit.ts'

/** The time zone of the machine, for those whose browser does not name its own. */
export const MACHINE_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** `12 November, 09:00`, with the zone unless it is the machine's; a day of another year with the year. */
export function moment({ language, now }: Desk, at: Instant): string {
  const isFar = Math.abs(at - now()) > 180 * DAY_MS
  return new Intl.DateTimeFormat(language.words.locale, {
    day: 'numeric',
    month: 'long',
    ...(isFar && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at)
}

/** How far `zone` is ahead of UTC then, in milliseconds. */
function offsetAt(instant: Instant, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
  } as Intl.DateTimeFormatOptions).formatToParts(instant)
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value)
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return wall - Math.floor(instant / 1000) * 1000
}

/** When clocks in `zone` show this day and time: the first of two if they repeat it. Null for no such time or zone. */
export function momentIn(day: string, time: string, zone: string): Instant | null {
  const wall =
    /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d$/.test(time) ? Date.parse(`${day}T${time}:00Z`) : Number.NaN
  if (Number.isNaN(wall)) return null
  try {
    const near = [wall - DAY_MS, wall + DAY_MS].map((each) => wall - offsetAt(each, zone))
    return near.sort((a, b) => a - b).find((each) => each + offsetAt(each, zone) === wall) ?? null
  } catch {
    return null
  }
}
