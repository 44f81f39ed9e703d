/** Dates as people write them in changelogs. Everything without a time zone is UTC. */

export interface FoundDate {
  /** Milliseconds since the epoch. */
  at: number
  /** Where the date stands in the text searched, its brackets included. */
  start: number
  end: number
  /** Said to the author when the date could be read in more than one way. */
  doubt: string | null
}

/** The first date in `text`, or null. A day that does not exist (2024-02-31) is no date. */
export function findDate(text: string): FoundDate | null {
  let first: FoundDate | null = null
  for (const { pattern, read } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const found = read(match.groups ?? {})
      if (found === null) continue
      const date = widenToBrackets(text, { ...found, start: match.index, end: match.index + match[0].length })
      if (first === null || date.start < first.start) first = date
      break
    }
  }
  return first
}

/** Whether `text` says nothing but a date: `Released on July 30, 2021`. */
export function onlyDate(text: string): FoundDate | null {
  const date = findDate(text)
  if (date === null) return null
  const rest = text.slice(0, date.start) + text.slice(date.end)
  return /^[\s:.,*_-]*((released?|published|date)( on)?)?[\s:.,*_-]*$/i.test(rest) ? date : null
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?'
const YEAR = '(?<year>\\d{4})'
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,?\\s+)?'
const TIME =
  '(?:(?:T|,?\\s+)(?<hour>\\d{2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.(?<fraction>\\d{1,9}))?)?(?:\\s*(?<zone>Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?)?'

type Groups = Record<string, string | undefined>
type Reading = { at: number; doubt: string | null } | null

const FORMS: { pattern: RegExp; read: (groups: Groups) => Reading }[] = [
  {
    pattern: new RegExp(
      `(?<![\\w.-])${YEAR}([-/.])(?<month>\\d{1,2})\\2${DAY}${TIME}(?![\\w-]|\\.\\d)`,
      'gi',
    ),
    read: (g) => exact(g, Number(g.month)),
  },
  {
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${MONTH}\\s+${DAY},?\\s+${YEAR}(?!\\w)`, 'gi'),
    read: (g) => exact(g, monthOf(g.month)),
  },
  {
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${DAY}[\\s-]+(?:of\\s+)?${MONTH},?[\\s-]+${YEAR}(?!\\w)`, 'gi'),
    read: (g) => exact(g, monthOf(g.month)),
  },
  {
    // `Fri Jul 30 12:00:00 2021 +0200`, as git and RPM changelogs have it
    pattern: new RegExp(`(?<!\\w)${WEEKDAY}${MONTH}\\s+${DAY}${TIME}\\s+${YEAR}(?!\\w)`, 'gi'),
    read: (g) => exact(g, monthOf(g.month)),
  },
  {
    pattern: new RegExp(
      `(?<![\\w.-])(?<first>\\d{1,2})([-/.])(?<second>\\d{1,2})\\2${YEAR}(?![\\w-]|\\.\\d)`,
      'gi',
    ),
    read: dayOrMonthFirst,
  },
  {
    pattern: new RegExp(`(?<!\\w)${MONTH},?\\s+${YEAR}(?!\\w)`, 'gi'),
    read: (g) =>
      withDoubt(exact({ ...g, day: '1' }, monthOf(g.month)), 'the date has no day, taken as the first'),
  },
]

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1
}

function exact(groups: Groups, month: number): Reading {
  const year = Number(groups.year)
  const day = Number(groups.day)
  const midnight = Date.UTC(year, month - 1, day)
  const read = new Date(midnight)
  if (year < 1000 || read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) return null
  const hour = Number(groups.hour ?? 0)
  const minute = Number(groups.minute ?? 0)
  const second = Number(groups.second ?? 0)
  if (hour > 23 || minute > 59 || second > 59) return null
  const millisecond = Math.trunc(Number(`0.${groups.fraction ?? 0}`) * 1000)
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
  return { at: midnight + time - zoneOffset(groups.zone), doubt: null }
}

function zoneOffset(zone: string | undefined): number {
  const match = /([+-])(\d{2}):?(\d{2})/.exec(zone ?? '')
  if (match === null) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) * 60_000
}

function dayOrMonthFirst(groups: Groups): Reading {
  const { first, second, year } = groups
  const american = exact({ year, day: second }, Number(first))
  const european = exact({ year, day: first }, Number(second))
  if (american === null || european === null || first === second) return american ?? european
  return withDoubt(american, 'the date may be day/month or month/day, taken as month/day')
}

function withDoubt(reading: Reading, doubt: string): Reading {
  return reading === null ? null : { ...reading, doubt }
}

/** `(2024-01-02)`: the brackets belong to the date. So does a word such as "released" inside them. */
function widenToBrackets(text: string, date: FoundDate): FoundDate {
  const before = /[([{]\s*(?:(?:released|published)(?: on)?:?\s*)?$/i.exec(text.slice(0, date.start))
  const after = /^\s*[)\]}]/.exec(text.slice(date.end))
  if (before === null || after === null) return date
  return { ...date, start: before.index, end: date.end + after[0].length }
}
