import type { Instant } from '../../../domain/records.ts'
import { isWritable } from '../../../domain/time/time.ts'
import type { Warning } from '../../parsed.ts'
import { anyOf, DATE_WORDS, halfWidth, RELEASED } from '../vocabulary.ts'
import { localDates } from './local-dates.ts'

/** Dates in changelogs, in UTC unless they have a time zone. */

/** Includes its brackets. */
export interface FoundDate extends Span {
  at: number
  /** For the author, if the date is ambiguous. */
  warning: string | null
  /** The readings of a date such as 02/03/2023, `at` among them; null for other dates. */
  numeric: NumericDate | null
}

/** A date with the day or the month first. An impossible reading is null. */
export interface NumericDate {
  dayFirst: number | null
  monthFirst: number | null
}

/** A day or time that does not exist, such as 2026-11-31. */
export interface FalseDate extends Span {
  text: string
}

export interface Span {
  start: number
  end: number
}

/** The first date, or null. A day that does not exist (2024-02-31) is no date. */
export const findDate = (text: string): FoundDate | null => {
  const plain = halfWidth(text)
  const found = (match: RegExpExecArray, parsed: ParsedDate) =>
    parsed && includeBrackets(plain, { ...parsed, ...spanOf(match) })
  const date = first(plain, found)
  // A month alone may be the end of a date in another language: `8 de mayo 2026`.
  const whole = (date === null || date.warning === NO_DAY ? firstLocal(plain, found) : null) ?? date
  return whole ?? (SHORT_YEAR.test(plain) ? first(plain, found, SHORT_FORMATS) : null)
}

function firstLocal(text: string, found: DateReader<FoundDate>): FoundDate | null {
  for (const { match, month } of localDates(text)) {
    const { day, ...groups } = match.groups ?? {}
    const parsed = dateOf({ ...groups, day: day ?? '1' }, month)
    const date = found(match, day === undefined ? withWarning(parsed, NO_DAY) : parsed)
    if (date !== null) return date
  }
  return null
}

/** The first date that does not exist; null if there is a date. */
export const findFalseDate = (text: string): FalseDate | null =>
  findDate(text) === null
    ? first(text, (match, parsed) =>
        parsed === null && OUR_TIME.test(match.groups?.year ?? '')
          ? includeBrackets(text, { text: match[0], ...spanOf(match) })
          : null,
      )
    : null

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
  findFalseDate(text) === null
    ? `${text} is not a date that can be read: a date is written as in 2026-01-31`
    : `${text} is not a date: there is no such day or time`

const OUR_TIME = /^(?:19|20|21)/

const spanOf = (match: RegExpExecArray): Span => ({ start: match.index, end: match.index + match[0].length })

/** Every format has one, and most texts have none. */
const YEAR_ALONE = /(?:^|\D)\d{4}(?!\d)/
/** So has every one with two digits of the year. */
const SHORT_YEAR = /[-/\s']\d\d(?![\w.])/

type DateReader<T extends Span> = (match: RegExpExecArray, parsed: ParsedDate) => T | null

/** The earliest match among all formats. */
function first<T extends Span>(
  text: string,
  found: DateReader<T>,
  formats = YEAR_ALONE.test(text) ? DATE_FORMATS : [],
): T | null {
  let earliest: T | null = null
  for (const { pattern, parse } of formats) {
    for (const match of text.matchAll(pattern)) {
      const one = found(match, parse(match.groups ?? {}))
      if (one === null) continue
      if (earliest === null || one.start < earliest.start) earliest = one
      break
    }
  }
  return earliest
}

/** The date of a text that is only a date, such as `Released on July 30, 2021`; otherwise null. */
export const onlyDate = (text: string): FoundDate | null => only(text, findDate(text))

export const onlyFalseDate = (text: string): FalseDate | null => only(text, findFalseDate(text))

const only = <T extends Span>(text: string, found: T | null): T | null =>
  found !== null && ONLY_AROUND_DATE.test(text.slice(0, found.start) + text.slice(found.end)) ? found : null

interface Dated {
  date: number | null
  numericDate: NumericDate | null
  line: number
}

/**
 * Reads the numeric dates of a file in one way, day or month first: the one that a date proves (13.01.2024), else the
 * one that puts the versions in order. If neither decides, each date keeps the usual reading of its form, which is
 * reported.
 */
export function resolveNumericDates(versions: Dated[], warnings: Warning[]): void {
  const numeric = versions.flatMap(({ numericDate }) => numericDate ?? [])
  const ambiguous = versions.filter(({ numericDate }) => numericDate !== null && isAmbiguous(numericDate))
  if (ambiguous.length === 0) return
  const dayFirst = numeric.filter(({ monthFirst }) => monthFirst === null).length
  const monthFirst = numeric.filter((one) => one.dayFirst === null).length
  const lead = dayFirst - monthFirst || disorder(versions, 'monthFirst') - disorder(versions, 'dayFirst')
  for (const version of ambiguous) {
    if (lead !== 0) version.date = version.numericDate?.[lead > 0 ? 'dayFirst' : 'monthFirst'] ?? version.date
    else {
      const order = version.date === version.numericDate?.dayFirst ? 'day/month' : 'month/day'
      const message = `the date may be day/month or month/day, read as ${order}`
      warnings.push({ line: version.line, message })
    }
  }
}

const isAmbiguous = ({ dayFirst, monthFirst }: NumericDate): boolean =>
  dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst

/** How often the dates contradict the order of the file, newest or oldest first. */
function disorder(versions: Dated[], reading: keyof NumericDate): number {
  const dates = versions.flatMap(({ date, numericDate }) => numericDate?.[reading] ?? date ?? [])
  let rises = 0
  let falls = 0
  for (const [at, date] of dates.entries()) {
    const before = dates[at - 1] ?? date
    if (date > before) rises++
    if (date < before) falls++
  }
  return Math.min(rises, falls)
}

const ONLY_AROUND_DATE = new RegExp(
  `^[\\s:.,*_"'\\p{So}\\uFE0F-]*(?:${anyOf(DATE_WORDS)}(?: on)?)?[\\s:.,*_"'-]*$`,
  'iu',
)
const OPENING_BRACKET = new RegExp(`[([{<]\\s*(?:${anyOf(RELEASED)}(?: on)?:?\\s*)?$`, 'i')
const CLOSING_BRACKET = /^\s*[)\]}>]/

