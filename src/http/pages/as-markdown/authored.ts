import { printable } from '../../../domain/text/controls.ts'
import { normalise, trimBlankLines } from '../../../formats/keepachangelog/markdown/lines.ts'
import { cutAtLine } from '../markdown/bounds.ts'

/** Texts of authors as parts of a document: they keep to their place in it, and have nothing that a page would not show. */

/** Inline markdown: the title of a release or change. */
export const authoredLine = (source: string): string =>
  withoutComments(printable(source).replace(/\s+/g, ' '), false).line.trim()

/** `isCut` if it is only the beginning. */
export interface Authored {
  text: string
  isCut: boolean
}

/** Block markdown of at most so many characters, whose topmost headings become headings of this level. */
export function authoredBlocks(source: string, level: number, length: number): Authored {
  // One character more shows that the text is longer.
  const given = normalise(printable(source.slice(0, length + 1)))
  const part = cutAtLine(given, length)
  const isCut = part.length < given.length
  const text = trimBlankLines(inDocument(trimBlankLines(part), level))
  return { text: isCut ? `${text}\n\n…` : text, isCut }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** A line of a paragraph that can be a heading if the next one underlines it. */
const PARAGRAPH = /^ {0,3}(?!\d{1,9}[.)][ \t])[^\s>#*+<|`~-]/

/**
 * Without comments, which pages leave out, except in code; with headings as lines that begin with `#`. A fence that is
 * left open is closed: what follows is not code.
 */
function inDocument(text: string, level: number): string {
  const lines: string[] = []
  const headings: { at: number; depth: number; words: string }[] = []
  let fence: string | null = null
  let isInComment = false
  for (const given of text.split('\n')) {
    if (fence !== null) {
      lines.push(given)
      const marker = FENCE.exec(given)?.[1]
      if (marker?.startsWith(fence) && given.trim() === marker) fence = null
      continue
    }
    const { line, isOpen } = withoutComments(given, isInComment)
    isInComment = isOpen
    fence = FENCE.exec(line)?.[1] ?? null
    const depth = HEADING.exec(line)?.[1]?.length
    const above = lines.at(-1) ?? ''
    if (depth) headings.push({ at: lines.length, depth, words: line.replace(HEADING, '') })
    const isUnderline = UNDERLINE.test(line) && PARAGRAPH.test(above)
    if (isUnderline)
      headings.push({ at: lines.length - 1, depth: line.includes('=') ? 1 : 2, words: ` ${above.trim()}` })
    lines.push(isUnderline ? '' : line)
  }
  let top = 6
  for (const { depth } of headings) top = Math.min(top, depth)
  for (const { at, depth, words } of headings)
    lines[at] = '#'.repeat(Math.min(6, level + depth - top)) + words
  if (fence !== null) lines.push(fence)
  return lines.join('\n')
}

/** A line; `isOpen` if a comment goes on in the next one. Code that goes on there is taken for text. */
function withoutComments(line: string, isInComment: boolean): { line: string; isOpen: boolean } {
  if (!isInComment && !line.includes('<!--')) return { line, isOpen: false }
  const kept: string[] = []
  let start = isInComment ? endOfComment(line, 0) : 0
  const marks = [...line.matchAll(/`+|<!--/g)]
  for (let at = 0; at < marks.length; at++) {
    const { 0: mark, index } = marks[at] as RegExpExecArray
    if (index < start) continue
    if (mark === '<!--') {
      kept.push(line.slice(start, index))
      start = endOfComment(line, index)
    } else {
      const closing = marks.findIndex((each, other) => other > at && each[0] === mark)
      if (closing > 0) at = closing
    }
  }
  const isOpen = start > line.length
  return { line: (kept.join('') + line.slice(start)).trimEnd(), isOpen }
}

/** Past the end of the line if the comment goes on. */
function endOfComment(line: string, start: number): number {
  const end = line.indexOf('-->', start)
  return end < 0 ? line.length + 1 : end + '-->'.length
}
