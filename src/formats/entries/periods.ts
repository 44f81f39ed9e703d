import type { Instant } from '../../domain/records.ts'
import { monthOf, type NumericDate } from '../../domain/time/date-forms.ts'
import { DAY_MS } from '../../domain/time/time.ts'
import { findDate, findDigits, type Span } from '../changelog/versions/dates.ts'

/** A day in a line, or the first day of a week, a month, a quarter or of some days. */
export interface Period extends Span {
  at: Instant
  /** As the author wrote it, with the year of the heading above. */
  written: string
  length: 'day' | 'days' | 'month'
  warning: string | null
  numeric: NumericDate | null
}

/** A year above days that have none. */
export interface Above {
  outer: Above | null
  level: number
  year: string
}

const TO =
  '\\s*(?:[-–—~〜～]|\\b(?:to|until|till|through|bis(?: zum)?|au|à|al|a|até|t/m|tot|y|e)\\b)\\s*(?:the |le |el |den )?'
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|º|ª|°|\\.|日)?'
const form = (source: string): RegExp => new RegExp(source, 'iu')

/** `Oct 5 – Oct 16, 2026`, `September 7th to 18th 2026` */
const MONTH_FIRST = form(
  `(?<![\\p{L}\\d])(?<month>\\p{L}{3,12})\\.?\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?${TO}(?:\\p{L}{3,12}\\.?\\s+)?${DAY},?\\s+(?<year>\\d{4})(?!\\d)`,
)
/** `5.–16. Oktober 2026`, `du 21 septembre au 2 octobre 2026` */
const DAY_FIRST = form(
  `(?<![\\p{L}\\d.])(?<day>\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?(?:\\s*(?:of |de |d['’])?(?<month>\\p{L}{3,12})\\.?)?${TO}${DAY}\\s*(?:of |de |d['’])?(?<last>\\p{L}{3,12})\\.?(?:\\s+del?)?,?\\s+(?<year>\\d{4})(?!\\d)`,
)
/** `5.10.–16.10.2026` */
const IN_NUMBERS = form(
  `(?<![\\p{L}\\d.])(?<day>\\d{1,2})\\.(?<digits>\\d{1,2})\\.(?:\\d{4})?${TO}\\d{1,2}\\.\\d{1,2}\\.(?<year>\\d{4})(?!\\d)`,
)
/** What follows the first day of several. */
const UP_TO = form(
  `^${TO}(?:\\d{4}[-/.年]\\s*)?(?:${DAY}(?:\\s*[-/.月]\\s*${DAY})?(?:\\s*(?:of |de )?(?<month>\\p{L}{3,12})\\.?)?|(?<first>\\p{L}{3,12})\\.?\\s+${DAY})(?:[.,/]?\\s*\\d{4})?(?![\\p{L}\\d]|(?<=\\s\\d{1,2})\\s+\\p{L})`,
)
/** `Week of October 12, 2026` */
const WEEK_OF = form(
  `(?<![\\p{L}])(?:week (?:of|from|beginning|starting)|woche (?:vom|ab)|semaine du|semana (?:del?|do|da)|settimana del(?:l['’])?|week van)\\s+(?:\\p{L}+,? )?$`,
)
const WEEK_NAME = '(?:week|wk|cw|kw|woche|kalenderwoche|semaine|semana|settimana|uke|vecka|uge|週)'
const WEEK = form(
  `(?<!\\p{L})(?:(?<year>\\d{4})[-–, ]*W(?:eek )?(?<week>\\d{1,2})|${WEEK_NAME}\\s*#?(?<number>\\d{1,2})(?:\\s*[-–—/,(]\\s*|\\s+(?:of |de |del |van |in )?)(?<in>\\d{4})\\)?)(?![-\\d])`,
)
const QUARTER = form(
  '(?<![\\p{L}\\d])(?:[QT](?<quarter>[1-4])[\\s/,·–-]*(?<year>\\d{4})|(?<in>\\d{4})[\\s/,·–-]*[QT](?<own>[1-4])|(?<number>[1-4])(?:st|nd|rd|th|\\.|er|º|°|e|ème|o)?\\s*(?:quarter|quartal|trimestre|kwartaal)\\s*(?:of |de |del |do |di |van )?(?<of>\\d{4})|(?<since>\\d{4})年\\s*第?(?<named>[1-4])四半期)(?!\\d)',
)
/** A day or a month without a year. */
const WITHOUT_YEAR = [
  form('(?<!\\d)\\d{1,2}月(?:\\s*\\d{1,2}日)?'),
  form('(?<![\\p{L}\\d])(?<month>\\p{L}{3,12})\\.?\\s+\\d{1,2}(?:st|nd|rd|th|er)?(?![\\p{L}\\d:.])'),
  form(
    "(?<![\\p{L}\\d.])\\d{1,2}(?:st|nd|rd|th|er|º|\\.)?\\s+(?:of |de |d['’])?(?<month>\\p{L}{3,12})(?!\\p{L})",
  ),
  form('(?<![\\p{L}\\d])(?<month>\\p{L}{3,12})(?!\\p{L})'),
]

