import type { Instant } from '../../../domain/records.ts'
import {
  DIGIT_FORMS,
  isLikely,
  isNearMonth,
  MISTYPED_FORMS,
  monthOf,
  NAMED_FORMS,
  NUMBER_FORMS,
  type NumericDate,
  namesMonth,
  type ParsedDate,
  readDate,
} from '../../../domain/time/date-forms.ts'
import { isWritable } from '../../../domain/time/time.ts'
import { byTime, turnsOf } from '../../../domain/versions/order.ts'
import type { Warning } from '../../parsed.ts'
import { anyOf, DATE_WORDS, halfWidth, ON } from '../vocabulary.ts'

/** Dates in changelogs, in UTC unless they have a time zone. */

/** Includes its brackets. */
export type FoundDate = ParsedDate & Span

/** A day or time that does not exist, such as 2026-11-31. */
export interface FalseDate extends Span {
  text: string
}

export interface Span {
  start: number
  end: number
}

/** The first date, or null. A day that does not exist (2024-02-31) is no date. */
export const findDate = (text: string): FoundDate | null => first(halfWidth(text), dateAt)

const dateAt: DateReader<FoundDate> = (match, text) => {
  const date = readDate(match.groups ?? {})
  return date ? includeBrackets(text, { ...date, ...spanOf(match) }) : null
}

/** The first day in digits alone. Those may be a number as well, unless a version is beside them. */
export const findDigits = (text: string): FoundDate | null => first(text, dateAt, DIGIT_FORMS)

/** The first date that does not exist; null if there is a date. */
export const findFalseDate = (text: string): FalseDate | null =>
  findDate(text) === null
    ? first(text, (match) =>
        readDate(match.groups ?? {}) === null && OUR_TIME.test(match.groups?.year ?? '')
          ? includeBrackets(text, textOf(match))
          : null,
      )
    : null

/** The first mistyped date, `Feburary 3, 2024`; null if there is a date. */
export const findMistypedDate = (text: string): FalseDate | null =>
  findDate(text) === null
    ? (first(text, misnamed, NAMED_FORMS) ?? first(text, mistyped, MISTYPED_FORMS))
    : null

const misnamed: DateReader<FalseDate> = (match) => {
  const { month = '', day } = match.groups ?? {}
  return day && monthOf(month) === undefined && isNearMonth(month) ? textOf(match) : null
}

const mistyped: DateReader<FalseDate> = (match) => {
  const { year, month } = match.groups ?? {}
  const isMeant =
    month === undefined
      ? match[0].replace(/\D/g, '').length > 3
      : year === undefined
        ? monthOf(month) !== undefined
        : readDate(match.groups ?? {}) === null
  return isMeant ? textOf(match) : null
}

/** A time that a program has written, in any form; null if it is none, or does not exist. */
export function writtenTime(text: string): Instant | null {
  const instant = Date.parse(text)
  return Number.isNaN(instant) || !isWritable(instant) || findFalseDate(text) !== null ? null : instant
}

export const notADate = (text: string): Pick<Warning, 'message' | 'cause'> => ({
  message: `${whyNoDate(text)}, kept as text`,
  cause: 'the date cannot be read, kept as text',
})

export const whyNoDate = (text: string): string =>
  findDate(text) !== null
    ? `${text} is before 1980 or more than ten years in the future`
    : findFalseDate(text) === null
      ? `${text} is not a readable date, such as 2026-01-31`
      : `${text} does not exist`

/** False for a time at which no version was or will be released. */
export const mayBeRelease = (at: Instant): boolean => isLikely(new Date(at).getUTCFullYear())

const OUR_TIME = /^(?:19|20|21)/

const textOf = (match: RegExpExecArray): FalseDate => ({ text: match[0], ...spanOf(match) })
const spanOf = (match: RegExpExecArray): Span => ({ start: match.index, end: match.index + match[0].length })

/** Every form has one, and most texts have none. */
const YEAR_ALONE = /(?:^|\D)\d{4}(?!\d)/

function formsIn(text: string): readonly RegExp[] {
  if (!YEAR_ALONE.test(text)) return []
  return namesMonth(text) ? [...NUMBER_FORMS, ...NAMED_FORMS] : NUMBER_FORMS
}

type DateReader<T extends Span> = (match: RegExpExecArray, text: string) => T | null

