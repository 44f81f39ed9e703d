import { shownIn } from '../changelog/versions/heading.ts'
import { titleAround } from '../changelog/versions/heading-title.ts'
import { anyOf, DATE_WORDS, ON } from '../changelog/vocabulary.ts'
import type { Line } from '../lines/line.ts'
import { type Above, type Period, periodIn } from './periods.ts'

/** A line that may have the day of an entry, or its headline. */
export interface Head {
  /** From 0. */
  at: number
  form: 'heading' | 'bold' | 'line' | 'item' | 'row'
  level: number
  period: Period | null
  /** The headline: what is beside the day, or all of a line without one. Inline markdown. */
  title: string
  /** Beside a day that is not beside a headline: who wrote it, or what kind of entry it is. */
  rest: string
  /** The address that the line links to. */
  url: string | null
}

const LONGEST = 400

/** The lines of a text that may be heads. Years and months above days complete them. */
export function headsIn(lines: readonly Line[]): Head[] {
  let above: Above | null = null
  return lines.flatMap((line, at) => {
    if (line.raw.length > LONGEST || line.text === '') return []
    if (line.kind === 'heading') {
      while (above && line.level <= above.level) above = above.outer
      const head = headingAt(line, at, above)
      const said = head.period
        ? head.title === '' && head.period.written
        : YEAR.test(head.title) && head.title
      const year = said ? /\d{4}/.exec(said)?.[0] : undefined
      if (year) above = { level: line.level, year, outer: above }
      return head
    }
    const head = otherAt(line, at, above)
    return head ?? []
  })
}

/** A heading that only says a year. */
export const YEAR = /^[^\p{L}\p{N}]*(?:19|20)\d\d[^\p{L}\p{N}]*$/u

function headingAt(line: Line, at: number, above: Above | null): Head {
  const text = withoutAnchors(line.text)
  const base = { at, form: 'heading', level: line.level, rest: '', url: urlOf(text) } as const
  const beside = besidePeriod(text, above)
  return beside ? { ...base, ...beside } : { ...base, period: null, title: titleOf(text) }
}

function otherAt(line: Line, at: number, above: Above | null): Head | null {
  const { kind } = line
  if (kind === 'row') {
    return /\d/.test(line.text) ? rowAt(line, at, above) : null
  }
  if (kind === 'item') {
    if (line.indent > 1 || !/\d/.test(line.text)) return null
    const beside = besidePeriod(line.text, above, true)
    return beside && { at, form: 'item', level: 0, rest: '', url: null, ...beside }
  }
  if (kind !== 'text' && kind !== 'html') return null
  const text = line.text.replace(/^>\s*/, '').replace(/\\$/, '').trim()
  const bold = BOLD.exec(text)?.groups
  if (/\d/.test(text)) {
    const own = linePeriod(text, above)
    const isBold = bold !== undefined && bold.rest === ''
    if (own) return { at, form: isBold ? 'bold' : 'line', level: 0, title: '', url: null, ...own }
    const beside = bold && text.length <= LONGEST_BOLD ? besidePeriod(text, above) : null
    if (beside) return { at, form: 'bold', level: 0, rest: '', url: null, ...beside }
  }
  if (bold?.rest !== '') return null
  return { at, form: 'bold', level: 0, period: null, title: bold.words ?? '', rest: '', url: null }
}

/** `**Send later**`, and what follows. */
const BOLD = /^(?:\*\*|__)(?<words>[^*_]+?):?(?:\*\*|__):?\s*(?<rest>.*)$/
const LONGEST_BOLD = 160

const SEPARATORS = '[\\s\\p{So}\\uFE0F\\u200D·•|,:：;/–—~<>\\\\[\\]()（）「」【】*_`"\'.!#>-]'
const WEEKDAYS =
  listed(`mon tue wed thu fri sat sun, mo di mi do fr sa so, montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag,
  lundi mardi mercredi jeudi vendredi samedi dimanche, lunes martes miércoles jueves viernes sábado domingo,
  segunda terça quarta quinta sexta (?:segunda|terça|quarta|quinta|sexta)-feira, luned[iì] marted[iì] mercoled[iì] gioved[iì] venerd[iì] sabato domenica,
  maandag dinsdag woensdag donderdag vrijdag zaterdag zondag, monday tuesday wednesday thursday friday saturday sunday, [月火水木金土日]曜?日?`)
const DECORATION = new RegExp(
  `^(?:${SEPARATORS}|(?<![\\p{L}\\p{N}])(?:${anyOf([...DATE_WORDS, ...ON, ...WEEKDAYS])})(?![\\p{L}\\p{N}]))*$`,
  'iu',
)

function listed(words: string): string[] {
  return words.split(/[\s,]+/)
}

