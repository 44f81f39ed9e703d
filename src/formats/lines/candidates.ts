import { readNumber } from '../../domain/versions/number.ts'
import { type LabelInLine, labelsIn } from '../../domain/versions/number-in-line.ts'
import { readHeadingComment } from '../changelog/comments.ts'
import { onlyDate, onlyFalseDate } from '../changelog/versions/dates.ts'
import { headingWith, type ReadHeading, readHeading, shownIn } from '../changelog/versions/heading.ts'
import { asNote } from '../changelog/versions/heading-title.ts'
import { DOTTED_DAY } from '../changelog/versions/label.ts'
import { ABOUT_A_VERSION, anyOf, isUnreleased } from '../changelog/vocabulary.ts'
import { type Evidence, evidenceOf, type Seen } from './evidence.ts'
import { definedIn, type Line } from './line.ts'

/** A line that may begin a version. */
export interface Candidate {
  /** From 0. */
  at: number
  form: 'heading' | 'line' | 'item'
  /** 0 unless it is a heading. */
  level: number
  /** The one that the version gets. */
  heading: ReadHeading
  /** The number, which tells the order; empty if there is none. */
  number: string
  /** The day that the line begins with, since 1970, if it is the label. */
  day: number | null
  isDated: boolean
  /** Nothing but the number or the day is in the line. */
  isAlone: boolean
  evidence: Evidence
  /** Words precede the number. */
  isNamed: boolean
  isUnreleased: boolean
  /** The line is a change of the version as well. */
  isWithin?: boolean
  /** Equal for lines that mean the same: mark, indentation, and the words in front of the number. */
  shape: string
}

/** True for a heading with a version number, or with a date that does not exist. */
export const hasNumber = ({ kind, raw, text }: Line): boolean =>
  kind === 'heading' &&
  raw.length <= LONGEST_HEADING &&
  (labelIn(visibleOf(text)) !== undefined || onlyFalseDate(visibleOf(text)) !== null)

/** Longer headings and lines are text, which bounds the work of regular expressions. */
const LONGEST_HEADING = 2000
const LONGEST_LINE = 200

export function candidatesIn(lines: readonly Line[]): Candidate[] {
  const labels = definedIn(lines)
  /** Headings that are none: most are those of sections, and there are few different ones. */
  const others = new Set<string>()
  const found = lines.flatMap((line, at) => {
    if (line.kind === 'heading') {
      const isOther = line.indent > 1 || line.raw.length > LONGEST_HEADING || others.has(line.text)
      const found = isOther ? null : candidateAt(lines, at, labels)
      if (found === null) others.add(line.text)
      return found ?? []
    }
    const isPlain = (line.kind === 'text' || line.kind === 'item') && line.raw.length <= LONGEST_LINE
    if (!isPlain || !/\d|nreleased|\$NEXT/i.test(line.text) || KEYWORD.test(line.text)) return []
    return candidateAt(lines, at, labels) ?? []
  })
  return withNumbers(found)
}

/** `1.5.2026` is a number beside as many of three parts that are no days, and beside one such as `2.1.1504`. */
function withNumbers(found: Candidate[]): Candidate[] {
  const isDotted = ({ heading: { label } }: Candidate) => label.isDate && DOTTED_DAY.test(label.text)
  const others = found.filter(
    ({ number, evidence }) => evidence !== 'shaped' && /^\d+\.\d+\.\d+$/.test(number),
  )
  const areDays =
    found.filter(isDotted).length > others.length && !others.some(({ number }) => /\d{4}$/.test(number))
  if (areDays) return found
  return found.map((one) => {
    if (!isDotted(one)) return one
    const { heading, isAlone, evidence } = one
    const label = { ...heading.label, kind: 'version', date: null, isDate: false } as const
    const own = { number: label.text, day: null, isDated: false, heading: { ...heading, label, date: null } }
    return { ...one, ...own, evidence: isAlone ? 'certain' : evidence }
  })
}

/** Version control expands it: `$Id: CHANGES,v 1.42 2002/01/02 jane Exp $` */
const KEYWORD = /^\W{0,3}\$\w+:.*\$/