/** The earliest match among all forms. */
function first<T extends Span>(text: string, found: DateReader<T>, forms = formsIn(text)): T | null {
  let earliest: T | null = null
  for (const form of forms) {
    // Not by matchAll, which makes a new expression each time.
    form.lastIndex = 0
    for (let match = form.exec(text); match !== null; match = form.exec(text)) {
      const one = found(match, text)
      if (one === null) continue
      const isWhole = earliest?.start === one.start && one.end > earliest.end
      if (earliest === null || one.start < earliest.start || isWhole) earliest = one
      break
    }
  }
  return earliest
}

/** The date of a text that is only a date, such as `Released on July 30, 2021`; otherwise null. */
export const onlyDate = (text: string): FoundDate | null => only(text, findDate(text))

export const onlyFalseDate = (text: string): FalseDate | null => only(text, findFalseDate(text))

/** The date that was found, if there is nothing else in the text. */
export const only = <T extends Span>(text: string, found: T | null): T | null =>
  found !== null && ONLY_AROUND_DATE.test(text.slice(0, found.start) + text.slice(found.end)) ? found : null

export interface Dated {
  date: Instant | null
  /** The readings of an ambiguous date. */
  numericDate: NumericDate | null
  line: number
}

/**
 * Reads the numeric dates of a file in one way, day or month first: the one that a date proves (13.01.2024), else the
 * one that puts the versions in order. If neither decides, each date keeps the usual reading of its form, in a language other
 * than English with the day first, which is reported.
 */
export function resolveNumericDates(versions: Dated[], warnings: Warning[], text: string): void {
  const numeric = versions.flatMap(({ numericDate }) => numericDate ?? [])
  const ambiguous = versions.filter(({ numericDate }) => numericDate !== null && isAmbiguous(numericDate))
  if (ambiguous.length === 0) return
  const dayFirst = numeric.filter(({ monthFirst }) => monthFirst === null).length
  const monthFirst = numeric.filter((one) => one.dayFirst === null).length
  const lead = dayFirst - monthFirst || disorder(versions, 'monthFirst') - disorder(versions, 'dayFirst')
  const isDayFirst = lead > 0 || (lead === 0 && isOtherThanEnglish(text))
  for (const version of ambiguous) {
    if (isDayFirst || lead < 0)
      version.date = version.numericDate?.[isDayFirst ? 'dayFirst' : 'monthFirst'] ?? version.date
    if (lead !== 0) continue
    const order = version.date === version.numericDate?.dayFirst ? 'day/month' : 'month/day'
    const message = `the date may be day/month or month/day, read as ${order}`
    warnings.push({ line: version.line, message })
  }
}

/** English has next to no letters with marks, and those with other alphabets write the day first too. */
function isOtherThanEnglish(text: string): boolean {
  const head = text.slice(0, 20_000)
  return (head.match(/[\u00C0-\u024F\u0370-\u04FF\u1E00-\u1EFF]/g)?.length ?? 0) * 200 > head.length
}

const isAmbiguous = ({ dayFirst, monthFirst }: NumericDate): boolean =>
  dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst

/** How often the dates contradict the order of the file, newest or oldest first. */
function disorder(versions: Dated[], reading: keyof NumericDate): number {
  const dates = versions.flatMap(({ date, numericDate }) => numericDate?.[reading] ?? date ?? [])
  return Math.min(...turnsOf(dates, byTime))
}

const ONLY_AROUND_DATE = new RegExp(
  `^[\\s:：.,*_"'\\p{So}\\uFE0F-]*(?:${anyOf(DATE_WORDS)}(?: ${anyOf(ON)})?)?[\\s:：.,*_"'-]*$`,
  'iu',
)
const OPENING_BRACKET = /[([{<]\s*(?:(?:released|published)(?: on)?:?\s*)?$/i
const CLOSING_BRACKET = /^\s*[)\]}>]/

/** `(released on 2024-01-02)`: brackets belong to the date, with such a word. */
function includeBrackets<T extends Span>(text: string, date: T): T {
  const before = OPENING_BRACKET.exec(text.slice(0, date.start))
  const after = CLOSING_BRACKET.exec(text.slice(date.end))
  if (before === null || after === null) return date
  return { ...date, start: before.index, end: date.end + after[0].length }
}
