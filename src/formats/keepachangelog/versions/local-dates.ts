/** Dates as other languages write them. Months and orders are those of `Intl`. */

const LANGUAGES =
  'bg ca cs da de el es et fi fr hu id it ja ko lt nb nl pl pt ro ru sk sl sv tr uk vi zh'.split(' ')

const STYLES: Intl.DateTimeFormatOptions[] = [
  { dateStyle: 'long' },
  { year: 'numeric', month: 'short', day: 'numeric' },
  { year: 'numeric', month: 'long' },
]

interface LocalForm {
  /** Groups: year, month and, unless it is only a month, day. */
  pattern: RegExp
  months: ReadonlyMap<string, number>
}

export interface LocalDate {
  match: RegExpExecArray
  month: number
}

/** Made when a text first may hold such a date, because it takes some milliseconds. */
let known: { forms: LocalForm[]; names: ReadonlySet<string> } | null = null

/** Dates in a text, first those with a day. */
export function* localDates(text: string): Generator<LocalDate> {
  if (!/(?<!\d)(?:19|20)\d\d(?!\d)/.test(text)) return
  known ??= allForms()
  const { forms, names } = known
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  if (!words.some((word) => names.has(word))) return
  for (const { pattern, months } of forms)
    for (const match of text.matchAll(pattern)) {
      const month = months.get(nameOf(match.groups?.month ?? ''))
      if (month !== undefined) yield { match, month }
    }
}

function allForms(): { forms: LocalForm[]; names: Set<string> } {
  const forms = STYLES.flatMap((style) => LANGUAGES.flatMap((language) => formsOf(language, style)))
  const names = forms.flatMap(({ months }) =>
    [...months.keys()].flatMap((name) => name.match(/\p{L}+/gu) ?? []),
  )
  return { forms, names: new Set([...names, ...NUMBERED_MONTHS]) }
}

/** Around numbers of months: `2026年9月8日`. */
const NUMBERED_MONTHS = ['年', '月', '日', '년', '월', '일']

/** None if the language writes this style in numbers alone. Names of months may also be in the order of English. */
function formsOf(language: string, style: Intl.DateTimeFormatOptions): LocalForm[] {
  const format = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC', numberingSystem: 'latn' })
  const dates = Array.from({ length: 12 }, (_, month) => format.formatToParts(Date.UTC(2001, month, 2)))
  const nameIn = (parts: Intl.DateTimeFormatPart[]) =>
    nameOf(parts.find(({ type }) => type === 'month')?.value ?? '')
  const months = new Map(dates.map((parts, month) => [nameIn(parts), month + 1]))
  const isNumber = months.has('1')
  const [parts = []] = dates
  if (isNumber && !parts.some(({ type, value }) => type === 'literal' && /\p{L}/u.test(value))) return []
  const names = [...months.keys()].sort((a, b) => b.length - a.length).map(escaped)
  const source = parts.map(({ type, value }, at) => {
    if (type === 'year') return '(?<year>\\d{4})'
    if (type === 'day') return '(?<day>\\d{1,2})(?:er|[.ºª°])?'
    if (type === 'month') return `${isNumber ? '0?' : ''}(?<month>${names.join('|')})\\.?`
    const words = escaped(value.trim().replace(/^\.\s*/, ''))
    return isNumber && at < parts.length - 1 ? `\\s*${words}\\s*` : `(?:-|[\\s.,]*(?:${words})?[\\s.,]*)`
  })
  // Behind a day, as in 31 April 2024, it is a date that does not exist.
  const isMonth = style.dateStyle === undefined && style.day === undefined
  const before = `[\\p{L}\\p{N}.]${isMonth ? '|\\d\\p{L}{0,2}(?:[.,]?\\s*|\\s*-)(?:(?:of|de)\\s+)?' : ''}`
  const formed = (form: string) => ({
    pattern: new RegExp(`(?<!${before})${form}(?![\\p{L}\\p{N}])`, 'giu'),
    months,
  })
  const ofEnglish = `(?<month>${names.join('|')})\\.?\\s+(?<day>\\d{1,2})\\.?,?\\s+(?<year>\\d{4})`
  return [formed(source.join('')), ...(isNumber || isMonth ? [] : [formed(ofEnglish)])]
}

const nameOf = (month: string): string => month.toLowerCase().replace(/\.$/, '')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
