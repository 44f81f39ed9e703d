/** How other languages write dates, by `Intl`. Runs when the program is built, because it takes a tenth of a second. */

const LANGUAGES =
  'bg ca cs da de el es et fi fr hu id it ja ko lt nb nl pl pt ro ru sk sl sv tr uk vi zh'.split(' ')

const STYLES: Intl.DateTimeFormatOptions[] = [
  { dateStyle: 'long' },
  { year: 'numeric', month: 'short', day: 'numeric' },
  { year: 'numeric', month: 'long' },
]

/** A form of dates, as text: the source of its regular expression, and its names of months. */
export interface WrittenForm {
  /** Groups: year, month and, unless it is only a month, day. */
  source: string
  /** In lower case, from January on. */
  months: string[]
  /** Every date of this form has one of them. */
  words: string[]
}

/** All forms, first those with a day. */
export const localForms = (): WrittenForm[] =>
  STYLES.flatMap((style) => LANGUAGES.flatMap((language) => formsOf(language, style)))

/** None if the language writes this style in numbers alone. Names of months may also be in the order of English. */
function formsOf(language: string, style: Intl.DateTimeFormatOptions): WrittenForm[] {
  const format = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC', numberingSystem: 'latn' })
  const dates = Array.from({ length: 12 }, (_, month) => format.formatToParts(Date.UTC(2001, month, 2)))
  const nameIn = (parts: Intl.DateTimeFormatPart[]) =>
    nameOf(parts.find(({ type }) => type === 'month')?.value ?? '')
  const months = dates.map(nameIn)
  const isNumber = months.includes('1')
  const [parts = []] = dates
  if (isNumber && !parts.some(({ type, value }) => type === 'literal' && /\p{L}/u.test(value))) return []
  const names = [...new Set(months)].sort((a, b) => b.length - a.length).map(escaped)
  const source = parts.map(({ type, value }, at) => {
    if (type === 'year') return '(?<year>\\d{4})'
    if (type === 'day') return '(?<day>\\d{1,2})(?:er|[.ºª°])?'
    if (type === 'month') return `${isNumber ? '0?' : ''}(?<month>${names.join('|')})\\.?`
    const words = `${escaped(value.trim().replace(/^\.\s*/, ''))}${language === 'vi' ? '|năm' : ''}`
    return isNumber && at < parts.length - 1 ? `\\s*${words}\\s*` : `(?:-|[\\s.,]*(?:${words})?[\\s.,]*)`
  })
  // Behind a day, as in 31 April 2024, it is a date that does not exist.
  const isMonth = style.dateStyle === undefined && style.day === undefined
  const before = `[\\p{L}\\p{N}.]${isMonth ? '|\\d\\p{L}{0,2}(?:[.,]?\\s*|\\s*-)(?:(?:of|de)\\s+)?' : ''}`
  const letters = [...new Set(months.flatMap((name) => name.match(/\p{L}+/gu) ?? []))]
  const words = letters.length === 0 ? NUMBERED_MONTHS : letters
  const formed = (form: string) => ({
    source: `(?<!${before})${form}${YEAR}(?![\\p{L}\\p{N}])`,
    months,
    words,
  })
  const ofEnglish = `(?<month>${names.join('|')})\\.?\\s+(?<day>\\d{1,2})\\.?,?\\s+(?<year>\\d{4})`
  return [formed(source.join('')), ...(isNumber || isMonth ? [] : [formed(ofEnglish)])]
}

/** Behind a year: `1 kwietnia 2023 r.`, `1 апреля 2023 года`. */
const YEAR = '(?:\\s*(?:r\\.|roku|року|года))?'

/** Around numbers of months: `2026年9月8日`. */
const NUMBERED_MONTHS = ['年', '月', '日', '년', '월', '일']

const nameOf = (month: string): string => month.toLowerCase().replace(/\.$/, '')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
