import { typeFromHeading } from '../../domain/slug.ts'
import { KIND_OF, namesKind } from '../../domain/versions/kinds.ts'
import { hasNumber } from '../../domain/versions/names.ts'
import { isFileTitle, isUnreleased } from '../changelog/vocabulary.ts'
import type { Line } from '../lines/line.ts'
import { type Head, YEAR } from './heads.ts'
import type { Period } from './periods.ts'

/**
 * Entries of a product changelog: each has a day and a headline, in either order. One shape explains the whole file, or it is
 * refused: a headline in the entry before would be worse.
 */
export interface Entry {
  /** The line that begins it, from 0. */
  at: number
  level: number
  period: Period | null
  /** Empty if there is none. */
  title: string
  url: string | null
  /** Lines that say its day and its headline, and what else they say. */
  lines: ReadonlyMap<number, string>
  form: Head['form']
}

/** Entries, or why the best explanation does not hold. */
export interface Explanation {
  entries: Entry[]
  problem: string | null
  /** Headings of years and months above days, which those say. */
  groups?: readonly number[]
}

/** The explanation of a whole file; null if nothing in it is an entry with a day. */
export function explain(heads: readonly Head[], lines: readonly Line[]): Explanation | null {
  const file = new Heads(heads, lines)
  const found = [...explanations(file)].filter(({ entries }) => entries.length > 0)
  const most = Math.max(0, ...found.map(({ entries }) => entries.length))
  const whole = found.filter(({ problem }) => problem === null)
  const best = whole.find(({ entries }) => entries.length > 1) ?? whole[0]
  const failed = found.find(({ entries, problem }) => problem !== null && entries.length === most)
  // One that leaves most days unexplained is none.
  return best && (!failed || best.entries.length * 2 > most) ? best : (failed ?? null)
}

/** Explanations by the lines that begin entries, the strongest first. */
function* explanations(file: Heads): Generator<Explanation> {
  for (const level of [0, 1, 2, 3, 4, 5, 6]) {
    const at = file.all.filter((head) => head.form === 'heading' && head.level === level)
    if (at.length > 0) yield ofHeadings(at, level, file)
  }
  yield ofLines(file)
  yield ofItems(file)
  yield ofRows(file)
}

class Heads {
  readonly byLine: ReadonlyMap<number, Head>
  constructor(
    readonly all: readonly Head[],
    readonly lines: readonly Line[],
  ) {
    this.byLine = new Map(all.map((head) => [head.at, head]))
  }

  /** What may be the title of the file. */
  get title(): Head | undefined {
    return this.all.find(({ form }) => form === 'heading')
  }

  /** The next line that says something; pictures, fields and badges do not if they `mayPass`. */
  below(at: number, mayPass = false): number {
    let next = at + 1
    let passed = 0
    for (; next < this.lines.length; next++) {
      const { kind, text, isUnderlined } = this.lines[next] as Line
      const isPassed = kind === 'blank' || (kind === 'rule' && isUnderlined) || ANCHOR.test(text)
      if (isPassed || (mayPass && PICTURE.test(text))) continue
      if (mayPass && FIELD.test(text) && !this.day(next) && passed++ < 2) continue
      break
    }
    return next
  }

  /** The day that a line says, and nothing else but who wrote it. */
  day(at: number): Head | undefined {
    const head = this.byLine.get(at)
    return head?.period && head.title === '' && head.form !== 'item' && head.form !== 'row' ? head : undefined
  }

  /** A day right below a headline. */
  dayBelow({ at, level }: Head): Head | undefined {
    const day = this.day(this.below(at, true))
    return day && (day.form !== 'heading' || day.level > level) ? day : undefined
  }
}

