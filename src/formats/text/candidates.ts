import { findDate, onlyDate, onlyFalseDate } from '../keepachangelog/versions/dates.ts'
import { asNote, dateBesideLabel } from '../keepachangelog/versions/heading-title.ts'
import { plainLabel } from '../keepachangelog/versions/label.ts'
import { ABOUT_A_VERSION, anyOf, halfWidth, isUnreleased } from '../keepachangelog/vocabulary.ts'
import type { Line } from './lines.ts'

/** Begins the shape of items that begin with a number. */
export const ITEM_SHAPE = '- '

/** A line that may begin a version. */
export interface Candidate {
  /** From 0. */
  at: number
  form: 'heading' | 'bold' | 'line' | 'item' | 'row'
  /** Of a heading, else 0. */
  level: number
  /** The heading that the version gets, in markdown. */
  text: string
  /** The number, which tells the order; empty if there is none. */
  number: string
  /** The day that the line begins with, since 1970, if it is the label. */
  day: number | null
  isDated: boolean
  /**
   * `certain` lines are a label alone or with a date, `likely` ones have a text beside it, and `shaped` ones only a number
   * somewhere, which others of the same shape must explain.
   */
  evidence: 'certain' | 'likely' | 'shaped'
  /** Whether words are in front of the number. */
  isNamed: boolean
  isUnreleased: boolean
  /** The line of its date, if that is a heading of its own. */
  dayAt?: number
  /** What lines that mean the same have in common: mark, indentation, and the words in front of the number. */
  shape: string
}

const candidate = (
  at: number,
  form: Candidate['form'],
  text: string,
  more: Partial<Candidate>,
): Candidate => ({
  ...{ at, form, text, level: 0, number: '', day: null, isDated: false, evidence: 'shaped', shape: '' },
  ...{ isNamed: false, isUnreleased: false },
  ...more,
})

/** Whether a heading that is no candidate has a number all the same, or a date that does not exist. */
export const hasNumber = ({ kind, raw, text }: Line): boolean =>
  kind === 'heading' &&
  raw.length <= LONGEST_HEADING &&
  (/(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?![\w%])/.test(visibleOf(text)) || onlyFalseDate(visibleOf(text)) !== null)

/** Longer headings and lines are text, which bounds the work of regular expressions. */
const LONGEST_HEADING = 2000
const LONGEST_LINE = 200

export function candidatesIn(lines: readonly Line[]): Candidate[] {
  /** Headings that are none: most are those of sections, and there are few different ones. */
  const others = new Set<string>()
  const all = lines.flatMap((line, at) => {
    if (line.kind === 'heading') {
      const found = line.indent > 1 || others.has(line.text) ? null : headingAt(lines, at)
      if (found === null) others.add(line.text)
      return found ?? []
    }
    const isPlain = line.kind === 'text' || line.kind === 'item' || line.kind === 'row'
    if (
      !isPlain ||
      line.raw.length > LONGEST_LINE ||
      !/\d|nreleased|\$NEXT/i.test(line.text) ||
      KEYWORD.test(line.text)
    )
      return []
    return rowAt(line, at) ?? lineAt(lines, at) ?? shapedAt(line, at) ?? []
  })
  return all.filter((one, index) => !isDateOf(all[index - 1], one, lines))
}

/** Whether a line is nothing but a date, right below a version without one. */
function isDateOf(
  above: Candidate | undefined,
  { at, level, text }: Candidate,
  lines: readonly Line[],
): boolean {
  const isBelow =
    above !== undefined && (at - above.at === 1 || (at - above.at === 2 && lines[at - 1]?.kind === 'blank'))
  if (!isBelow || above.isDated || above.number === '' || (level > 0 && level <= above.level)) return false
  return onlyDate(visibleOf(text)) !== null && onlyDate(visibleOf(above.text)) === null
}

