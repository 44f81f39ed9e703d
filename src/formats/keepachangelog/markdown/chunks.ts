import { width } from './lines.ts'

/**
 * A part of a text that is parsed by itself: whole blocks of the outermost level, or one item of a list there. Items
 * that follow each other become one list again. Lines alone show where a chunk ends, except for `other`.
 */
export interface Chunk {
  kind: 'heading' | 'underlined' | 'rule' | 'definition' | 'paragraph' | 'item' | 'verbatim' | 'other'
  /** The beginning of its first line. */
  start: number
  /** The end of its last line. */
  end: number
  /** The number of its first line. */
  line: number
  /** The text of an underlined heading, or the paragraph or comment with which an item begins; empty if unknown. */
  textStart: number
  textEnd: number
}

/** The first chunk from an offset on at which no block is open. Null when only empty lines are left. */
export function nextChunk(text: string, from: number, line: number): Chunk | null {
  const start = skipBlankLines(text, from)
  if (start === text.length) return null
  const chunk = (kind: Chunk['kind'], end: number, textStart = start, textEnd = start): Chunk => ({
    ...{ kind, start, end, textStart, textEnd },
    line: line + linesBetween(text, from, start),
  })
  if (at(HEADING, text, start)) return chunk('heading', lineEnd(text, start))
  if (at(RULE, text, start)) return chunk('rule', lineEnd(text, start))
  if (at(ITEM, text, start)) {
    const textStart = ITEM.lastIndex
    const item = itemAt(text, start, textStart)
    return item === null
      ? chunk('other', nextCut(text, start))
      : chunk('item', item.end, textStart, item.textEnd)
  }
  if (isDefinition(text, start)) return chunk('definition', lineEnd(text, start))
  const paragraph = at(FIRST_LINE, text, start) ? paragraphAt(text, start) : null
  if (paragraph?.isClosed) return chunk('paragraph', paragraph.end)
  if (paragraph !== null && at(UNDERLINE, text, paragraph.end + 1))
    return chunk('underlined', lineEnd(text, paragraph.end + 1), start, paragraph.end)
  const end = verbatimEnd(text, start)
  return end === null ? chunk('other', nextCut(text, start)) : chunk('verbatim', end)
}

/** Where a chunk ends that goes on to the next empty line. */
export function endAtBlankLine(text: string, from: number): number {
  BLANK_LINE.lastIndex = from
  return BLANK_LINE.exec(text)?.index ?? text.length
}

export function linesBetween(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** How a line begins that is not text. What is in brackets may be the label of a definition. */
const NO_TEXT = [
  '[ \\t\\n<>+-]',
  '(?:#{1,6}|\\*|\\d{1,9}[.)])(?:[ \\t\\n]|$)',
  '`{3}|~{3}',
  '(?:(?:\\*[ \\t]*){3,}|(?:_[ \\t]*){3,})(?:\\n|$)',
  '\\[(?:[^[\\]\\\\\\n]|\\\\[^\\n])*(?:\\]:|\\n|$)',
].join('|')
const FIRST_LINE = new RegExp(`(?!${NO_TEXT})[^]`, 'y')
/** Nor does it make a heading or a table of the lines above it. */
const FURTHER_LINE = new RegExp(`[ \\t]*(?!${NO_TEXT}|[|:=])[^]`, 'y')
/** Makes a heading of the paragraph above it. */
const UNDERLINE = /(?:=+|-+)[ \t]*(?:\n|$)/y
const HEADING = /#{1,6}(?:[ \t]|\n|$)/y
const RULE = / {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})(?:\n|$)/y
/** With up to four spaces before its text. Behind more, its text is code that begins after the first space. */
const ITEM = / {0,3}(?:[-*+]|\d{1,9}[.)])(?: {1,4}(?=[^ \t\n])| (?= {4})|[ ]?(?=[ \t]*(?:\n|$)))/y
const BULLET = / {0,3}[-*+] +[^ \t\n]/y
const OUTERMOST_BULLET = /[-*+] +[^ \t\n]/y
const NESTED_BULLET = / *[-*+] +[^ \t\n]/y
const NUMBERED = /\d{1,9}[.)] +[^ \t\n]/y
const BLANKS = /[ \t]*/y
const BLANK_LINE = /\n(?=[ \t]*(?:\n|$))/g
const FENCE = / {0,3}(?:(`{3,})(?=[^`\n]*(?:\n|$))|(~{3,}))/y
const HTML = / {0,3}<(?:(!--)|(\?)|(!\[CDATA\[)|(![a-z])|((?:script|pre|style|textarea)(?=[\s>]|$)))/iy
/** In a line of its own. */
const COMMENT = /<!--(?:(?!-->)[^\n])*-->[ \t]*(?=\n|$)/y
const HTML_ENDS = [/-->/g, /\?>/g, /\]\]>/g, />/g, /<\/(?:script|pre|style|textarea)>/gi]
const AMPERSAND = '&(?!#?\\w+;)'
/** A definition in one line, without escapes and entities. */
export const DEFINITION = new RegExp(
  [
    `\\[((?!\\^)[^\\s[\\]\\\\&](?:[^[\\]\\\\&\\n]{0,900}[^\\s[\\]\\\\&])?)\\]: *`,
    `(?:<((?:[^<>\\\\&\\n]|${AMPERSAND})*)>|((?!<)(?:[^\\s<>()\\\\&]|${AMPERSAND}|\\([^\\s<>()\\\\&]*\\))+))`,
    `(?: +"((?:[^"\\\\&\\n]|${AMPERSAND})*)")?(?=[ \\t]*(?:\\n|$))`,
  ].join(''),
  'y',
)

