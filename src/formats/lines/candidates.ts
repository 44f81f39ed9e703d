import { readNumber } from '../../domain/versions/number.ts'
import { type LabelInLine, labelsIn } from '../../domain/versions/number-in-line.ts'
import { readHeadingComment } from '../changelog/comments.ts'
import { onlyDate, onlyFalseDate } from '../changelog/versions/dates.ts'
import { headingWith, type ReadHeading, readHeading, shownIn } from '../changelog/versions/heading.ts'
import { asNote, dateBesideLabel } from '../changelog/versions/heading-title.ts'
import { DOTTED_DAY } from '../changelog/versions/label.ts'
import { ABOUT_A_VERSION, anyOf, isUnreleased, revisionIn } from '../changelog/vocabulary.ts'
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

/** What a line has unless more is seen in it. */
const UNSEEN: Omit<Candidate, 'at' | 'form' | 'heading'> = {
  level: 0,
  number: '',
  day: null,
  isDated: false,
  isAlone: false,
  evidence: 'shaped',
  shape: '',
  isNamed: false,
  isUnreleased: false,
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
      const found = line.indent > 1 || others.has(line.text) ? null : headingAt(lines, at, labels)
      if (found === null) others.add(line.text)
      return found ?? []
    }
    const isPlain = (line.kind === 'text' || line.kind === 'item') && line.raw.length <= LONGEST_LINE
    if (!isPlain || !/\d|nreleased|\$NEXT/i.test(line.text) || KEYWORD.test(line.text)) return []
    return lineAt(lines, at, labels) ?? shapedAt(lines, at, labels) ?? []
  })
  const all = withNumbers(found)
  for (const [number, same] of Map.groupBy(all, (one) => one.number))
    for (const one of same.length > 1 ? same : []) one.number += revisionIn(one.heading.text, number) ?? ''
  return all
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

function headingAt(lines: readonly Line[], at: number, labels: ReadonlySet<string>): Candidate | null {
  const { raw, text, level } = lines[at] as Line
  if (raw.length > LONGEST_HEADING) return null
  const heading = readHeading(text, labels)
  if (heading === null) {
    const visible = visibleOf(text)
    const day = onlyDate(visible)
    const words = visible.slice(day?.start, day?.end).replace(/[()]/g, '')
    const own = { at, form: 'heading', level, isDated: true, isAlone: true, evidence: 'likely' } as const
    const { comment } = readHeadingComment(text)
    return (
      day && { ...UNSEEN, ...own, day: dayOf(day), heading: headingWith(words, { text: words, comment }) }
    )
  }
  const read = readLine(heading)
  const { label } = heading
  return {
    ...UNSEEN,
    ...partsOf(read),
    at,
    form: 'heading',
    heading,
    level,
    evidence: evidenceOf('heading', seenIn(read)) ?? 'likely',
    isUnreleased: label.kind === 'unreleased' || isUnreleased(label.text),
    ...(label.isDate && numberAtEnd(heading)),
  }
}

const labelIn = (line: string): LabelInLine | undefined => labelsIn(line).next().value ?? undefined

const dayOf = (date: { at: number } | null): number | null => date && Math.floor(date.at / 86_400_000)

const numberIn = (label: string): string => readNumber(label)?.text ?? ''

type ReadLine = ReturnType<typeof readLine>

function readLine({ shown, label, date, isBracketed }: ReadHeading) {
  const behind =
    date === null || date.end <= label.end
      ? shown.slice(label.end)
      : shown.slice(label.end, date.start) + shown.slice(date.end)
  const isAlone = ONLY_LABEL.test(behind) || asNote(behind.trim()) !== null
  const isNamed = label.titleStart < label.end
  const at = shown.indexOf(label.text.replace(/ .*$/, ''))
  const front = isNamed ? frontOf(shown.slice(0, Math.max(0, at))) : ''
  return { label, date, behind, isAlone, isNamed, front, isBracketed: isBracketed && !isNamed }
}

const partsOf = ({ label, date, isNamed, isAlone }: ReadLine): Partial<Candidate> => ({
  isAlone,
  number: label.isDate || label.kind === 'unreleased' ? '' : numberIn(label.text),
  day: label.isDate ? dayOf(label.date) : null,
  isDated: date !== null,
  isNamed: isNamed && label.kind === 'other' && !label.isDate,
})

const seenIn = ({ label, date, isAlone, isNamed, isBracketed }: ReadLine): Seen => ({
  alone: isAlone,
  bracketed: isBracketed,
  byDay: label.isDate,
  dated: date !== null,
  labelled: label.kind !== 'other',
  numbered: label.kind === 'version',
  prefixed: isNamed,
})

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