/** A line without the marks of links, emphasis and code. */
export const visibleOf = (text: string): string =>
  shownIn(text)
    .trim()
    .replace(/[\s=#*_~\\]+$/, '')

/** A heading that is only a day, with words around it: `Released on July 30, 2021`. */
function dayAt(at: number, { text, level }: Line): Candidate | null {
  const visible = visibleOf(text)
  const day = onlyDate(visible)
  const words = visible.slice(day?.start, day?.end).replace(/[()]/g, '')
  const { comment } = readHeadingComment(text)
  return (
    day && {
      ...{ at, form: 'heading', level, number: '', day: dayOf(day), shape: '', evidence: 'likely' },
      ...{ isDated: true, isAlone: true, isNamed: false, isUnreleased: false },
      heading: headingWith(words, { text: words, comment }),
    }
  )
}

const labelIn = (line: string): LabelInLine | undefined => labelsIn(line).next().value ?? undefined

const dayOf = (date: { at: number } | null): number | null => date && Math.floor(date.at / 86_400_000)

type ReadLine = ReturnType<typeof readLine>

function readLine({ shown, label, date, isBracketed }: ReadHeading) {
  const behind =
    date === null || date.end <= label.end
      ? shown.slice(label.end)
      : shown.slice(label.end, date.start) + shown.slice(date.end)
  const alone = ONLY_LABEL.test(behind) || asNote(behind.trim()) !== null
  const prefixed = label.titleStart < label.end
  const at = shown.indexOf(label.text.replace(/ .*$/, ''))
  const seen: Seen = {
    alone,
    bracketed: isBracketed && !prefixed,
    byDay: label.isDate,
    dated: date !== null,
    labelled: label.kind !== 'other',
    numbered: label.kind === 'version',
    prefixed,
  }
  return { seen, behind, front: prefixed ? frontOf(shown.slice(0, Math.max(0, at))) : '' }
}

const frontOf = (words: string): string =>
  words.toLowerCase().replace(/\d+/g, '0').replace(/\s+/g, ' ').trim()

const ONLY_LABEL =
  /^[\s:.,/|()[\]–—\p{So}-]*(?:released?|release notes|news|changes(?: since \S+)?)?[\s:]*$/iu
const SAYS_CHANGES = /\b(?:changes?|changed|change ?log|new|news|version|release)\b/i
/** Units of amounts, the end of a statement of code, and the rest of a row: `0.5  12`, `1.0  0.5 a`, `9,461 door.csv`. */
const AMOUNT =
  /^;$|^\s?(?:[€$£¥%°]|(?:eur|usd|gbp|kg|mm|cm|km|ms|mb|gb|kb|hours?|min|seconds?)\b)|^[-–]\d|^\s+(?:\d{1,3}(?:,\d{3})+\s|(?:\d+\s+)?\d+\.\d+(?:\s|$)|\d[\s\d.,]*$)/i

const isEmpty = (line: Line | undefined): boolean => line === undefined || line.kind === 'blank'

/** The next line that is not blank, of three. */
export const textBelow = (lines: readonly Line[], at: number): Line | undefined =>
  lines.slice(at + 1, at + 4).find((line) => line.kind !== 'blank')

/** True for an item above others that belong to it. */
function isHead(lines: readonly Line[], at: number): boolean {
  const below = textBelow(lines, at)
  const isFirst = isEmpty(lines[at - 1]) || below?.kind === 'item'
  const isStarred = lines[at]?.mark === '*' && isFirst && below?.mark !== '*'
  return isStarred || (below !== undefined && below.indent > (lines[at]?.indent ?? 0))
}

const BEGINS_WITH_NUMBER = /^[^\p{L}\p{N}]{0,4}(?:v|ver|version|release|un-?released)?[.:\s]{0,2}(?:\d|$)/iu

/** A heading, a line or an item that looks like a version. */
function candidateAt(lines: readonly Line[], at: number, labels: ReadonlySet<string>): Candidate | null {
  const line = lines[at] as Line
  const { kind, text, level, mark, indent } = line
  const form = kind === 'heading' || kind === 'item' ? kind : 'line'
  if (form === 'item' && !mayBeItem(lines, at)) return null
  const isLine = form !== 'heading'
  const heading = readHeading(isLine ? shownOf(text) : text, labels, false, form === 'line')
  if (heading === null) return isLine ? null : dayAt(at, line)
  const { label } = heading
  const read = readLine(heading)
  const evidence = isLine ? evidenceAt(lines, at, heading, read) : evidenceOf('heading', read.seen)
  if (evidence === null && isLine) return null
  const shape = shapeOf(indent, mark, label.kind === 'version' ? '' : read.front)
  const isNumber = !label.isDate && label.kind !== 'unreleased'
  return {
    at,
    form,
    heading,
    level,
    number: isNumber ? (readNumber(label.text)?.text ?? '') : '',
    day: label.isDate ? dayOf(label.date) : null,
    isDated: heading.date !== null,
    isAlone: read.seen.alone === true,
    evidence: evidence ?? 'likely',
    isNamed: read.seen.prefixed === true && label.kind === 'other' && !label.isDate,
    isUnreleased: label.kind === 'unreleased' || (!isLine && isUnreleased(label.text)),
    shape: form === 'item' && evidence === 'shaped' && !read.seen.alone ? `${shape} text` : shape,
    ...(label.isDate && numberAtEnd(heading)),
  }
}

/** Most lines are items, which need not be looked at any further. */
function mayBeItem(lines: readonly Line[], at: number): boolean {
  const { indent, mark, text } = lines[at] as Line
  return (
    indent < 2 && !/^\d/.test(mark) && (BEGINS_WITH_NUMBER.test(text) || (mark === '*' && isHead(lines, at)))
  )
}

function evidenceAt(
  lines: readonly Line[],
  at: number,
  heading: ReadHeading,
  read: ReadLine,
): Evidence | null {
  const { kind, indent, mark } = lines[at] as Line
  const { label, shown } = heading
  const { behind, seen } = read
  const isItem = kind === 'item'
  // An item such as `@acme/oss@1.2.0` is a dependency.
  if (!(seen.labelled || seen.byDay || seen.prefixed) || AMOUNT.test(behind)) return null
  if (isItem && /.@/.test(label.text)) return null
  const found = evidenceOf(indent > 1 ? 'indented' : isItem ? 'item' : 'line', {
    ...seen,
    ...seenAround(lines, at),
    named: seen.prefixed === true && !SAYS_CHANGES.test(shown),
    starred: mark === '*',
    titled: /^\s*(?:(?:-{1,2}|[–—:])\s|\(|\[)/.test(behind),
  })
  if (found !== null && !label.isLoose) return found
  return !isItem && indent < 2 && mayBeShaped(heading, read, lines[at - 1]) ? 'shaped' : null
}

/** True if others of its shape may explain a line with a number. */
function mayBeShaped({ shown, label }: ReadHeading, read: ReadLine, above: Line | undefined): boolean {
  const { behind, front, seen } = read
  if (!/\d\.\d/.test(label.text) || label.isDate) return false
  // `Summary of changes for version 1.2 are below`
  if (TELLS_CHANGES.test(front)) return true
  // `4 0.0014` is a row of a table, and `… new features since` is above `the release of bash-5.1.`
  if ((/\d/.test(front) && !/\p{L}/u.test(front)) || ABOUT.test(front)) return false
  if (/^\p{Ll}/u.test(shown) && front.includes(' ') && endsSentence(above)) return false
  // `Version 1.2 adds a flag`
  return seen.alone || seen.bracketed || !/^ \p{Ll}/u.test(behind)
}

function seenAround(lines: readonly Line[], at: number): Seen {
  const [above, line, next] = [lines[at - 1], lines[at], lines[at + 1]]
  const isList = next?.kind === 'item' || (next?.indent ?? 0) > 0
  return {
    apart: isEmpty(above) || above?.kind === 'rule' || above?.kind === 'heading',
    continued: endsSentence(above),
    listed:
      line?.kind === 'item'
        ? isHead(lines, at)
        : isEmpty(next) || isList || onlyDate(next?.text ?? '') !== null,
  }
}

/** True below `… before the coming`, for `1.2 release:`. */
const endsSentence = (above: Line | undefined): boolean =>
  above?.kind === 'text' && above.text.length > 40 && /[\p{L}\d,]$/u.test(above.text)

const ABOUT = new RegExp(
  `\\b(?:${anyOf(ABOUT_A_VERSION)}|requires?|needs?|in|than|use[sd]?|updat\\w*|add(?:s|ed)?|fix(?:es|ed)?)\\b`,
  'i',
)
const TELLS_CHANGES = /\b(?:changes|new features)\b/
const ONLY_RELEASED = /^[^\p{L}\p{N}]*(?:released?)?[^\p{L}\p{N}]*$/iu

const shapeOf = (indent: number, mark: string, front: string): string =>
  [indent > 1 ? indent : '', mark.trim().replace(/(.)\1+/g, '$1$1'), front].join('|')

/** `2026-01-02  Released Foo 1.2.0`: an entry by date that ends with a number. */
function numberAtEnd(own: ReadHeading): Partial<Candidate> {
  const rest = own.shown.slice(own.label.end)
  const found = labelIn(rest)
  if (found === undefined) return {}
  if (!ONLY_RELEASED.test(rest.slice(found.end))) return {}
  const number = found.label.slice(found.number.start)
  return { number, heading: headingWith(number, own), evidence: 'shaped', isNamed: true, shape: '@' }
}

/** Without what makes a heading of a line: `**1.2.0** - text`, `1.2.0 ------`, `= 1.2.0 =`, `<<1.2.0>>`, `>1.2.0`. */
const shownOf = (text: string): string =>
  text
    .replace(/^([*_]{1,3})(?![\s*_])(.+?)\1|^[*>](?=\w)/, '$2')
    .replace(/^(?:=+[ \t]*|<<+)|(?:[ \t]*(?:[-*#]{3,}|=+)[ \t]*|>>+)$/g, '')
    .trimEnd()
