import { hasNumber } from '../../domain/versions/names.ts'
import { isFileTitle, isUnreleased } from '../changelog/vocabulary.ts'
import { type Entry, withHeadlines } from './headlines.ts'
import { type Head, type Heads, YEAR } from './heads.ts'

/** Entries, or why the best explanation does not hold. */
export interface Explanation {
  entries: Entry[]
  problem: string | null
}

const NONE: Explanation = { entries: [], problem: null }

/**
 * One shape explains the whole file, or it is refused: a headline in the entry before would be worse. Null if nothing in it
 * is an entry with a day.
 */
export function explain(file: Heads): Explanation | null {
  const levels = [0, 1, 2, 3, 4, 5, 6].map((level) => ofHeadings(level, file))
  const found = [...levels, ofLines(file), ofItems(file), ofRows(file)]
  const most = Math.max(1, ...found.map(({ entries }) => entries.length))
  const whole = found.filter(({ entries, problem }) => entries.length > 0 && problem === null)
  const best = whole.find(({ entries }) => entries.length > 1) ?? whole[0]
  const failed = found.find(({ entries, problem }) => problem !== null && entries.length === most)
  // One that leaves most days unexplained is none.
  return best && (!failed || best.entries.length * 2 > most) ? best : (failed ?? null)
}

function entryOf(head: Head, day = head): Entry {
  const { at, level, form, title, url } = head
  const lines = new Map([head, day].map((each) => [each.at, each.rest]))
  return { at, level, form, period: day.period, title, url: title === '' ? url : null, lines }
}

/** Headings with a day beside the headline, below it or below the text; or days alone, with the headline below. */
function ofHeadings(level: number, file: Heads): Explanation {
  const heads = file.headings.filter((head) => head.level === level && !file.isGroup(head))
  const entries: Entry[] = []
  const others: Head[] = []
  for (const [index, head] of heads.entries()) {
    const end = heads[index + 1]?.at ?? file.lines.length
    const below = head.period ? undefined : (file.dayBelow(head) ?? file.dayAbove(end, head.at))
    // Several days below a heading are those of a part of the product.
    const isPart = below?.form === 'heading' && file.headings.some((one) => isSibling(one, below, end))
    if (isPart) return NONE
    if (head.period || below || isUnreleased(head.title)) entries.push(entryOf(head, below))
    else others.push(head)
  }
  const dated = entries.filter(({ period }) => period)
  const [first, last] = [dated[0], dated.at(-1)]
  if (!first || !last) return NONE
  const inside = others.find(({ at }) => at > first.at && (at < last.at || !file.isEnd(at)))
  const outer = file.headings.find(
    (head) => head.at > first.at && head.level < level && !head.period && !YEAR.test(head.title),
  )
  const above = others.find(({ at, title }) => at < first.at && at !== file.title?.at && !isFileTitle(title))
  const strange = inside ?? outer ?? (dated.length < 2 ? above : undefined)
  if (!strange) return { entries: withHeadlines(entries, file), problem: null }
  const words = strange.title || strange.period?.written
  return {
    entries: dated,
    problem: `line ${strange.at + 1}, "${words?.slice(0, 60)}", has no date, and others like it do`,
  }
}

const isSibling = ({ at, level, period }: Head, day: Head, end: number): boolean =>
  period !== null && at > day.at && at < end && level === day.level

/** Bold lines and bare ones: a headline with the day below, or a day with the headline below. */
function ofLines(file: Heads): Explanation {
  const days = file.all.filter(({ period, form }) => period && (form === 'bold' || form === 'line'))
  const different = new Set(days.map(({ period }) => period?.at)).size
  if (different < 2 || different * 2 < days.length || days.some(({ at }) => file.isBelowHeading(at)))
    return NONE
  const titled = days.flatMap((day) => {
    const above = day.title === '' ? file.headlineAbove(day.at) : null
    return above ? [{ day, above }] : []
  })
  const below = days.filter(({ at }) => file.byLine.get(file.below(at))?.period === null)
  // Above the first day, a line may be the title of the file.
  const isTitle = titled.length === 1 && below.length > 1 && titled[0]?.day === days[0]
  if (titled.length === 0 || isTitle) {
    const own = days.filter((day) => file.isApart(day.at) || (isTitle && day === days[0]))
    const last = own.at(-1)?.at ?? 0
    const isLast = own.length > 1 && file.below(last) === file.lines.length
    const problem = isLast
      ? `line ${last + 1}: whether the dates belong to what is above or below cannot be told`
      : null
    return {
      entries: withHeadlines(
        own.map((day) => entryOf(day)),
        file,
      ),
      problem,
    }
  }
  const own = new Set(titled.map(({ day }) => day))
  const alone = days.find(
    (day) => day.at > (titled[0]?.above.at ?? 0) && file.isApart(day.at) && !own.has(day),
  )
  return {
    entries: titled.map(({ day, above }) => entryOf(above, day)),
    problem: alone ? `line ${alone.at + 1} is a date without a headline, and others have one` : null,
  }
}

/** A longer item, or one of several sentences, is a text. */
const LONGEST_TITLE = 160

/** A list whose items all begin with a day. */
function ofItems(file: Heads): Explanation {
  const items = file.lines.flatMap(({ kind, indent }, at) => (kind === 'item' && indent <= 1 ? at : []))
  const heads = items.flatMap((at) => file.byLine.get(at) ?? [])
  if (heads.length < 2 || heads.length < items.length) return NONE
  const entries = heads.map((head) => {
    const wrapped: number[] = []
    for (let at = head.at + 1; file.lines[at]?.kind === 'text'; at++) wrapped.push(at)
    const title = [head.title, ...wrapped.map((at) => file.lines[at]?.text)].join(' ').trim()
    const isText = title.length > LONGEST_TITLE || /[.!?。]\s+\S/.test(title)
    const lines = new Map([head.at, ...wrapped].map((at, index) => [at, isText && index === 0 ? title : '']))
    return { ...entryOf(head), title: isText ? '' : title, lines }
  })
  return { entries, problem: null }
}

/** A table of days and what changed. */
function ofRows({ all, lines }: Heads): Explanation {
  const rows = all.filter(({ form }) => form === 'row')
  const [first, second] = rows
  if (!first || !second || rows.some(({ title, rest }) => hasNumber(title) || hasNumber(rest))) return NONE
  const cells = rows.find(({ rest }) => rest !== '')
  const problem = cells ? `line ${cells.at + 1}: which cell of the row is the title cannot be told` : null
  const top = lines.findIndex(({ kind }) => kind === 'row')
  const above = lines.slice(top, first.at).map((_, index) => [top + index, ''] as const)
  const head = { ...entryOf(first), at: top, lines: new Map([...above, [first.at, '']]) }
  return { entries: [head, ...rows.slice(1).map((row) => entryOf(row))], problem }
}
