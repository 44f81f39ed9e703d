import { shownIn } from '../changelog/versions/heading.ts'
import { titleAround } from '../changelog/versions/heading-title.ts'
import { anyOf, DATE_WORDS, ON } from '../changelog/vocabulary.ts'
import type { Line } from '../lines/line.ts'
import { type Above, type Period, periodIn } from './periods.ts'
import { namesSection } from './sections.ts'

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

/** The heads of a text, and what is around them. */
export class Heads {
  readonly all: readonly Head[]
  readonly headings: readonly Head[]
  readonly byLine: ReadonlyMap<number, Head>
  readonly #belowHeadings: ReadonlySet<number>

  constructor(readonly lines: readonly Line[]) {
    this.all = headsIn(lines)
    this.headings = this.all.filter(({ form }) => form === 'heading')
    this.byLine = new Map(this.all.map((head) => [head.at, head]))
    const named = this.headings.filter((head) => head !== this.title)
    this.#belowHeadings = new Set(named.map(({ at }) => this.below(at, true)))
  }

  /** What may be the title of the file. */
  get title(): Head | undefined {
    return this.headings[0]
  }

  /** The next line that says something; pictures and fields do not if they `mayPass`. */
  below(at: number, mayPass = false): number {
    let next = at + 1
    for (let fields = 0; next < this.lines.length; next++) {
      const { kind, text, isUnderlined } = this.lines[next] as Line
      const isEmpty = kind === 'blank' || (kind === 'rule' && isUnderlined) || ANCHOR.test(text)
      const isField = mayPass && FIELD.test(text) && !this.day(next)
      if (!isEmpty && !(mayPass && PICTURE.test(text)) && !(isField && fields++ < 2)) break
    }
    return next
  }

  isAboveList = (at: number): boolean => this.lines[this.below(at)]?.kind === 'item'

  isBelowHeading = (at: number): boolean => this.#belowHeadings.has(at)

  /** True below an empty line, a rule or a heading. */
  isApart = (at: number): boolean => /^(?:blank|rule|heading)$/.test(this.lines[at - 1]?.kind ?? 'blank')

  /** The day that a line says, and nothing else but who wrote it. */
  day(at: number): Head | undefined {
    const head = this.byLine.get(at)
    return head?.period && head.title === '' && head.form !== 'item' && head.form !== 'row' ? head : undefined
  }

  /** A day right below a headline. */
  dayBelow({ at, level }: Head): Head | undefined {
    const day = this.day(this.below(at, true))
    return day?.form === 'heading' && day.level <= level ? undefined : day
  }

  /** The day that ends a text. */
  dayAbove(end: number, start: number): Head | undefined {
    let at = end - 1
    while (at > start && /^(?:blank|rule)$/.test(this.lines[at]?.kind ?? '')) at--
    const day = at > start && this.isApart(at) ? this.day(at) : undefined
    return day?.form === 'heading' ? undefined : day
  }

  /** The headline right above a day: in bold, or the first line of a paragraph or behind a rule. */
  headlineAbove(day: number): Head | null {
    let at = day - 1
    while (at >= 0 && (this.lines[at]?.kind === 'blank' || PICTURE.test(this.lines[at]?.text ?? ''))) at--
    const head = this.byLine.get(at)
    if (head?.form === 'bold' && !head.period) return head
    const { kind, text = '' } = this.lines[at] ?? {}
    if (kind !== 'text' || text.length > LONGEST_BOLD || NO_TITLE.test(text)) return null
    let over = at - 1
    while (at < day - 1 && this.lines[over]?.kind === 'blank') over--
    const isFirst = at === day - 1 ? this.isApart(at) : this.lines[over]?.kind === 'rule'
    return isFirst ? { ...bare(at, 'line'), title: text } : null
  }

  /** True for a year or a month above days. */
  isGroup({ at, level, title, period }: Head): boolean {
    if (!period) return YEAR.test(title)
    const next = this.byLine.get(this.below(at))
    if (title !== '' || period.length === 'day' || next?.form !== 'heading' || next.level <= level)
      return false
    const length = (next.period ?? this.dayBelow(next)?.period)?.length
    return length === 'day' || (length === 'days' && period.length === 'month')
  }

  /** True for the heading of what follows the entries: links, or nothing. */
  isEnd(at: number): boolean {
    const below = this.lines.slice(at + 1).filter(({ kind }) => kind !== 'blank' && kind !== 'definition')
    return below.length <= MOST_AT_END && below.every(({ text }) => /\]\([^)]*\)|<?https?:/.test(text))
  }
}

const MOST_AT_END = 10
const bare = (at: number, form: Head['form'], level = 0) => ({
  at,
  form,
  level,
  period: null,
  rest: '',
  url: null,
})
const PICTURE = /^(?:!\[|\[!\[|<\/?(?:img|figure|picture|source|video|a|p|br)\b)/i
const ANCHOR = /^<a\b[^>]*>\s*<\/a>$|^<!--.*-->$/i
/** `Tags: New` */
const FIELD = /^(?:\*\*)?\p{L}[\p{L} ]{1,20}:(?:\*\*)? *\S.{0,60}$/u
/** A sentence, or a field. */
const NO_TITLE = /[.!?。]$|^\p{L}+:\s/u

/** The lines of a text that may be heads. Years and months above days complete them. */
function headsIn(lines: readonly Line[]): Head[] {
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
  const base = { ...bare(at, 'heading', line.level), url: urlOf(text) }
  const beside = besidePeriod(text, above)
  return beside ? { ...base, ...beside } : { ...base, title: titleOf(text) }
}

function otherAt(line: Line, at: number, above: Above | null): Head | null {
  const { kind } = line
  if (kind === 'row') {
    return /\d/.test(line.text) ? rowAt(line, at, above) : null
  }
  if (kind === 'item') {
    if (line.indent > 1 || !/\d/.test(line.text)) return null
    const beside = besidePeriod(line.text, above, true)
    return beside && { ...bare(at, 'item'), ...beside }
  }
  if (kind !== 'text' && kind !== 'html') return null
  const text = line.text.replace(/^>\s*/, '').replace(/\\$/, '').trim()
  const bold = BOLD.exec(text)?.groups
  if (/\d/.test(text)) {
    const isBold = bold !== undefined && bold.rest === ''
    const said = isBold ? besidePeriod(text, above) : null
    if (said && said.title !== '' && !namesSection(said.title)) return { ...bare(at, 'bold'), ...said }
    const own = linePeriod(text, above)
    if (own) return { ...bare(at, isBold ? 'bold' : 'line'), title: '', ...own }
    const beside = bold && text.length <= LONGEST_BOLD ? besidePeriod(text, above) : null
    if (beside) return { ...bare(at, 'bold'), ...beside }
  }
  if (bold?.rest !== '') return null
  return { ...bare(at, 'bold'), title: bold.words ?? '' }
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
    /[^\p{L}\p{N}\s'’.!?]\s*$/u.test(written.slice(0, period.start)) ||
    /^\s*[([（【]/.test(shown.slice(period.start))
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
