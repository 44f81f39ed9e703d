/** The forms of dates in English, and how each is read. */

export const MONTH_NAMES = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]
const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3))
export const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
/** A hyphen may separate a date from what is in front: `1.2.0 -2020.1.19`. */
const BEGIN = '(?<![\\w.]|\\S-)'
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = '(?<year>\\d{4})'
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?'
const CLOCK =
  '(?:(?<iso>T)|,?\\s+(?:at\\s+)?)(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.(?<fraction>\\d{1,9}))?)?(?:\\s?(?<half>[ap])\\.?m\\b\\.?)?(?:\\s*\\(?(?<zone>[+-]\\d{2}:?\\d{2}|(?:Z|UTC|GMT|[ECMP][SD]T|[CEW]ES?T|BST|I[SD]T|JST|KST|MSK|AE[SD]T|NZ[SD]T)\\b)\\)?)?'
/** Perl writes a place for the zone: `10:00:00-04:00 America/New_York`. */
const TIME = `(?:${CLOCK}(?:\\s+[a-z]+/[a-z_]+)?)?`
/** Before a year, a word is a zone of any name. */
const TIME_BEFORE_YEAR = `(?:${CLOCK}(?:\\s+[a-z]{2,5}|\\s+[+-]\\d\\d)?)?`