const PICTURE =
  /^(?:!\[|\[!\[|<(?:img|figure|picture|source|video|a|p|br|\/)\b|<\/(?:figure|picture|video|a|p)>)/i
const ANCHOR = /^<a\b[^>]*>\s*<\/a>$|^<!--.*-->$/i
/** `Tags: New` */
const FIELD = /^(?:\*\*)?\p{L}[\p{L} ]{1,20}:(?:\*\*)? *\S.{0,60}$/u

// Headings.

function ofHeadings(heads: Head[], level: number, file: Heads): Explanation {
  const entries: Entry[] = []
  const others: Head[] = []
  const outer = file.all.filter((head) => head.form === 'heading' && head.level < level)
  for (const [index, head] of heads.entries()) {
    const below = head.period ? undefined : file.dayBelow(head)
    if (isGroup(head, file)) continue
    // Several days below a heading are those of a part of the product.
    const end = heads[index + 1]?.at ?? file.lines.length
    const hasDays = file.all.some(
      ({ at, level, form }) =>
        below && at > below.at && at < end && form === below.form && level === below.level && file.day(at),
    )
    if (hasDays && below?.form === 'heading') return { entries: [], problem: null }
    if (head.period) entries.push(entryOf(head, [head]))
    else if (below) entries.push({ ...entryOf(head, [head, below]), period: below.period, title: head.title })
    else if (isUnreleased(head.title)) entries.push(entryOf(head, [head]))
    else others.push(head)
  }
  const dated = entries.filter(({ period }) => period)
  const [first, last] = [dated[0], dated.at(-1)]
  if (!first || !last) return { entries: [], problem: null }
  const strange = others.find(({ at }) => at > first.at && (at < last.at || !isEnd(at, file)))
  const above = others.filter(({ at }) => at < first.at)
  const group = outer.find((head) => head.at > first.at && !head.period && !YEAR.test(head.title))
  const firstTitle = above.find(({ at, title }) => at !== file.title?.at && !isFileTitle(title))
  const outside = strange ?? group ?? (dated.length < 2 ? firstTitle : undefined)
  if (outside) return { entries: dated, problem: lacksDay(outside) }
  const groups = file.all.filter(
    (head) => head.form === 'heading' && head.level < level && isGroup(head, file),
  )
  return { entries: withHeadlines(entries, file), problem: null, groups: groups.map(({ at }) => at) }
}

const lacksDay = ({ at, title }: Head): string =>
  `line ${at + 1}, "${title.slice(0, 60)}", has no date, and the entries beside it do`

/** A year or a month above days. */
function isGroup(head: Head, file: Heads): boolean {
  if (head.form !== 'heading') return false
  if (!head.period) return YEAR.test(head.title)
  if (head.title !== '' || head.period.length === 'day') return false
  const next = file.byLine.get(file.below(head.at))
  if (next?.form !== 'heading' || next.level <= head.level) return false
  const day = next.period ?? file.dayBelow(next)?.period ?? null
  return day !== null && (day.length === 'day' || (day.length === 'days' && head.period.length === 'month'))
}

/** The heading of what follows the entries: links, or nothing. */
function isEnd(at: number, { lines }: Heads): boolean {
  const below = lines.slice(at + 1).filter(({ kind }) => kind !== 'blank' && kind !== 'definition')
  return below.every(({ text }) => /^\[[^\]]*\]\([^)]*\)\.?$|^<https?:/.test(text.replace(/^[-*]\s/, '')))
}

const entryOf = (head: Head, said: readonly Head[]): Entry => ({
  at: head.at,
  level: head.level,
  period: head.period,
  title: head.period || isUnreleased(head.title) ? head.title : '',
  url: head.title === '' ? head.url : null,
  lines: new Map(said.map(({ at, rest }) => [at, rest])),
  form: head.form,
})

// Headlines below days.

interface Topic {
  at: number
  title: string
  /** `Improvements`, or the name of a part of the product. */
  isSection: boolean
}

/** Entries that are a day alone, with the headline below; a day with several headlines is as many entries. */
function withHeadlines(entries: Entry[], file: Heads): Entry[] {
  const ends = entries.map((_, index) => entries[index + 1]?.at ?? file.lines.length)
  const inside = entries.map((entry, index) => {
    const end = ends[index] ?? 0
    return entry.title === '' ? file.all.filter(({ at }) => at > entry.at && at < end) : []
  })
  const headings = inside.flat().filter((head) => head.form === 'heading' && !head.period)
  const level = Math.min(...headings.map((head) => head.level))
  const isTopic = (head: Head) =>
    headings.length > 0
      ? head.form === 'heading' && head.level === level
      : head.form === 'bold' && !head.period && isAlone(head.at, file)
  const names = Map.groupBy(
    inside.flatMap((heads, index) =>
      heads.filter(isTopic).map((head) => ({ index, name: nameOf(head.title) })),
    ),
    ({ name }) => name,
  )
  const topics = inside.map((heads) =>
    heads.filter(isTopic).map(({ at, title }): Topic => {
      const isRepeated = new Set(names.get(nameOf(title))?.map(({ index }) => index)).size > 1
      return { at, title, isSection: isRepeated || namesSection(title, at, file) }
    }),
  )
  const plain = topics.some((all) => all.length > 0) ? [] : entries.map((entry) => plainBelow(entry, file))
  if (plain.length > 0 && plain.every((at) => at !== null))
    return entries.map((entry, index) => withTitle(entry, plain[index] ?? 0, file))
  const headlines = topics.map((all) => all.filter(({ isSection }) => !isSection))
  const lead = headlines.map(([first], index) => first?.at === file.below(entries[index]?.at ?? 0, true))
  const isLed = headlines.every(([first], index) => !first || lead[index])
  const areAreas =
    headlines.flat().every(({ at, title }) => title.split(/\s+/).length < 3 && isList(file, at)) &&
    headlines.some(({ length }) => length > 1)
  if (!isLed || areAreas) return entries
  return entries.flatMap((entry, index) => {
    const [first, ...more] = headlines[index] ?? []
    if (!first) return entry
    if (more.length === 0) return withTitle(entry, first.at, file)
    // Sections beside several headlines are of none of them.
    const hasSections = topics[index]?.some(({ isSection }) => isSection)
    if (entry.period?.length !== 'day' || hasSections) return entry
    return [
      withTitle(entry, first.at, file),
      ...more.map(({ at }) => ({ ...withTitle(entry, at, file), at, lines: new Map([[at, '']]) })),
    ]
  })
}

const nameOf = (title: string): string => typeFromHeading(title) ?? title

const isList = ({ lines }: Heads, at: number): boolean =>
  lines.find(({ kind }, index) => index > at && kind !== 'blank')?.kind === 'item'

function namesSection(title: string, at: number, file: Heads): boolean {
  const type = typeFromHeading(title)
  if (type === null) return false
  return KIND_OF.has(type) || (isList(file, at) && namesKind(type) && title.split(/\s+/).length < 5)
}

/** A paragraph of its own, with no list below. */
const isAlone = (at: number, file: Heads): boolean =>
  file.lines[at + 1]?.kind !== 'item' &&
  (file.lines[at + 1]?.kind === 'blank' || file.day(at - 1) !== undefined) &&
  !isList(file, at)

/** A short line right below the day, above a paragraph. */
function plainBelow({ at }: Entry, { lines }: Heads): number | null {
  const [day, title, blank] = lines.slice(at, at + 3)
  const isShort = title?.kind === 'text' && title.text.length <= 80 && !/[.!?:。]$/.test(title.text)
  return day?.kind === 'text' && isShort && blank?.kind === 'blank' ? at + 1 : null
}

const withTitle = (entry: Entry, at: number, file: Heads): Entry => ({
  ...entry,
  title: file.byLine.get(at)?.title ?? file.lines[at]?.text ?? '',
  lines: new Map([...entry.lines, [at, '']]),
})

// Lines.

/** Bold lines and bare ones: a day, or a headline with the day below. */
function ofLines(file: Heads): Explanation {
  const days = file.all.filter((head) => head.period && (head.form === 'bold' || head.form === 'line'))
  const isNamed = (at: number) =>
    file.all.some(
      (head) => head.form === 'heading' && file.below(head.at, true) === at && head !== file.title,
    )
  const different = new Set(days.map(({ period }) => period?.at)).size
  if (days.some(({ at }) => isNamed(at)) || different < 2 || different * 2 < days.length)
    return { entries: [], problem: null }
  const titled = days.flatMap((day) => {
    const above = day.title === '' ? titleAbove(day.at, file) : null
    return above === null ? [] : [{ day, above }]
  })
  if (titled.length === 0) {
    const own = days.filter(({ at }) => isApart(at, file))
    return {
      entries: withHeadlines(
        own.map((day) => entryOf(day, [day])),
        file,
      ),
      problem: null,
    }
  }
  const below = days.filter(({ at }) => file.byLine.get(file.below(at))?.period === null)
  const [first] = days
  // Above the first day, a line may be the title of the file.
  if (titled.length === 1 && below.length > 1 && titled[0]?.day === first) {
    const own = days.filter(({ at }) => isApart(at, file) || at === first?.at)
    return {
      entries: withHeadlines(
        own.map((day) => entryOf(day, [day])),
        file,
      ),
      problem: null,
    }
  }
  const entries = titled.map(({ day, above }): Entry => {
    const { title = file.lines[above]?.text ?? '' } = file.byLine.get(above) ?? {}
    return {
      ...entryOf(day, [day]),
      at: above,
      title,
      lines: new Map([
        [above, ''],
        [day.at, day.rest],
      ]),
    }
  })
  const alone = days.find(
    ({ at }) => isApart(at, file) && at > (titled[0]?.above ?? 0) && !titled.some(({ day }) => day.at === at),
  )
  return { entries, problem: alone ? `line ${alone.at + 1} is a date without a headline above it` : null }
}

const isApart = (at: number, { lines }: Heads): boolean => {
  const above = lines[at - 1]
  return above === undefined || above.kind === 'blank' || above.kind === 'rule' || above.kind === 'heading'
}

/** A sentence, or a field. */
const NO_TITLE = /[.!?。]$|^\p{L}+:\s/u

/** The headline right above a day: in bold, or the first line of a paragraph or between rules. */
function titleAbove(at: number, file: Heads): number | null {
  let above = at - 1
  while (above >= 0 && (file.lines[above]?.kind === 'blank' || PICTURE.test(file.lines[above]?.text ?? '')))
    above--
  const head = file.byLine.get(above)
  if (head?.form === 'bold' && !head.period) return above
  const line = file.lines[above]
  if (line?.kind !== 'text' || line.text.length > 120 || NO_TITLE.test(line.text)) return null
  const over = file.lines.slice(0, above).findLast(({ kind }) => kind !== 'blank')
  const isFirst = above === at - 1 ? isApart(above, file) : over?.kind === 'rule'
  return isFirst ? above : null
}

// Items and rows.

/** A longer item, or one of several sentences, is a text. */
const LONGEST_TITLE = 160

function ofItems(file: Heads): Explanation {
  const items = file.lines.flatMap(({ kind, indent }, at) => (kind === 'item' && indent <= 1 ? at : []))
  const days = items.flatMap((at) => file.byLine.get(at) ?? []).filter((head) => head.period)
  if (days.length < 2) return { entries: [], problem: null }
  const entries = days.map((head) => {
    const wrapped = wrappedBelow(head.at, file)
    const title = [head.title, ...wrapped.map((at) => file.lines[at]?.text ?? '')].join(' ').trim()
    const isText = title.length > LONGEST_TITLE || /[.!?。]\s+\S/.test(title)
    const own = new Map([head.at, ...wrapped].map((at) => [at, isText && at === head.at ? title : '']))
    return { ...entryOf(head, [head]), title: isText ? '' : title, lines: own }
  })
  const other = items.find((at) => !file.byLine.get(at)?.period)
  const problem = other === undefined ? null : `line ${other + 1} has no date, and the items beside it do`
  return { entries, problem }
}

/** The lines in which the text of an item goes on. */
function wrappedBelow(at: number, { lines }: Heads): number[] {
  const end = lines.findIndex(({ kind }, index) => index > at && kind !== 'text')
  return lines.slice(at + 1, end === -1 ? undefined : end).map((_, index) => at + 1 + index)
}

function ofRows({ all, lines }: Heads): Explanation {
  const rows = all.filter((head) => head.form === 'row')
  if (rows.length < 2 || rows.some(({ title, rest }) => [title, rest].some(hasNumber)))
    return { entries: [], problem: null }
  const first = lines.findIndex(({ kind }) => kind === 'row')
  const cells = rows.find(({ rest }) => rest !== '')
  const problem = cells ? `line ${cells.at + 1}: which cell of the row is the title cannot be told` : null
  const entries = rows.map((row, index): Entry => {
    const above = index === 0 ? lines.slice(first, row.at).map((_, at) => [first + at, ''] as const) : []
    return {
      ...entryOf(row, [row]),
      at: index === 0 ? first : row.at,
      lines: new Map([...above, [row.at, row.rest]]),
    }
  })
  return { entries, problem }
}
