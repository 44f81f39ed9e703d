import { nearest } from '../../../domain/text/nearest.ts'
import { MONTH, MONTH_NAMES } from './date-formats.ts'
import { type FalseDate, findDate } from './dates.ts'

/** Mistyped dates: with a digit too many, a letter for a digit, or a missing part. */

const DIGIT = '[\\dOoIl]'
const SEPARATOR = '\\s*[-–—‐‑−_/]\\s*'
const DAY = '\\d{1,2}(?:st|nd|rd|th)?'

const MISTYPED: { pattern: RegExp; isMeant?: (match: RegExpExecArray) => boolean }[] = [
  // 2026-11-3l, 2026-111-01, 0000-00-00, 2026_11_31
  {
    pattern: new RegExp(
      `(?<!\\w)${DIGIT}{4,5}${SEPARATOR}${DIGIT}{1,3}${SEPARATOR}${DIGIT}{1,3}(?![^\\W_])`,
      'g',
    ),
    isMeant: ([text]) => text.replace(/\D/g, '').length > 3,
  },
  // 31/11/26, 26-11-31
  {
    pattern: new RegExp(
      `(?<!\\w)${DIGIT}{1,2}${SEPARATOR}${DIGIT}{1,2}${SEPARATOR}(?:${DIGIT}{4,5}|${DIGIT}{2})(?![^\\W_])`,
      'g',
    ),
    isMeant: ([text]) => text.replace(/\D/g, '').length > 3,
  },
  {
    pattern: /(?<!\w)((?:19|20|21)\d{2})(\d{2})(\d{2})(?!\w)/g,
    isMeant: ([, year, month, day]) => findDate(`${year}-${month}-${day}`) === null,
  },
  // without a year
  {
    pattern: new RegExp(
      `(?<!\\w)(?:${MONTH}\\s+${DAY}|${DAY}\\s+${MONTH.replace('?<month>', '?:')})(?!\\w)`,
      'gi',
    ),
  },
  // Feburary 3, 2024
  {
    pattern: new RegExp(`(?<!\\w)([a-z]{3,10})\\.?\\s+${DAY},?\\s+\\d{4}(?!\\w)`, 'gi'),
    isMeant: ([, month = '']) => isNearMonth(month),
  },
  {
    pattern: new RegExp(`(?<!\\w)${DAY}\\s+([a-z]{3,10})\\.?,?\\s+\\d{4}(?!\\w)`, 'gi'),
    isMeant: ([, month = '']) => isNearMonth(month),
  },
]

const isNearMonth = (word: string): boolean => nearest(word.toLowerCase(), MONTH_NAMES) !== null

/** The first mistyped date in a text; null if there is a date. */
export function findMistypedDate(text: string): FalseDate | null {
  if (findDate(text) !== null) return null
  for (const { pattern, isMeant } of MISTYPED)
    for (const match of text.matchAll(pattern))
      if (isMeant?.(match) ?? true)
        return { text: match[0], start: match.index, end: match.index + match[0].length }
  return null
}
