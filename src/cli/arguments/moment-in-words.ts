import type { Instant } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { spelledOut } from '../../domain/time/time.ts'

export const WORDS_RULE = 'words such as "+2h", "friday 9am" or "tomorrow 09:00"'

/** `next friday` is the coming one for some people, and the one after for others. */
const NEXT_WEEKDAY = /\bnext\s+(?=(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b)/i
const WEEKDAY = /\b(?:mon|tue|wed|thu|fri|sat|sun)(?=(?:s|nes|rs?|ur)?(?:day)?\b)/i
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const BACKWARD = /\b(?:last|past|previous)\b/i

/**
 * Parses an unambiguous English phrase such as `tomorrow 09:00` or `in 2 hours`; null for others: without a time of day,
 * with several moments, a named zone, or a numeric date that may be day or month first. A day or time alone is the next
 * one. Refuses `next friday`, which has two meanings, and a date with the name of another day of the week. Loads the library only when needed.
 */
export async function momentInWords(text: string, now: Instant): Promise<Instant | null> {
  const { casual } = await import('chrono-node/en')
  const words = text.replace(NEXT_WEEKDAY, '')
  const [found, ...others] = casual.parse(words, new Date(now), { forwardDate: !BACKWARD.test(words) })
  if (!found || others.length > 0 || found.text !== words || found.end) return null
  const { start } = found
  const date = found.date()
  if (start.tags().has('result/relativeDateAndTime')) return date.getTime()
  const isOpen = !start.isCertain('hour') || !start.isCertain('minute') || start.isCertain('timezoneOffset')
  const isNumeric = start.tags().has('parser/SlashDateFormatParser')
  // A time that clocks skip becomes another.
  const isMoved = date.getHours() !== start.get('hour')
  if (isOpen || isNumeric || isMoved) return null
  if (start.isCertain('day')) checkWeekday(words, date)
  if (words !== text) throw ambiguous(text, date)
  return date.getTime()
}

/** Refuses a date with the name of another day of the week: one of the two is wrong. */
function checkWeekday(words: string, date: Date): void {
  const name = WEEKDAY.exec(words)?.[0].toLowerCase()
  const named = WEEKDAYS.find((day) => name !== undefined && day.toLowerCase().startsWith(name))
  const actual = WEEKDAYS[date.getDay()]
  if (named === undefined || named === actual) return
  throw new Refusal(`"${words}" names a ${named}, but ${spelledOut(date.getTime())} is a ${actual}.`, {
    hint: 'Leave out the day of the week, or give another date.',
  })
}

function ambiguous(text: string, coming: Date): Refusal {
  const later = new Date(coming)
  later.setDate(later.getDate() + 7)
  const [first, second] = [coming, later].map((date) => spelledOut(date.getTime()))
  return new Refusal(`"${text}" is ambiguous: it may be ${first} or ${second}.`, {
    hint: 'Give the date, or leave out "next" for the first one.',
  })
}
