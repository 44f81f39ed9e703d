import type { Instant } from '../domain/records.ts'

/** How words for a moment look. */
export const WORDS_RULE = 'words such as "+2h" or "tomorrow 09:00"'

/**
 * The moment that English words name, such as `tomorrow 09:00` or `in 2 hours`, or null. Words that leave something open
 * name none: without a time of day, with more than one moment, with a zone by its name, or a date in numbers alone, which
 * may be day or month first. The library is loaded only for them.
 */
export async function momentInWords(text: string, now: Instant): Promise<Instant | null> {
  const { casual } = await import('chrono-node/en')
  const [found, ...others] = casual.parse(text, new Date(now))
  if (!found || others.length > 0 || found.text !== text || found.end) return null
  const { start } = found
  const instant = found.date().getTime()
  if (start.tags().has('result/relativeDateAndTime')) return instant
  const isOpen = !start.isCertain('hour') || !start.isCertain('minute') || start.isCertain('timezoneOffset')
  const isNumeric = start.tags().has('parser/SlashDateFormatParser')
  // One that clocks are set forward past becomes another.
  const isMoved = found.date().getHours() !== start.get('hour')
  return isOpen || isNumeric || isMoved ? null : instant
}