type Groups = Record<string, string | undefined>
export interface ParsedDate {
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

interface DateFormat {
  pattern: RegExp
  parse: (groups: Groups) => ParsedDate | null
}

export const DATE_FORMATS: DateFormat[] = [
  {
    pattern: new RegExp(
      `${BEGIN}${YEAR}([-/.–—‐‑−])(?<month>\\d{1,2})\\2${DAY}${TIME}(?![\\w-]|\\.\\d)`,
      'gi',
    ),
    parse: byNumber,
  },
  {
    pattern: new RegExp(`${BEGIN}${YEAR}([-/. ])${MONTH}\\2${DAY}${TIME}(?![\\w-])`, 'gi'),
    parse: byName,
  },
  {
    pattern: new RegExp(`${BEGIN}${YEAR},\\s+${MONTH}\\s+${DAY}(?![\\w-])`, 'gi'),
    parse: byName,
  },
  {
    pattern: new RegExp(`${BEGIN}${YEAR}([-/])${DAY}\\2${MONTH}(?![\\w-])`, 'gi'),
    parse: byName,
  },
  {
    pattern: new RegExp(
      `(?<!\\w)${WEEKDAY}${MONTH}(?:,?\\s+|[-/])${DAY}(?:,?\\s+|[-/])${YEAR}${TIME}(?!\\w)`,
      'gi',
    ),
    parse: byName,
  },
  {
    // With a time, as Rush and beachball write it: `Tue, 06 Oct 2026 00:04:37 GMT`.
    pattern: new RegExp(
      `(?<!\\w)${WEEKDAY}${DAY}(?:[.,]\\s*|[\\s/-]+)(?:of\\s+)?${MONTH},?[\\s/-]+${YEAR}${TIME}(?!\\w)`,
      'gi',
    ),
    parse: byName,
  },
  {
    // As `date` prints it: `Fri 15 Jan 09:57:35 CET 2021`.
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${DAY}\\s+${MONTH}${TIME_BEFORE_YEAR}\\s+${YEAR}(?!\\w)`, 'gi'),
    parse: byName,
  },
  {
    // As in git logs and RPM changelogs: `Fri Jul 30 12:00:00 2021`.
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${MONTH}\\s+${DAY}${TIME_BEFORE_YEAR}\\s+${YEAR}(?!\\w)`, 'gi'),
    parse: byName,
  },
  {
    pattern: new RegExp(
      `${BEGIN}(?<first>\\d{1,2})(?<separator>[-/.])(?<other>\\d{1,2})\\k<separator>${YEAR}${TIME}(?![\\w-]|\\.\\d)`,
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
    parse: withoutDay,
  },
  {
    pattern: new RegExp(`${BEGIN}${YEAR}-(?<month>\\d\\d)-(?:xx|\\?\\?)(?![\\w-])`, 'gi'),
    parse: firstOfMonth,
  },
]

/** Two digits can be no day or month from 80 on, and are a year behind a day and a name. */
const OLD = "'?(?<year>[89]\\d)"
export const SHORT_FORMATS: DateFormat[] = [
  {
    pattern: new RegExp(`(?<!\\w)${DAY}([-/])${MONTH}\\2(?<year>\\d\\d)(?![\\w-])`, 'gi'),
    parse: byName,
  },
  ...namedMonths(OLD),
  {
    pattern: new RegExp(`${BEGIN}${OLD}([-/])(?<month>\\d{1,2})\\2${DAY}(?![\\w-])`, 'gi'),
    parse: byNumber,
  },
  {
    pattern: new RegExp(
      `${BEGIN}(?<first>\\d{1,2})(?<separator>[-/])(?<other>\\d{1,2})\\k<separator>${OLD}(?![\\w-])`,
      'gi',
    ),
    parse: dayOrMonthFirst,
  },
  {
    // Set apart: `1.2: 20/12/18 Jane`.
    pattern: /(?<=^|[-:(]\s?)(?<first>\d{1,2})(?<separator>\/)(?<other>\d{1,2})\/(?<year>\d\d)(?![\w/-])/g,
    parse: dayOrMonthFirst,
  },
  {
    pattern: new RegExp(`(?<!\\w|\\d\\s*)${MONTH},?\\s+${OLD}(?![\\w-])`, 'gi'),
    parse: withoutDay,
  },
]

/** What may be a number as well. Two digits behind hyphens are a year unless those in front may be. */
export const DIGIT_FORMATS: DateFormat[] = [
  ...namedMonths("'?(?<year>[012]\\d)"),
  {
    pattern: new RegExp(`${BEGIN}${YEAR}[-/](?<month>0[1-9]|1[0-2])(?![\\w/-]|\\.\\d)`, 'g'),
    parse: firstOfMonth,
  },
  { pattern: /(?<![\w.-])(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)(?![\w-]|\.\d)/g, parse: byNumber },
  {
    pattern: new RegExp(
      `${BEGIN}(?<first>\\d{1,2})(?<separator>/)(?<other>\\d{1,2})/(?<year>[012]\\d)(?![\\w/-]|\\.\\d)`,
      'g',
    ),
    parse: dayOrMonthFirst,
  },
  {
    pattern: new RegExp(
      `${BEGIN}(?<first>[1-9]|0[1-9]|1[0-2])(?<separator>-)(?<other>[1-9]|1[3-9]|2\\d|3[01])-(?<year>[012]\\d)(?![\\w/-]|\\.\\d)`,
      'g',
    ),
    parse: dayOrMonthFirst,
  },
]

function namedMonths(year: string): DateFormat[] {
  return [`${MONTH}\\s+${DAY}`, `${DAY}\\s+${MONTH}`].map((day) => ({
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${day},?\\s+${year}(?![\\w-])`, 'gi'),
    parse: byName,
  }))
}

export const NO_DAY = 'the date has no day, read as the first of the month'

function byName(groups: Groups): ParsedDate | null {
  const name = (groups.month ?? '').slice(0, 3).toLowerCase()
  return dateOf(groups, MONTHS.indexOf(name) + 1)
}

/** A month after the twelfth is the day: `2016-17-05`. */
function byNumber(groups: Groups): ParsedDate | null {
  const { month, day } = groups
  return Number(month) > 12 ? dateOf({ ...groups, day: month }, Number(day)) : dateOf(groups, Number(month))
}

function withoutDay(groups: Groups): ParsedDate | null {
  return withWarning(byName({ ...groups, day: '1' }), NO_DAY)
}

function firstOfMonth(groups: Groups): ParsedDate | null {
  return withWarning(byNumber({ ...groups, day: '1' }), NO_DAY)
}

export function dateOf(groups: Groups, month: number): ParsedDate | null {
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
  const at = midnight + time - zoneOffset(groups.zone)
  // People mean the day that they write, also where it is another one in UTC; ISO 8601 means the moment.
  const isSameDay = at >= midnight && at < midnight + DAY_LENGTH
  return { at: groups.iso || isSameDay ? at : midnight + time, warning: null, numeric: null }
}

const DAY_LENGTH = 86_400_000

/** Of zones by name, those of North America are known to `Date`. In others, the time is taken for UTC: the day is as written. */
const zoneOffset = (zone: string | undefined): number =>
  zone === undefined ? 0 : -Date.parse(`1 Jan 1970 00:00 ${zone.replace(':', '').toUpperCase()}`) || 0

/** With dots or hyphens the day is usually first, with slashes the month. */
function dayOrMonthFirst(groups: Groups): ParsedDate | null {
  const { first, other, separator, ...time } = groups
  const monthFirst = dateOf({ ...time, day: other }, Number(first))?.at ?? null
  const dayFirst = dateOf({ ...time, day: first }, Number(other))?.at ?? null
  const at = separator === '/' ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)
  return at === null ? null : { at, warning: null, numeric: { dayFirst, monthFirst } }
}

export const withWarning = (date: ParsedDate | null, warning: string): ParsedDate | null =>
  date === null ? null : { ...date, warning }
