import { nearest } from '../text/nearest.ts'
import { monthNames } from './month-names.ts' with { type: 'macro' }

/** The forms of dates in changelogs, and how each is read. */

/** Asked for with the first date: a macro that reads this file has no other macros. */
const monthsOnce = () => {
  const { long, short } = monthNames()
  const english = Object.keys(long).slice(0, 12)
  return { long: new Map(Object.entries(long)), short: new Map(Object.entries(short)), english }
}
let known: ReturnType<typeof monthsOnce> | undefined
function months() {
  known ??= monthsOnce()
  return known
}

const BEGIN = '(?<![\\p{L}\\p{N}_])'
/** A hyphen may separate a date from what is in front: `1.2.0 -2020.1.19`. */
const BEGIN_NUMBER = '(?<![\\p{L}\\p{N}_.]|\\S-)'
const END = '(?![\\p{L}\\p{N}_])'
const END_NUMBER = '(?![\\p{L}\\p{N}_-]|\\.\\d)'
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|[.ºª°])?'
const MONTH = '(?<month>\\p{L}{3,12})\\.?'
/** Behind a year: `1 kwietnia 2023 r.`, `1 апреля 2023 года`. */
const YEAR = '(?<year>\\d{4})(?:\\s*(?:r\\.|roku|року|р\\.|года|г\\.))?'
const SHORT_YEAR = "'?(?<year>\\d\\d)"
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?'
const CLOCK =
  '(?:(?<iso>T)|,?\\s+(?:at\\s+)?)(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.(?<fraction>\\d{1,9}))?)?(?:\\s?(?<half>[ap])\\.?m\\b\\.?)?(?:\\s*\\(?(?<zone>[+\\-]\\d{2}:?\\d{2}|(?:Z|UTC|GMT|[ECMP][SD]T|[CEW]ES?T|BST|I[SD]T|JST|KST|MSK|AE[SD]T|NZ[SD]T|[A-Z]{3}\\d[A-Z]{3})\\b)\\)?)?'
/** Perl writes a place for the zone: `10:00:00-04:00 America/New_York`. */
const TIME = `(?:${CLOCK}(?:\\s+[a-z]+/[a-z_]+)?)?`
/** Before a year, a word is a zone of any name. */
const TIME_BEFORE_YEAR = `(?:${CLOCK}(?:\\s+(?:[a-z]{2,5}|[a-z]{3}\\d[a-z]{3})|\\s+[+\\-]\\d\\d)?)?`
const OF = "(?:(?:of|de)\\s+|d['’])?"

const form = (source: string): RegExp => new RegExp(source, 'giu')

export const NUMBER_FORMS: RegExp[] = [
  form(
    `${BEGIN_NUMBER}${YEAR}(?<by>[\\-/.–—‐‑−])(?<month>\\d{1,2})\\k<by>(?<day>\\d{1,2})${TIME}${END_NUMBER}`,
  ),
  form(`${BEGIN_NUMBER}(?<first>\\d{1,2})(?<by>[\\-/.])(?<other>\\d{1,2})\\k<by>${YEAR}${TIME}${END_NUMBER}`),
  // `2026年9月8日`, `2026년 9월`, `8 tháng 9, 2026`
  form(`(?<!\\d)${YEAR}\\s*[年년]\\s*(?<month>\\d{1,2})\\s*[月월](?:\\s*(?<day>\\d{1,2})\\s*[日일號号])?`),
  form(`${BEGIN}(?<day>\\d{1,2}) tháng (?<month>\\d{1,2}),? (?:năm )?${YEAR}${END}`),
]

export const NAMED_FORMS: RegExp[] = [
  // `2015-Jan-02`, `2015, January 2`, `2026. szeptember 8.`, `2026 m. rugsėjo 8 d.`
  form(
    `${BEGIN_NUMBER}${YEAR}(?:[\\-/.]|[.,]?\\s+(?:m\\.\\s+)?)${MONTH}(?:[\\-/]|\\s+)${DAY}(?:\\s*d\\.)?${TIME}(?!-)${END}`,
  ),
  // `2017-03-March`
  form(`${BEGIN_NUMBER}${YEAR}(?<by>[\\-/])(?<day>\\d{1,2})\\k<by>${MONTH}${END}`),
  form(`${BEGIN}${WEEKDAY}${MONTH}(?:,?\\s+|[\\-/])${DAY}(?:,?\\s+|[\\-/])${YEAR}${TIME}${END}`),
  // With a time, as Rush and beachball write it: `Tue, 06 Oct 2026 00:04:37 GMT`.
  form(
    `${BEGIN}${WEEKDAY}${DAY}(?:(?<=[.])|[.,]|[\\s/\\-])[\\s/\\-]*${OF}${MONTH}(?:\\s+del?)?,?[\\s/\\-]+${YEAR}${TIME}${END}`,
  ),
  // As `date` prints it, `Fri 15 Jan 09:57:35 CET 2021`, and git logs: `Fri Jul 30 12:00:00 2021`.
  form(`${BEGIN}${WEEKDAY}${DAY}\\s+${MONTH}${TIME_BEFORE_YEAR}\\s+${YEAR}${END}`),
  form(`${BEGIN}${WEEKDAY}${MONTH}\\s+${DAY}${TIME_BEFORE_YEAR}\\s+${YEAR}${END}`),
  // After a day, as in 31 April 2024, it is a date that does not exist.
  form(`(?<!\\d\\p{L}{0,2}(?:[.,]?\\s*|\\s*-)${OF})${BEGIN}${MONTH},?\\s+(?:de\\s+)?${YEAR}${END}`),
]

