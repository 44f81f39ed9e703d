import { width } from './lines.ts'

/**
 * What is not given to the parser, whose time grows faster than the depth of a text, the lines of a block and the marks
 * in a paragraph. The bounds are far beyond what people write.
 */

/** Lists and quotes inside each other. */
const MAX_DEPTH = 32
/** Lines of one item, quote, table or paragraph. */
const MAX_LINES = 2000
/** Marks of emphasis and the like in one paragraph. */
const MAX_MARKS = 300
/** So many are harmless, even if there is little else. */
const FEW_MARKS = 48
/** Brackets and tags in one paragraph, which cost less. */
const MAX_BRACKETS = 2000

/** What is beyond a bound, for the author, and the line in which it is, counted from 0. */
export interface Excess {
  line: number
  message: string
}

/**
 * The work of the parser that one reading of a text may cost. Its time per character varies a thousandfold, and a text of
 * nothing but short blocks full of marks would take minutes. The work is estimated from the text alone, so that a file
 * is always read in the same way. The dearest of hundreds of real changelogs needs half of it, most a twentieth.
 */
export class ParserBudget {
  #left: number
  #isReported = false

  constructor(length: number) {
    this.#left = BASE_WORK + length * WORK_PER_CHARACTER
  }

  /** Why a part must not be given to the parser. Null if it may be; then its work is spent. */
  spend(part: string): Excess | null {
    const excess = excessIn(part)
    if (excess !== null) return excess
    this.#left -= workOf(part)
    return this.#left < 0 ? EXHAUSTED : null
  }

  /** Whether the author is to be warned. That the budget is spent is true of all the rest, and said once. */
  isNews(excess: Excess): boolean {
    if (excess !== EXHAUSTED) return true
    const isFirst = !this.#isReported
    this.#isReported = true
    return isFirst
  }
}

const EXHAUSTED: Excess = {
  line: 0,
  message: 'too much markup to parse: from here on, whatever is not plain is kept as text',
}

/** In microseconds on an ordinary machine. */
const BASE_WORK = 500_000
const WORK_PER_CHARACTER = 0.75
const WORK_PER_CALL = 80
const WORK_PER_LINE = 30
const WORK_PER_MARK = 10

/** About how long the parser takes. */
function workOf(text: string): number {
  let work = WORK_PER_CALL + text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) work += WORK_PER_LINE
    else if (MARK_CODES.has(code)) work += WORK_PER_MARK
  }
  return work
}

const MARK_CODES = new Set(Array.from('*_`&\\<>[]|', (mark) => mark.charCodeAt(0)))

/** Why a text would take the parser too long by itself. Null if it would not. */
function excessIn(text: string): Excess | null {
  const deepLine = mayBeDeep(text) ? firstDeepLine(text) : null
  if (deepLine !== null)
    return { line: deepLine, message: `nested deeper than ${MAX_DEPTH} levels, kept as text` }
  if (hasManyLines(text)) return { line: 0, message: `a block of more than ${MAX_LINES} lines, kept as text` }
  if (hasManyMarks(text)) return { line: 0, message: 'too many marks in a paragraph, kept as text' }
  return null
}

/** A level takes two columns at least, or a `>`, and a tab is up to four columns wide. */
const DEEP_PREFIX = new RegExp(`^[ \\t>*+\\d.)-]{${MAX_DEPTH / 2}}`, 'm')

/** Whether a line begins with so many blanks and markers that it may be nested too deeply. */
export function mayBeDeep(text: string): boolean {
  return DEEP_PREFIX.test(text)
}

const MARKER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t\n]|$))/gy
const RULE = /^[ \t>]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/

/** The first line with more markers, or below more of them, than the limit. What looks like one may be code. */
function firstDeepLine(text: string): number | null {
  /** The columns of the markers of lists that the line may be nested in. */
  const open: number[] = []
  for (const [number, line] of text.split('\n').entries()) {
    if (RULE.test(line)) continue
    let depth = 0
    for (const { 0: marker, index } of line.matchAll(MARKER)) {
      const column = width(line.slice(0, index + marker.length))
      while ((open.at(-1) ?? -1) >= column) open.pop()
      if (marker.endsWith('>')) depth++
      else open.push(column)
      if (depth + open.length > MAX_DEPTH) return number
    }
  }
  return null
}

function hasManyLines(text: string): boolean {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (++lines > MAX_LINES) return true
  }
  return false
}

const MARKS = /[*_`&\\]+|<(?![a-z/])|((?:[[\]]|<(?=[a-z/]))+)/gi
/** Between two marks: an empty line, or one that begins an item. */
const BLOCK_START = /\n[ \t>]*(?:\n|[-+*][ \t]|\d{1,9}[.)][ \t])/

/** Whether links, emphasis and code would take the parser too long. */
function hasManyMarks(text: string): boolean {
  if (text.length <= FEW_MARKS) return false
  let all = 0
  let marks = 0
  let brackets = 0
  let end = 0
  for (const { 0: found, 1: bracket, index } of text.matchAll(MARKS)) {
    if (BLOCK_START.test(text.slice(end, index))) marks = brackets = 0
    end = index + found.length
    if (bracket !== undefined) brackets += found.length
    else {
      marks += found.length
      all += found.length
    }
    if (marks > MAX_MARKS || brackets > MAX_BRACKETS) return true
  }
  return all > FEW_MARKS && all * 3 > text.replace(/\s+/g, '').length
}