function at(pattern: RegExp, text: string, offset: number): boolean {
  pattern.lastIndex = offset
  return pattern.test(text)
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Where the blanks at the beginning of a line end. */
function skipBlanks(text: string, lineStart: number): number {
  if (lineStart >= text.length) return text.length
  BLANKS.lastIndex = lineStart
  BLANKS.test(text)
  return BLANKS.lastIndex
}

function isBlankAt(text: string, lineStart: number): boolean {
  const end = skipBlanks(text, lineStart)
  return end >= text.length || text[end] === '\n'
}

function skipBlankLines(text: string, from: number): number {
  let start = from
  while (start < text.length && isBlankAt(text, start))
    start = Math.min(lineEnd(text, start) + 1, text.length)
  return start
}

/** Whether a definition is here, and the next line is neither its title nor text that would be parsed differently. */
function isDefinition(text: string, start: number): boolean {
  if (!at(DEFINITION, text, start)) return false
  const next = lineEnd(text, start) + 1
  return isBlankAt(text, next) || at(HEADING, text, next) || at(DEFINITION, text, next)
}

/**
 * The end of a paragraph. It is closed if the line below it certainly begins another block. `column` is where the text
 * of its item begins, if it is in one.
 */
function paragraphAt(text: string, start: number, column?: number): { end: number; isClosed: boolean } {
  for (let end = lineEnd(text, start); ; end = lineEnd(text, end + 1)) {
    const next = end + 1
    if (isBlankAt(text, next) || at(HEADING, text, next) || at(BULLET, text, next))
      return { end, isClosed: true }
    if (at(FURTHER_LINE, text, next)) continue
    if (column === undefined) return { end, isClosed: false }
    const indentation = indentationAt(text, next)
    const isNested = indentation >= column && indentation < column + 4 && at(NESTED_BULLET, text, next)
    return { end, isClosed: isNested || at(NUMBERED, text, next) }
  }
}

/** An item ends above a line that is indented less than its text. Null where that line may continue a paragraph. */
function itemAt(text: string, start: number, textStart: number): { end: number; textEnd: number } | null {
  // a marker without text counts as if a space followed it
  const column = textStart - start + (text[textStart - 1] === ' ' ? 0 : 1)
  const textEnd = endOfItemText(text, textStart, column)
  let end = Math.max(textEnd, lineEnd(text, start))
  const isEmpty = isBlankAt(text, textStart) && isBlankAt(text, end + 1)
  let isBelowBlank = false
  for (let next = end + 1; next < text.length && !isEmpty; next = lineEnd(text, next) + 1) {
    if (isBlankAt(text, next)) isBelowBlank = true
    else if (indentationAt(text, next) >= column) {
      isBelowBlank = false
      end = lineEnd(text, next)
    } else if ([HEADING, BULLET, NUMBERED].some((pattern) => at(pattern, text, next))) break
    else if (!isBelowBlank || skipBlanks(text, next) > next) return null
    else break
  }
  return { end, textEnd }
}

/** Where the paragraph or comment ends with which an item begins. Its start, if it may be something else. */
function endOfItemText(text: string, start: number, column: number): number {
  if (at(COMMENT, text, start)) return COMMENT.lastIndex
  const paragraph = at(FIRST_LINE, text, start) ? paragraphAt(text, start, column) : null
  return paragraph?.isClosed ? paragraph.end : start
}

function indentationAt(text: string, lineStart: number): number {
  return width(text.slice(lineStart, skipBlanks(text, lineStart)))
}

/** Where fenced code ends, or HTML that ends with a mark and not with an empty line. Null for anything else. */
function verbatimEnd(text: string, start: number): number | null {
  FENCE.lastIndex = start
  const fence = FENCE.exec(text)
  if (fence !== null) {
    const mark = fence[1] ?? fence[2] ?? ''
    const close = new RegExp(`^ {0,3}${mark.charAt(0)}{${mark.length},}[ \\t]*$`, 'gm')
    close.lastIndex = lineEnd(text, start) + 1
    return close.lastIndex <= text.length && close.test(text) ? close.lastIndex : text.length
  }
  HTML.lastIndex = start
  const html = HTML.exec(text)
  if (html === null) return null
  const end = HTML_ENDS[html.slice(1).findIndex((group) => group !== undefined)] as RegExp
  end.lastIndex = start + html[0].indexOf('<') + 1
  return end.test(text) ? lineEnd(text, end.lastIndex) : text.length
}

/** The end above the next line that certainly begins a block, unless code or HTML is open there. */
function nextCut(text: string, start: number): number {
  let isBelowBlank = false
  let end = lineEnd(text, start)
  for (let next = end + 1; next < text.length; next = lineEnd(text, next) + 1) {
    if (isBlankAt(text, next)) isBelowBlank = true
    else {
      if (isBelowBlank && skipBlanks(text, next) === next) break
      if (at(HEADING, text, next) || at(OUTERMOST_BULLET, text, next)) break
      isBelowBlank = false
      end = lineEnd(text, next)
    }
  }
  return end
}