/** These may be numbers as well: they count only alone beside a label. */
export const DIGIT_FORMS: RegExp[] = [
  form(`${BEGIN_NUMBER}(?<year>(?:19|20)\\d\\d)(?<month>\\d\\d)(?<day>\\d\\d)${END_NUMBER}`),
  form(`${BEGIN_NUMBER}${YEAR}[\\-/](?<month>0[1-9]|1[0-2])${END_NUMBER}`),
  form(`${BEGIN_NUMBER}(?<first>\\d{1,2})(?<by>/)(?<other>\\d{1,2})/${SHORT_YEAR}${END_NUMBER}`),
  form(`${BEGIN}${WEEKDAY}${DAY}[\\s/\\-]+${MONTH}[\\s/\\-]+${SHORT_YEAR}${END_NUMBER}`),
  form(`${BEGIN}${WEEKDAY}${MONTH}\\s+${DAY},?\\s+${SHORT_YEAR}${END_NUMBER}`),
]

const DIGIT = '[\\dOoIl]'
const BETWEEN = '\\s*[\\-–—‐‑−_/]\\s*'

/** Mistyped: 2026-11-3l, 2026-111-01, 31/11/26, and what lacks a year. */
export const MISTYPED_FORMS: RegExp[] = [
  form(`${BEGIN}${DIGIT}{4,5}${BETWEEN}${DIGIT}{1,3}${BETWEEN}${DIGIT}{1,3}(?![^\\W_])`),
  form(`${BEGIN}${DIGIT}{1,2}${BETWEEN}${DIGIT}{1,2}${BETWEEN}(?:${DIGIT}{4,5}|${DIGIT}{2})(?![^\\W_])`),
  form(`${BEGIN}(?<year>(?:19|20|21)\\d\\d)(?<month>\\d\\d)(?<day>\\d\\d)${END}`),
  form(`${BEGIN}${MONTH}\\s+${DAY}${END}`),
  form(`${BEGIN}${DAY}\\s+${MONTH}${END}`),
]

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

const NO_DAY = 'the date has no day, read as the first of the month'

/** The date of a match; null if there is no such day or time, undefined if the word in place of a month is none. */
export function readDate(groups: Groups): ParsedDate | null | undefined {
  const mayBeNumber = groups.first !== undefined || groups.by === '.'
  if (mayBeNumber && groups.year?.length === 4 && !isLikely(Number(groups.year))) return null
  if (groups.first !== undefined) return dayOrMonthFirst(groups)
  const { day } = groups
  const month = monthOf(groups.month ?? '', day === undefined)
  if (month === undefined) return undefined
  if (day !== undefined && month <= 12) return dateOf(groups, month)
  // A month after the twelfth is the day: `2016-17-05`.
  if (day !== undefined) return dateOf({ ...groups, day: String(month) }, Number(day))
  const date = dateOf({ ...groups, day: '1' }, month)
  return date && { ...date, warning: NO_DAY }
}

export function monthOf(written: string, isAlone = false): number | undefined {
  if (/^\d/.test(written)) return Number(written)
  const name = written.toLowerCase()
  return months().long.get(name) ?? (isAlone ? undefined : months().short.get(name))
}

/** True if one of the words is a month: most texts have none. */
export const namesMonth = (text: string): boolean =>
  text.match(/\p{L}{3,}/gu)?.some((word) => monthOf(word) !== undefined) === true

/** True for a mistyped month: `Feburary`. */
export const isNearMonth = (word: string): boolean => nearest(word.toLowerCase(), months().english) !== null

function dateOf(groups: Groups, month: number): ParsedDate | null {
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

/** `Date` knows the names of zones of North America. Times of others, also PST8PDT, are taken for UTC: the day is as written. */
const zoneOffset = (zone: string | undefined): number =>
  zone === undefined || /[a-z]\d/i.test(zone)
    ? 0
    : -Date.parse(`1 Jan 1970 00:00 ${zone.replace(':', '').toUpperCase()}`) || 0

/** With dots or hyphens the day is usually first, with slashes the month. */
function dayOrMonthFirst(groups: Groups): ParsedDate | null {
  const { first, other, by, ...time } = groups
  const monthFirst = dateOf({ ...time, day: other }, Number(first))?.at ?? null
  const dayFirst = dateOf({ ...time, day: first }, Number(other))?.at ?? null
  const at = by === '/' ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)
  return at === null ? null : { at, warning: null, numeric: { dayFirst, monthFirst } }
}

/** Others are those of a version, as in 2.1.1504, or mistyped: nobody plans that far ahead. */
export const isLikely = (year: number): boolean => year >= 1980 && year <= new Date().getUTCFullYear() + 10

/** The longest text that is only a day. */
const LONGEST_DAY = 60

/** `2026-11-12` for a text that is only that day, in any form whose day and month cannot be mistaken and that is no number: `2026.11.12`. Else null. */
export function dayIn(text: string): string | null {
  if (text.length > LONGEST_DAY || !/\d{4}/.test(text)) return null
  for (const form of namesMonth(text) ? NAMED_FORMS : NUMBER_FORMS) {
    form.lastIndex = 0
    const { 0: found = '', groups = {} } = form.exec(text) ?? {}
    const isWhole = found === text && (groups.day ?? groups.first) !== undefined && groups.hour === undefined
    if (!isWhole || (groups.first !== undefined) !== (groups.by === '.')) continue
    const date = readDate(groups)
    if (date && isLikely(Number(groups.year))) return new Date(date.at).toISOString().slice(0, 10)
  }
  return null
}
