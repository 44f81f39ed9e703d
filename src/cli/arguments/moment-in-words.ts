import type { Instant } from '../../domain/records.ts'
import { wholeSecond } from '../../domain/time/time.ts'

export const WORDS_RULE = 'words such as "+2h", "friday 9am" or "tomorrow 09:00"'

/** `next friday` is the coming one for some people, and the one after for others. */
const NEXT_WEEKDAY = /\bnext\s+(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b/i
const BACKWARD = /\b(?:last|past|previous)\b/i

/**
 * Parses an unambiguous English phrase such as `tomorrow 09:00` or `in 2 hours`; null for others: without a time of day,
 * with several moments, a named zone, a date with the name of another day of the week, or a numeric date that may be day
 * or month first. A day or time alone is the next one. Loads the library only when needed.
 */
export async function momentInWords(text: string, now: Instant): Promise<Instant | null> {
  if (NEXT_WEEKDAY.test(text)) return null
  const { casual } = await import('chrono-node/en')
  const [found, ...others] = casual.parse(text, new Date(now), { forwardDate: !BACKWARD.test(text) })
  if (!found || others.length > 0 || found.text !== text || found.end) return null
  const { start } = found
  const date = found.date()
  if (start.tags().has('result/relativeDateAndTime')) return wholeSecond(date.getTime())
  const isOpen = !start.isCertain('hour') || !start.isCertain('minute') || start.isCertain('timezoneOffset')
  const isNumeric = start.tags().has('parser/SlashDateFormatParser')
  // A time that clocks skip becomes another.
  const isMoved = date.getHours() !== start.get('hour')
  const isOtherDay = start.isCertain('weekday') && start.get('weekday') !== date.getDay()
  return isOpen || isNumeric || isMoved || isOtherDay ? null : date.getTime()
}