/** A day at the beginning or the end of a line, in brackets, or alone. Null if it is in a sentence. */
function besidePeriod(
  written: string,
  above: Above | null,
  isFirst = false,
): Pick<Head, 'period' | 'title'> | null {
  const shown = shownIn(written)
  const period = periodIn(shown, above)
  if (period === null) return null
  const [front, behind] = [shown.slice(0, period.start), shown.slice(period.end)]
  const isBehind = DECORATION.test(behind)
  if (DECORATION.test(front)) {
    if (isBehind) return { period, title: '' }
    const isApart = /^\s*(?:[^\p{L}\p{N}\s]|\s)/u.test(behind)
    return isApart
      ? { period, title: titleOf(titleAround(written.slice(period.end).replace(CLOSES, ''), null, 0, false)) }
      : null
  }
  if (isFirst || !isBehind) return null
  // `What's new in October 2026`: the day is one of the words.
  const isApart =
    /[^\p{L}\p{N}\s'’.!?]\s*$|\s{3,}$/u.test(front) || /^\s*[([（【]/.test(shown.slice(period.start))
  const title = isApart
    ? titleAround(written, cutFrom(written, period.start, written.length), 0, false)
    : written
  return { period, title: titleOf(title) }
}

/** Separators behind a day, and the end of its markup. */
const CLOSES = /^(?:[\s:：,.;–—·|\\\])-]|[*_`~]+(?=[\s:：,.;–—·|-]|$)|\]\([^()]*\)|<\/\w+>)*/

const cutFrom = (text: string, start: number, end: number) => ({ start, end: Math.min(end, text.length) })

/** A line that has a day, and at most who wrote it and what kind of entry it is. */
function linePeriod(written: string, above: Above | null): Pick<Head, 'period' | 'rest'> | null {
  const text = written.replace(
    /<time\b[^>]*datetime="([^"]{4,30})"[^>]*>([^<]*)<\/time>/i,
    (all, time: string, words: string) => (/\d{4}/.test(words) ? all : time),
  )
  const shown = shownIn(text)
  const period = periodIn(shown, above)
  if (period === null || period.written.length > 60) return null
  const parts = [shown.slice(0, period.start), shown.slice(period.end)]
  // A part of a path, a row or an identifier.
  if (/[\w/,]$/.test(parts[0] ?? '') || /^(?:[\w/]|[.,]\S)/.test(parts[1] ?? '')) return null
  const words = parts.map((part) => (DECORATION.test(part) ? '' : part))
  const others = words.join(' ').match(/[\p{L}\p{N}]+/gu) ?? []
  if (others.length > MOST_WORDS || words.some((part) => /[.!?。](?:\s|$)|\d{3}/.test(part.trim())))
    return null
  // A sentence goes on: `On October 3, 2026 we end it`.
  if (words.some((part) => part !== '' && !IS_META.test(part))) return null
  const rest = words
    .map((part) => part.replace(ENDS, '').replace(JOINED, ''))
    .filter(Boolean)
    .join(', ')
  return { period, rest }
}

const MOST_WORDS = 8
/** A tag, a field with its name, or a name: between marks, or behind a word such as `by`. */
const IS_META = new RegExp(
  `^(?:${SEPARATORS})*(?:(?:(?:posted|published|written|released|shipped|veröffentlicht|geschrieben|publiée?|publicado|pubblicato|geplaatst|geschreven) )?(?:by|von|par|por|da|di|door)\\s.*|[\\p{Lu}\\p{Lo}][^.:]*[:：|·•–—,-]?\\s*|[^.:]{2,30}[:：|·•–—]\\s*|\\s*[·•|–—,(/-].*)$`,
  'iu',
)
const ENDS = /^[\s·•|,:：;/–—()[\]-]+|[\s·•|,:：;/–—()[\]-]+$/gu
const JOINED = new RegExp(`\\s+(?:${anyOf(ON)}|the)$`, 'iu')

/** The longest cell beside the day is what changed. */
function rowAt({ text }: Line, at: number, above: Above | null): Head | null {
  const cells = text
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
  const days = cells.map((cell) => besidePeriod(cell, above))
  const day = days.findIndex((each) => each?.title === '')
  const period = days[day]?.period
  if (!period || cells.length < 2) return null
  const others = cells.filter((cell, index) => index !== day && cell !== '')
  const title = others.toSorted((one, other) => other.length - one.length)[0] ?? ''
  return {
    at,
    form: 'row',
    level: 0,
    period,
    title,
    rest: others.filter((cell) => cell !== title).join(', '),
    url: null,
  }
}

/** Without names for links, and badges beside a headline. */
const withoutAnchors = (text: string): string =>
  text
    .replace(/\s*\{#[\w-]+\}\s*$/, '')
    .replace(/<a\b[^>]*>\s*<\/a>/gi, '')
    .replace(/<(?<name>[A-Z]\w*)\b[^<>]*(?:\/>|>[^<]{0,40}<\/\k<name>>)/g, '')
    .trim()

const titleOf = (text: string): string =>
  text
    .trim()
    .replace(/^(\*\*|__)(?=\S)([^*_]+)\1$/, '$2')
    .replace(/^\[((?:[^[\]]|\[[^\]]*\])*)\]\(#[^)]*\)$/, '$1')
    .trim()

const urlOf = (text: string): string | null => /^\[(?:[^[\]])*\]\((?!#)([^()\s]+)\)$/.exec(text)?.[1] ?? null
