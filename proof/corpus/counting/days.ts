/**
 * The counter's own reading of dates. It shares no code with the importer, so that a mistake of one is not a mistake
 * of both. A day is written as `2024-01-02`.
 */

/** Whether numbers such as `02/03/2023` are day or month first in a file. */
export type DayOrder = 'day-first' | 'month-first'

/** A day in a text, and the text without it. */
export interface FoundDay {
  day: string
  rest: string
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH_NAME = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?'
const WEEKDAY = '(?:\\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?\\s+)?'
const CLOCK =
  '(?:[T,\\s]\\s*\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d+)?(?:\\s*[ap]m\\b)?)?(?:\\s*(?:Z|UTC|GMT|[PMCE][SD]T|I[SD]T|[+-]\\d{2}:?\\d{2})\\b)?'

/** The beginnings of months in other languages, for the count alone. */
const ELSEWHERE = [
  'jan ene gen jän янв sty sij oca 一',
  'févr fevr feb fév fev lut фев şub 二',
  'mars mär marz març mrt maart мар mar mars 三',
  'avr apr abr апр kwi nis 四',
  'mai may mag mayo maio mei мая май maj may 五',
  'juin jun giu июн cze haz 六',
  'juil jul lug июл lip tem 七',
  'août aout aug ago авг sie ağu 八',
  'sep set сен wrz eyl 九',
  'oct okt ott out окт paź eki 十',
  'nov ноя lis kas 十一',
  'déc dec dez dic дек gru ara 十二',
].map((names) => names.split(' '))

const elsewhere = (name = ''): number =>
  ELSEWHERE.findIndex((names) => names.some((one) => name.toLowerCase().startsWith(one))) + 1

type Parts = [year: number, month: number, day: number]
const FORMS: [RegExp, (groups: string[], order: DayOrder) => Parts][] = [
  [
    new RegExp(`(?<![\\w.])(\\d{4})[-/. ](\\d{1,2})[-/. ](\\d{1,2})(?![\\d-])${CLOCK}`, 'i'),
    ([y, m, d]) => [Number(y), Number(m), Number(d)],
  ],
  [
    new RegExp(
      `${WEEKDAY}\\b${MONTH_NAME}\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?:\\d{2}:\\d{2}:\\d{2}\\s+)?(\\d{4})\\b${CLOCK}`,
      'i',
    ),
    ([m, d, y]) => [Number(y), monthOf(m), Number(d)],
  ],
  [
    new RegExp(
      `${WEEKDAY}\\b(?<!\\d\\.)(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+(?:of\\s+)?${MONTH_NAME},?[\\s-]+(\\d{4})\\b${CLOCK}`,
      'i',
    ),
    ([d, m, y]) => [Number(y), monthOf(m), Number(d)],
  ],
  [
    /(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일号]?/,
    ([y, m, d]) => [Number(y), Number(m), Number(d)],
  ],
  [
    /(?<!\d\.?)(\d{1,2})(?:\.|er|º|ª)?[\s-]+(?:de\s+)?(\p{L}{3,})\.?[\s-]+(?:de\s+)?(\d{4})(?!\d)/iu,
    ([d, m, y]) => [Number(y), elsewhere(m), Number(d)],
  ],
  [
    new RegExp(`(?<![\\w.])(\\d{1,2})([-/.])(\\d{1,2})\\2(\\d{4})(?![\\w-])${CLOCK}`, 'i'),
    ([a, , b, y], order) =>
      (order === 'day-first' && Number(b) <= 12) || Number(a) > 12
        ? [Number(y), Number(b), Number(a)]
        : [Number(y), Number(a), Number(b)],
  ],
  [/\((\d{4})(\d\d)(\d\d)\)/, ([y, m, d]) => [Number(y), Number(m), Number(d)]],
  [new RegExp(`\\b${MONTH_NAME},?\\s+(\\d{4})\\b`, 'i'), ([m, y]) => [Number(y), monthOf(m), 1]],
]

/** The first form of a day that is in the text. */
export function findDay(text: string, order: DayOrder): FoundDay | null {
  for (const [pattern, partsOf] of FORMS) {
    const match = pattern.exec(text)
    if (match === null) continue
    const day = isoDay(partsOf(match.slice(1), order))
    if (day === null) continue
    return { day, rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}` }
  }
  return null
}

/** The day of a line that says nothing else than when a version was released. */
export function onlyDay(line: string, order: DayOrder): string | null {
  const found = findDay(line, order)
  const words = /(?<!\p{L})(?:published|released?|date|on|at|in|by)(?!\p{L})|[^\p{L}\p{N}]+/giu
  return found !== null && found.rest.replace(words, '') === '' ? found.day : null
}

/** A label such as `2024.3.14`, which is no date. */
const CALENDAR = /^\W*v?(?:19|20)\d\d\.\d{1,2}\.\d{1,2}(?![\d-])(?!.*\d\.\d)/i
export const isCalendarLabel = (heading: string): boolean => CALENDAR.test(heading)

/** Tells of a day whether a line has its numbers, or the name of its month, in any form but that of a label. */
export function writtenDays(lines: readonly string[]): (day: string) => boolean {
  const written = lines.flatMap((line) => {
    if (!/\d/.test(line)) return []
    const text = isCalendarLabel(line) ? line.replace(CALENDAR, '') : line
    const numbers = new Set((text.normalize('NFKC').match(/\d+/g) ?? []).map(Number))
    const months = new Set((text.match(/\p{L}{3,}/gu) ?? []).map(monthIn))
    return { numbers, months, digits: text.replace(/\D/g, '') }
  })
  return (day) => {
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
    return written.some(
      ({ numbers, months, digits }) =>
        digits.includes(day.replaceAll('-', '')) ||
        ((numbers.has(year) || numbers.has(year % 100)) &&
          (numbers.has(month) || months.has(month)) &&
          (numbers.has(date) || date === 1)),
    )
  }
}

const monthIn = (word: string): number => monthOf(word) || elsewhere(word)

/** Month first if a line of the file can only be that and none only the other; otherwise day first. */
export function dayOrderOf(lines: readonly string[]): DayOrder {
  let dayFirst = 0
  let monthFirst = 0
  for (const line of lines) {
    const match = /(?<![\w.])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?![\w-])/.exec(line)
    if (match === null) continue
    if (Number(match[1]) > 12 && Number(match[3]) <= 12) dayFirst++
    if (Number(match[3]) > 12 && Number(match[1]) <= 12) monthFirst++
  }
  return monthFirst > dayFirst ? 'month-first' : 'day-first'
}

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1
}

function isoDay([year, month, day]: Parts): string | null {
  const iso = `${year}-${`${month}`.padStart(2, '0')}-${`${day}`.padStart(2, '0')}`
  const parsed = new Date(`${iso}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== iso) return null
  return year >= 1980 && year <= 2100 ? iso : null
}