const SEVERAL = 'the date is of several days, read as the first'

/** The first period in a text without markup. */
export function periodIn(text: string, above: Above | null = null): Period | null {
  if (!/\d/.test(text) && above === null) return null
  if (!/\d{4}|\d\/\d\d(?!\d)/.test(text)) return above && periodOf(text, above)
  const range = rangeIn(text)
  const found = range ?? dayIn(text)
  const counted = countedIn(text)
  if (found === null || counted === null) return found ?? counted
  // `Week 41, 2026 (October 5 – October 11)`
  const [first, second] = counted.start <= found.start ? [counted, found] : [found, counted]
  if (/[\p{L}\d]/u.test(text.slice(first.end, second.start))) return first
  const end = Math.max(first.end, second.end) + Number(/^\)/.test(text.slice(second.end)))
  return { ...found, ...written(text, first.start, end), length: 'days' }
}

const written = (text: string, start: number, end: number) => ({
  start,
  end,
  written: text.slice(start, end).trim(),
})

function dayIn(text: string): Period | null {
  const found = findDate(text) ?? findDigits(text)
  if (found === null) return null
  const isMonth = found.warning !== null
  const one = { ...found, ...written(text, found.start, found.end) }
  one.written = one.written.replace(/^[([]|[)\]]$/g, '')
  const isClosed = isMonth || /[)\]]$/.test(text.slice(found.start, found.end))
  const upTo = isClosed ? null : UP_TO.exec(text.slice(found.end))
  const { month, first = month } = upTo?.groups ?? {}
  const last = first === undefined || monthOf(first) ? upTo?.[0] : undefined
  const front = WEEK_OF.exec(text.slice(0, found.start))?.[0] ?? ''
  if (last === undefined && front === '') return { ...one, length: isMonth ? 'month' : 'day' }
  const end = found.end + (last?.length ?? 0)
  return { ...one, ...written(text, found.start - front.length, end), length: 'days', warning: SEVERAL }
}

function rangeIn(text: string): Period | null {
  const match = MONTH_FIRST.exec(text) ?? DAY_FIRST.exec(text) ?? IN_NUMBERS.exec(text)
  const { digits, month = digits, last, day, year } = match?.groups ?? {}
  const number = monthOf(month ?? last ?? '')
  if (!match || number === undefined) return null
  const at = Date.UTC(Number(year), number - 1, Number(day))
  return {
    ...written(text, match.index, match.index + match[0].length),
    at,
    length: 'days',
    warning: SEVERAL,
    numeric: null,
  }
}

/** A week or a quarter by its number. */
function countedIn(text: string): Period | null {
  const week = WEEK.exec(text)
  const match = week ?? QUARTER.exec(text)
  if (!match?.groups) return null
  const { year, in: inYear, of, since, week: own, number, quarter, own: other, named } = match.groups
  const inside = Number(year ?? inYear ?? of ?? since)
  const count = Number(own ?? number ?? quarter ?? other ?? named)
  if (week && (count < 1 || count > 53)) return null
  const at = week ? firstOfWeek(inside, count) : Date.UTC(inside, (count - 1) * 3, 1)
  return {
    ...written(text, match.index, match.index + match[0].length),
    at,
    length: 'days',
    warning: SEVERAL,
    numeric: null,
  }
}

/** ISO 8601: the first week of a year has 4 January, and begins on a Monday. */
function firstOfWeek(year: number, week: number): Instant {
  const fourth = Date.UTC(year, 0, 4)
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7
  return fourth + ((week - 1) * 7 - weekday) * DAY_MS
}

/** A day or a month of the year above. */
function periodOf(text: string, { year }: Above): Period | null {
  for (const each of WITHOUT_YEAR) {
    const match = each.exec(text)
    if (!match || (match.groups && monthOf(match.groups.month ?? '', !/\d/.test(match[0])) === undefined))
      continue
    const isJapanese = match[0].includes('月')
    const before = text.slice(0, match.index)
    const whole = isJapanese
      ? `${year}年${match[0]}`
      : `${match[0]}${/\d\D*$/.test(match[0]) && /^\p{L}/u.test(match[0]) ? ',' : ''} ${year}`
    const found = dayIn(before + whole + text.slice(match.index + match[0].length))
    if (found === null) return null
    const end = found.end - (whole.length - match[0].length)
    return { ...found, end: Math.max(end, match.index + match[0].length) }
  }
  return null
}