/** Of version control: `$Id: CHANGES,v 1.42 2002/01/02 jane Exp $` */
const KEYWORD = /^\W{0,3}\$\w+:.*\$/

/** A line without the marks of links, emphasis and code. */
const visibleOf = (text: string): string =>
  halfWidth(
    text
      .replace(/&nbsp;/g, ' ')
      .replace(/&(?:[nm]dash|#821[12]);/g, '–')
      .replace(/!\[[^\]]*\]\([^()]*\)/g, '')
      .replace(/<[a-z/!][^<>@]*>/gi, '')
      .replace(/\[((?:[^[\]]|\[[^[\]]*\])*)\](?:\([^()\s]*(?:\([^()]*\))?[^()]*\)|\[[^\]]*\])/g, '$1')
      .replace(/\*\*|__|~~|`|(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])/g, ''),
  )
    .trim()
    .replace(/[\s=#*_~\\]+$/, '')

function headingAt(lines: readonly Line[], at: number): Candidate | null {
  const line = lines[at] as Line
  if (line.raw.length > LONGEST_HEADING) return null
  const visible = visibleOf(line.text)
  const bracketed = /^\s*\[(?<label>[^[\]]+)\](?<behind>.*)$/.exec(visible)?.groups
  const isLabel = bracketed !== undefined && plainLabel(bracketed.label ?? '') !== null
  const read = readLine(isLabel ? `${bracketed.label} ${bracketed.behind}` : visible)
  const { level } = line
  const day = read === null ? onlyDate(visible) : null
  if (day !== null) {
    const text = visible.slice(day.start, day.end).replace(/[()]/g, '')
    const number = numberOfPackages(lines, at)
    const named = number === undefined ? { text, day: dayOf(day) } : { text: `${number} (${text})`, number }
    return candidate(at, 'heading', text, { level, isDated: true, evidence: 'likely', ...named })
  }
  const isAnyLabel =
    bracketed && line.level <= 2 && /^(?:\s*$|\s+-\s|\s+\(|\s*\[)/.test(bracketed.behind ?? '')
  if (read === null && !(isAnyLabel && !ABOUT_ANOTHER.test(bracketed?.label ?? ''))) return null
  const { label, date, isAlone, front } = read ?? { label: null, date: null, isAlone: true, front: '' }
  const isBracketed = bracketed !== undefined && (label === null || label.titleStart >= label.end)
  const isCertain =
    label === null ||
    isBracketed ||
    (label.kind === 'other' ? date !== null && !label.isDate : isAlone || date !== null)
  const found = candidate(at, 'heading', line.text, {
    level,
    number: label === null || label.isDate || label.kind === 'unreleased' ? '' : numberIn(label.text),
    day: label?.isDate ? dayOf(label.date) : null,
    isDated: date !== null,
    evidence: isCertain ? 'certain' : 'likely',
    isNamed: label !== null && label.kind === 'other' && !label.isDate && front !== '',
    isUnreleased: label?.kind === 'unreleased' || isUnreleased(label?.text ?? ''),
  })
  if (!label?.isDate || ABOUT.test(visible)) return found
  const { number = '', text } = numberAtEnd(visible, line.text)
  return number === '' ? found : { ...found, number, text: text ?? line.text, day: null, isNamed: true }
}

/** Below `Release (2026-01-02)`, as release-plan writes it: `foo 1.1.2 (patch)`, if all packages have the same number. */
function numberOfPackages(lines: readonly Line[], at: number): string | undefined {
  const numbers = new Set<string>()
  for (let next = at + 1; next < lines.length; next++) {
    const { kind = 'blank', text = '' } = lines[next] ?? {}
    const number = PACKAGE_NUMBER.exec(text)?.groups?.number
    if (number !== undefined) numbers.add(number)
    else if (kind !== 'blank' || numbers.size > 0) break
  }
  return numbers.size === 1 ? [...numbers][0] : undefined
}

const PACKAGE_NUMBER = /^\S{1,120} (?<number>\d+\.\d+\.\d[\w.-]{0,40}) \((?:major|minor|patch)\)[ \t]*$/

const dayOf = (date: { at: number } | null): number | null => date && Math.floor(date.at / 86_400_000)

const ABOUT_ANOTHER = new RegExp(`\\b${anyOf(ABOUT_A_VERSION)}\\s+v?\\d+\\.\\d`, 'i')
const numberIn = (label: string): string =>
  /\d+(?:[._]\d+)*(?:[-.+_~]?[0-9A-Za-z]+)*/.exec(label.replace(/^.*@(?=v?\d)/, ''))?.[0] ?? ''

interface ReadLine {
  label: NonNullable<ReturnType<typeof plainLabel>>
  date: { at: number; start: number; end: number } | null
  behind: string
  isAlone: boolean
  front: string
}

function readLine(text: string): ReadLine | null {
  const label = plainLabel(text)
  if (label === null) return null
  const date = label.date ?? dateBesideLabel(text, label.end)
  const behind =
    date === null || date.end <= label.end
      ? text.slice(label.end)
      : text.slice(label.end, date.start) + text.slice(date.end)
  const isAlone = ONLY_LABEL.test(behind) || asNote(behind.trim()) !== null
  const at = text.indexOf(label.text.replace(/ .*$/, ''))
  const front = label.titleStart < label.end ? frontOf(text.slice(0, Math.max(0, at))) : ''
  return { label, date, behind, isAlone, front }
}

const frontOf = (words: string): string =>
  words.toLowerCase().replace(/\d+/g, '0').replace(/\s+/g, ' ').trim()

const ONLY_LABEL =
  /^[\s:.,/|()[\]–—\p{So}-]*(?:released?|release notes|news|changes)?[\s:]*$|^(?:[,、] ?v?\d+(?:\.\d+)+)+$|^\s*<?https?:\/\/\S+(?:\s+<?https?:\/\/\S+)*$/iu

/** A row of a table whose first cell is a number. */
function rowAt(line: Line, at: number): Candidate | null {
  if (line.kind !== 'row') return null
  const cells = line.text.split('|').map((cell) => cell.trim())
  const number = ROW_NUMBER.exec(cells[0] ?? '')?.groups?.number
  if (number === undefined) return null
  return candidate(at, 'row', cells.join(' ').trim(), { number })
}

const ROW_NUMBER = /^(?:\[|[\w-]{1,60}@)?v?(?<number>\d{1,8}(?:\.\d{1,8}){1,4}[\w.-]{0,40})/i

/** In front of a text: stars, `==`, `--`; with those behind it they decorate a title. */
const DECORATED = /^(?<mark>\*+|=+|-{2,})?[ \t]*(?<text>\S.*?)[ \t]*(?:=+|\*{2,}|-{3,}|#{1,6})?$/
const BOLD = /^(\*\*|__)(?![\s*_])(?<inside>.+?)\1(?<behind>.*)$/
/** `20010325`, `20010325:`, `2001.03.25 Jane <jane@example.com>` */
const DIGITS_DATE = /^((?:19|20)\d\d)(?:(\d\d)(\d\d)(?=$|:(?:$|[ \t]))|\.(\d\d)\.(\d\d)(?=\s.*[<@]))/
/** `27.11.00` */
const SHORT_DAY = /^\d\d\.\d\d\.(?:\d\d){1,2}$/
/** `1.2 => 1.3`, `1.2 and 1.3` */
const RANGE = /^\)?\s*(?:=+>|-+>|→|to|and)\s*/i
const SAYS_CHANGES = /\b(?:changes?|changed|change ?log|new|news|version|release)\b/i
/** `1.2.0: text`, line below line. */
const NUMBERED = /^v?\d+(?:\.\d+){1,4}(?:-\w[\w.]*)?:?[ \t]/i
/** What is counted, measured or paid, or ends a statement of code. */
const AMOUNT = /^;$|^\s?(?:[€$£¥%°]|(?:eur|usd|gbp|kg|mm|cm|km|ms|mb|gb|kb|hours?|min|seconds?)\b)|^[-–]\d/i

const isEmpty = (line: Line | undefined): boolean => line === undefined || line.kind === 'blank'
/** A bullet, or indented. */
const isBelow = (line: Line | undefined): boolean =>
  line !== undefined && !isEmpty(line) && (line.kind === 'item' || line.indent > 0)

/** The next line that is not blank, of three. */
const textBelow = (lines: readonly Line[], at: number): Line | undefined =>
  lines.slice(at + 1, at + 4).find((line) => line.kind !== 'blank')

/** Whether the lines below belong to an item. */
function hasNested(lines: readonly Line[], at: number): boolean {
  const [own, below] = [lines[at], textBelow(lines, at)]
  const hasOtherBullets = own?.mark === '*' && below?.kind === 'item' && below.mark !== '*'
  return below !== undefined && (below.indent >= 2 || hasOtherBullets)
}

/** Whether an item is above others that belong to it. */
const isHead = (lines: readonly Line[], at: number): boolean =>
  hasNested(lines, at) ||
  (lines[at]?.mark === '*' && isEmpty(lines[at - 1]) && textBelow(lines, at)?.mark !== '*')

const BEGINS_WITH_NUMBER = /^[^\p{L}\p{N}]{0,4}(?:v|ver|version|release|un-?released)?[.:\s]{0,2}(?:\d|$)/iu

/** A line without a mark of headings that looks like a version. */
function lineAt(lines: readonly Line[], at: number): Candidate | null {
  const line = lines[at] as Line
  const isDay = line.kind === 'item' && /^\d/.test(line.mark) && onlyDate(line.raw.trim()) !== null
  const isItem = line.kind === 'item' && !isDay
  if (line.kind === 'row' || (isItem && /^\d/.test(line.mark))) return null
  // Most lines are items, which need not be looked at any further.
  if (isItem && !BEGINS_WITH_NUMBER.test(line.text) && !(line.mark === '*' && isHead(lines, at))) return null
  const [above, next] = [lines[at - 1], lines[at + 1]]
  const { mark = '', text: written = '' } = isItem
    ? { mark: line.mark, text: line.text }
    : (DECORATED.exec((isDay ? line.raw.trim() : line.text).replace(DIGITS_DATE, '$1-$2$4-$3$5'))?.groups ??
      {})
  const bold = isItem ? undefined : BOLD.exec(line.text)?.groups
  const visible = visibleOf(isItem ? written.replace(/\*+|__/g, '') : bold ? line.text : written).replace(
    /^\[([^[\]]+)\]/,
    '$1',
  )
  const read = readLine(visible)
  if (read === null) return null
  const { label, date, behind, isAlone, front } = read
  const isNamed = label.titleStart < label.end
  const isIndented = line.indent > 1
  const isEmphasised = /^\[v?\d[^\]]*\](?!\()|^[*_][^*_].*[*_]$/.test(written) || (mark === '*' && !isItem)
  const shown = bold ? `${bold.inside}${bold.behind}` : isEmphasised ? visible : written
  const as = (evidence: Candidate['evidence']): Candidate =>
    candidate(at, bold ? 'bold' : isItem ? 'item' : 'line', shown, {
      number: label.isDate || label.kind === 'unreleased' ? '' : numberIn(label.text),
      day: label.isDate ? dayOf(label.date) : null,
      isDated: date !== null,
      evidence,
      isNamed: isNamed && label.kind === 'other',
      isUnreleased: label.kind === 'unreleased',
      shape: shapeOf(line.indent, bold ? '**' : mark, label.kind === 'version' ? '' : front),
    })
  if (label.isDate && (isIndented || (isItem && mark !== '*'))) return null
  if (label.isDate) {
    const day = { ...as('likely'), text: shown.replace(/:$/, '') }
    return { ...day, ...numberAtEnd(visible, day.text) }
  }
  if (SHORT_DAY.test(label.text)) return null
  if (label.kind === 'other' && !isNamed) return null
  if (AMOUNT.test(behind)) return null
  if (isIndented) {
    const isWorded =
      isNamed &&
      label.kind === 'version' &&
      isEmpty(above) &&
      (isEmpty(next) || (next?.indent ?? 0) > line.indent)
    if (isItem) return isAlone && date !== null && !isNamed && hasNested(lines, at) ? as('certain') : null
    return isAlone && (isWorded || (date !== null && !isNamed)) ? as('certain') : null
  }
  if (bold)
    return isAlone || date !== null
      ? as(isEmpty(next) || isBelow(next) || isAlone ? 'certain' : 'likely')
      : isBelow(textBelow(lines, at))
        ? as('likely')
        : null
  const isTitled = date !== null || /^\s*(?:(?:-{1,2}|[–—:])\s|\(|\[)/.test(behind)
  if (isItem) {
    const isAbove = isHead(lines, at)
    const isOther = isNamed && label.kind === 'other' && !(mark === '*' && SAYS_CHANGES.test(front))
    if (isOther)
      return (isAlone || date !== null) && isAbove && mark === '*'
        ? as(date === null ? 'likely' : 'certain')
        : null
    if (isAlone ? isAbove || (mark === '*' && isNamed) : mark === '*' && date !== null && isAbove)
      return as('certain')
    // `- 1.2.0 Add a flag`, if nearly all items are such.
    return isNamed ? null : { ...as('shaped'), shape: `${ITEM_SHAPE}${mark}` }
  }
  const isApart =
    isEmpty(above) ||
    above?.kind === 'rule' ||
    above?.kind === 'heading' ||
    mark.length > 1 ||
    NUMBERED.test(above?.text ?? '') ||
    ((above?.indent ?? 0) > 0 && !isNamed)
  if (/^\[v?\d+(?:\.\d+){2,}\](?:[ \t]|$)/i.test(written)) return as('certain')
  const isLead =
    isEmpty(next) ||
    isBelow(next) ||
    next?.kind === 'rule' ||
    date !== null ||
    mark !== '' ||
    onlyDate(next?.text ?? '') !== null
  if (isAlone && !isNamed && mayContinue(above, date !== null)) return null
  if (isAlone && !isNamed)
    return isApart || date !== null || isBelow(next) || /:\s*$/.test(visible) ? as('certain') : null
  if (isAlone && SAYS_CHANGES.test(visible))
    return isApart || isEmpty(next) || isBelow(next) ? as('certain') : null
  if (isAlone) return isApart && isLead && !mayContinue(above, date !== null) ? as('certain') : null
  if (!isApart) return null
  if (label.date !== null || (isTitled && (!isNamed || SAYS_CHANGES.test(visible))))
    return as(date === null ? 'likely' : 'certain')
  const isAmongLines = NUMBERED.test(above?.text ?? '') || NUMBERED.test(next?.text ?? '')
  const isSentence = !isAmongLines && (/^ \p{Ll}/u.test(behind) || /[.,]$/.test(visible))
  return !isNamed && label.kind === 'version' && !isSentence ? as('likely') : null
}

/** Whether a line may end the sentence of the one above. */
const mayContinue = (above: Line | undefined, isDated: boolean): boolean =>
  !isDated && above?.kind === 'text' && above.text.length > 40 && /[\p{L}\d,]$/u.test(above.text)

const NUMBER =
  /(?<![\w.])(?:[A-Za-z][\w+-]{0,40}-)?v?\.?[ ]?(\d+(?:\.\d+)+(?:[-._]?(?:[a-z]|(?:alpha|beta|gamma|delta|epsilon|rc|pre|dev)[-.]?\d{0,4}|[a-z]{1,6}\d{1,4})|-\d+)?)(?![\w%]|\.\w|\/)/i
const ABOUT = new RegExp(
  `\\b(?:${anyOf(ABOUT_A_VERSION)}|requires?|needs?|in|than|use[sd]?|updat\\w*|add(?:s|ed)?|fix(?:es|ed)?)\\b`,
  'i',
)
const ONLY_PUNCTUATION =
  /^(?:, (?:alpha|beta)\b)?[^\p{L}\p{N}]*(?:(?:is )?(?:released?|out)(?: (?:to|on|at) .{1,40})?|now)?[^\p{L}\p{N}]*$/iu
const SEPARATED = /^(?:\)?[ \t]*[:,、，(=–—-]|\t|[ ]{2})/

/** What lines have in common: how far they are indented, a mark, and words. */
const shapeOf = (indent: number, mark: string, front: string): string =>
  [indent > 1 ? indent : '', mark.trim().replace(/(.)\1+/g, '$1$1'), front].join('|')

/** `2026-01-02  Released Foo 1.2.0`: an entry by date that ends with a number. */
function numberAtEnd(text: string, written: string): Partial<Candidate> {
  const from = findDate(text)?.end ?? 0
  const match = NUMBER.exec(text.slice(from))
  const end = from + (match?.index ?? 0)
  const [before, behind] = [text.slice(from, end), text.slice(end + (match?.[0].length ?? 0))]
  if (
    match === null ||
    !ONLY_PUNCTUATION.test(behind) ||
    before.split(/\s+/).length > 10 ||
    !/\p{L}/u.test(before)
  )
    return {}
  return {
    number: match[1] ?? '',
    text: `${match[1]} - ${written}`,
    evidence: 'shaped',
    isNamed: true,
    shape: '@',
  }
}

/** A line at the margin with a number behind a few words or marks. */
function shapedAt(line: Line, at: number): Candidate | null {
  if (line.kind !== 'text' || line.indent > 1 || !/\d\.\d/.test(line.text)) return null
  const visible = visibleOf(line.text)
  const mark = /^(?:[^\p{L}\p{N}\s([<]+[ \t]*)?/u.exec(visible)?.[0] ?? ''
  const text = visible.slice(mark.length)
  const match = NUMBER.exec(text)
  if (match === null) return null
  const before = text.slice(0, match.index)
  const range = RANGE.exec(text.slice(match.index + match[0].length))?.[0] ?? ''
  const later = range === '' ? null : NUMBER.exec(text.slice(match.index + match[0].length + range.length))
  const last = later?.index === 0 ? later : match
  const end = match.index + match[0].length + (last === match ? 0 : range.length + last[0].length)
  const behind = text.slice(end)
  const isAlone = ONLY_PUNCTUATION.test(behind) || dateBesideLabel(text, end) !== null
  const words = before.split(/\s+/).filter((word) => word !== '')
  if (words.length > 4 || ABOUT.test(before)) return null
  // `Version 1.2 adds a flag`
  if (!isAlone && /^ \p{Ll}/u.test(behind)) return null
  if (!isAlone && !SEPARATED.test(behind) && words.length === 0 && mark.length < 3) return null
  const number = last[1] ?? ''
  if (AMOUNT.test(behind) || /^\d\d\.\d\d\.\d{4}$/.test(number)) return null
  const whole = line.text.startsWith(mark) ? line.text.slice(mark.length) : text
  const kept = whole.replace(/[ \t]*[-=*#<>]{2,}$/, '').trimEnd()
  const isLabelled = plainLabel(kept)?.text.replace(/^v\.?/i, '') === number
  return candidate(at, 'line', isLabelled ? kept : `${number} - ${kept}`, {
    number,
    isDated: findDate(text) !== null,
    isNamed: words.length > 0,
    shape: shapeOf(0, mark, frontOf(before)),
  })
}