export const MONTH_NAMES = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]
const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3))
export const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = '(?<year>\\d{4})'
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?'
const TIME =
  '(?:(?:T|,?\\s+(?:at\\s+)?)(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.(?<fraction>\\d{1,9}))?)?(?:\\s?(?<half>[ap])\\.?m\\b\\.?)?(?:\\s*\\(?(?<zone>[+-]\\d{2}:?\\d{2}|(?:Z|UTC|GMT|[ECMP][SD]T|[CEW]ES?T|BST|I[SD]T|JST|KST|MSK|AE[SD]T|NZ[SD]T)\\b)\\)?)?)?'

type Groups = Record<string, string | undefined>
type ParsedDate = Pick<FoundDate, 'at' | 'warning' | 'numeric'> | null

interface DateFormat {
  pattern: RegExp
  parse: (groups: Groups) => ParsedDate
}

const DATE_FORMATS: DateFormat[] = [
  {
    pattern: new RegExp(
      `(?<![\\w.-])${YEAR}([-/.–—‐‑−])(?<month>\\d{1,2})\\2${DAY}${TIME}(?![\\w-]|\\.\\d)`,
      'gi',
    ),
    parse: (g) => dateOf(g, Number(g.month)),
  },
  {
    pattern: new RegExp(`(?<![\\w.-])${YEAR}([-/. ])${MONTH}\\2${DAY}${TIME}(?![\\w-])`, 'gi'),
    parse: (g) => dateOf(g, monthOf(g.month)),
  },
  {
    pattern: new RegExp(`(?<![\\w.-])${YEAR},\\s+${MONTH}\\s+${DAY}(?![\\w-])`, 'gi'),
    parse: (g) => dateOf(g, monthOf(g.month)),
  },
  {
    pattern: new RegExp(`(?<![\\w.-])${YEAR}([-/])${DAY}\\2${MONTH}(?![\\w-])`, 'gi'),
    parse: (g) => dateOf(g, monthOf(g.month)),
  },
  {
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${MONTH}\\s+${DAY},?\\s+${YEAR}${TIME}(?!\\w)`, 'gi'),
    parse: (g) => dateOf(g, monthOf(g.month)),
  },
  {
    // With a time, as Rush and beachball write it: `Tue, 06 Oct 2026 00:04:37 GMT`.
    pattern: new RegExp(
      `(?<!\\w)${WEEKDAY}${DAY}(?:[.,]\\s*|[\\s/-]+)(?:of\\s+)?${MONTH},?[\\s/-]+${YEAR}${TIME}(?!\\w)`,
      'gi',
    ),
    parse: (g) => dateOf(g, monthOf(g.month)),
  },
  {
    // As `date` prints it: `Fri 15 Jan 09:57:35 CET 2021`.
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${DAY}\\s+${MONTH}${TIME}\\s+${YEAR}(?!\\w)`, 'gi'),
    parse: (g) => dateOf(g, monthOf(g.month)),
  },
  {
    // As in git logs and RPM changelogs: `Fri Jul 30 12:00:00 2021`.
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${MONTH}\\s+${DAY}${TIME}\\s+${YEAR}(?!\\w)`, 'gi'),
    parse: (g) => dateOf(g, monthOf(g.month)),
  },
  {
    pattern: new RegExp(
      `(?<![\\w.-])(?<first>\\d{1,2})(?<separator>[-/.])(?<other>\\d{1,2})\\k<separator>${YEAR}${TIME}(?![\\w-]|\\.\\d)`,
      'gi',
    ),
    parse: dayOrMonthFirst,
  },
  {
    // After a day, as in 31 April 2024, it is a date that does not exist.
    pattern: new RegExp(
      `(?<!\\w|\\d(?:st|nd|rd|th)?(?:[.,]?\\s*|\\s*-)(?:of\\s+)?)${MONTH},?\\s+${YEAR}(?!\\w)`,
      'gi',
    ),
    parse: (g) => withWarning(dateOf({ ...g, day: '1' }, monthOf(g.month)), NO_DAY),
  },
]

/** Two digits can be no day or month from 80 on, and are a year behind a day and a name. */
const OLD = "'?(?<year>[89]\\d)"
const SHORT_FORMATS: DateFormat[] = [
  {
    pattern: new RegExp(`(?<!\\w)${DAY}([-/])${MONTH}\\2(?<year>\\d\\d)(?![\\w-])`, 'gi'),
    parse: (g) => dateOf(g, monthOf(g.month)),
  },
  {
    pattern: new RegExp(
      `(?<!\\w)${WEEKDAY}(?:${MONTH}\\s+${DAY}|${DAY.replace('day', 'dayBefore')}\\s+${MONTH.replace('month', 'monthBehind')}),?\\s+${OLD}(?![\\w-])`,
      'gi',
    ),
    parse: (g) => dateOf({ ...g, day: g.day ?? g.dayBefore }, monthOf(g.month ?? g.monthBehind)),
  },
  {
    pattern: new RegExp(`(?<![\\w.-])${OLD}([-/])(?<month>\\d{1,2})\\2${DAY}(?![\\w-])`, 'gi'),
    parse: (g) => dateOf(g, Number(g.month)),
  },
  {
    pattern: new RegExp(
      `(?<![\\w.-])(?<first>\\d{1,2})(?<separator>[-/])(?<other>\\d{1,2})\\k<separator>${OLD}(?![\\w-])`,
      'gi',
    ),
    parse: dayOrMonthFirst,
  },
  {
    pattern: new RegExp(`(?<!\\w|\\d\\s*)${MONTH},?\\s+${OLD}(?![\\w-])`, 'gi'),
    parse: (g) => withWarning(dateOf({ ...g, day: '1' }, monthOf(g.month)), NO_DAY),
  },
]

const NO_DAY = 'the date has no day, read as the first of the month'

const monthOf = (name: string | undefined): number =>
  MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1

function dateOf(groups: Groups, month: number): ParsedDate {
  const digits = Number(groups.year)
  const year = groups.year?.length === 2 ? digits + (digits < 70 ? 2000 : 1900) : digits
  const day = Number(groups.day)
  const midnight = Date.UTC(year, month - 1, day)
  const actual = new Date(midnight)
  if (year < 1000 || actual.getUTCMonth() !== month - 1 || actual.getUTCDate() !== day) return null
  const isAfternoon = /p/i.test(groups.half ?? '')
  const hour =
    groups.half === undefined ? Number(groups.hour ?? 0) : (Number(groups.hour) % 12) + (isAfternoon ? 12 : 0)
  const minute = Number(groups.minute ?? 0)
  const second = Number(groups.second ?? 0)
  if (hour > 23 || minute > 59 || second > 59) return null
  const millisecond = Math.trunc(Number(`0.${groups.fraction ?? 0}`) * 1000)
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
  return { at: midnight + time - zoneOffset(groups.zone), warning: null, numeric: null }
}

/** Of zones by name, those of North America are known to `Date`. In others, the time is taken for UTC: the day is as written. */
const zoneOffset = (zone: string | undefined): number =>
  zone === undefined ? 0 : -Date.parse(`1 Jan 1970 00:00 ${zone.replace(':', '').toUpperCase()}`) || 0

/** With dots or hyphens the day is usually first, with slashes the month. */
function dayOrMonthFirst(groups: Groups): ParsedDate {
  const { first, other, separator, ...time } = groups
  const monthFirst = dateOf({ ...time, day: other }, Number(first))?.at ?? null
  const dayFirst = dateOf({ ...time, day: first }, Number(other))?.at ?? null
  const at = separator === '/' ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)
  return at === null ? null : { at, warning: null, numeric: { dayFirst, monthFirst } }
}

const withWarning = (date: ParsedDate, warning: string): ParsedDate =>
  date === null ? null : { ...date, warning }

/** `(released on 2024-01-02)`: brackets belong to the date, with such a word. */
function includeBrackets<T extends Span>(text: string, date: T): T {
  const before = OPENING_BRACKET.exec(text.slice(0, date.start))
  const after = CLOSING_BRACKET.exec(text.slice(date.end))
  if (before === null || after === null) return date
  return { ...date, start: before.index, end: date.end + after[0].length }
}