/** A line without a mark of headings that looks like a version. */
function lineAt(lines: readonly Line[], at: number, labels: ReadonlySet<string>): Candidate | null {
  const line = lines[at] as Line
  const isItem = line.kind === 'item'
  const isStar = line.mark === '*'
  // Most lines are items, which need not be looked at any further.
  if (isItem && (line.indent > 1 || /^\d/.test(line.mark))) return null
  if (isItem && !BEGINS_WITH_NUMBER.test(line.text) && !(isStar && isHead(lines, at))) return null
  const heading = readHeading(shownOf(line.text), labels)
  if (heading === null) return null
  const read = readLine(heading)
  const { label, behind, front } = read
  const isLabel = label.kind !== 'other' || label.isDate || read.isNamed
  // An item such as `@acme/oss@1.2.0` is a dependency.
  if (!isLabel || AMOUNT.test(behind) || (isItem && /.@/.test(label.text))) return null
  const form = isItem ? 'item' : 'line'
  const seen = {
    ...seenIn(read),
    ...seenAround(lines, at),
    named: read.isNamed && !SAYS_CHANGES.test(heading.shown),
    starred: isStar,
    titled: /^\s*(?:(?:-{1,2}|[–—:])\s|\(|\[)/.test(behind),
  }
  const evidence = evidenceOf(line.indent > 1 ? 'indented' : form, seen)
  if (evidence === null) return null
  const shape = shapeOf(line.indent, line.mark, label.kind === 'version' ? '' : front)
  const hasText = evidence === 'shaped' && !read.isAlone
  return {
    ...UNSEEN,
    ...partsOf(read),
    at,
    form,
    heading,
    evidence,
    shape: hasText ? `${shape} text` : shape,
    isUnreleased: label.kind === 'unreleased',
    ...(label.isDate && numberAtEnd(heading)),
  }
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
/** `Summary of changes for version 1.2 are below`; `… the changes between this version, bash-5.2, and`, `… new features added to bash-5.2 since` */
const CHANGES_FOR =
  /^(?:\w+ ){0,8}(?:changes (?:for|in|of|with) |changes between this version, |new features added to )/i
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

/** Without what makes a heading of a line: `**1.2.0** - text`, `1.2.0 ------`, `= 1.2.0 =`. */
const shownOf = (text: string): string =>
  text
    .replace(/^([*_]{1,3})(?![\s*_])(.+?)\1|^\*(?=\w)/, '$2')
    .replace(/^=+[ \t]*|[ \t]*(?:[-*#]{3,}|=+)[ \t]*$/g, '')
    .trimEnd()

/** A line at the margin with a number behind a few words or marks. */
function shapedAt(lines: readonly Line[], at: number, labels: ReadonlySet<string>): Candidate | null {
  const line = lines[at] as Line
  if (line.kind !== 'text' || line.indent > 1 || !/\d\.\d/.test(line.text)) return null
  const visible = visibleOf(line.text)
  const mark = /^(?:[^\p{L}\p{N}\s([<]+[ \t]*)?/u.exec(visible)?.[0] ?? ''
  const text = visible.slice(mark.length)
  const found = labelIn(text)
  if (found === undefined) return null
  const before = text.slice(0, found.start)
  const { end } = found
  const date = dateBesideLabel(text, end)
  const behind = date === null ? text.slice(end) : text.slice(end, date.start) + text.slice(date.end)
  const isAlone = ONLY_RELEASED.test(behind) || date !== null
  const front = before.replace(CHANGES_FOR, '')
  const words = front.split(/\s+/).filter((word) => word !== '')
  // `4 0.0014` is a row of a table.
  if (/\d/.test(front) && !/\p{L}/u.test(front)) return null
  if (words.length > 4 || ABOUT.test(front)) return null
  // `… new features since` above `the release of bash-5.1.`
  if (/^\p{Ll}{2,} \S/u.test(front) && endsSentence(lines[at - 1])) return null
  // `Version 1.2 adds a flag`
  if (!isAlone && front === before && /^ \p{Ll}/u.test(behind)) return null
  const number = found.label.slice(found.number.start)
  if (AMOUNT.test(behind)) return null
  const whole = line.text.startsWith(mark) ? line.text.slice(mark.length) : text
  const kept = shownOf(whole)
  const own = readHeading(kept, labels)
  const isLabelled = own?.label.text.replace(/^v\.?/i, '') === number
  return {
    ...UNSEEN,
    at,
    form: 'line',
    number,
    heading: isLabelled ? own : headingWith(number, readHeadingComment(kept)),
    isDated: date !== null,
    isNamed: words.length > 0,
    shape: shapeOf(0, mark, frontOf(before)),
  }
}
