import { printable } from '../domain/text/controls.ts'
import { cutAtLine } from '../domain/text/cut.ts'
import { normalise, trimBlankLines } from '../formats/markdown/lines.ts'
import { parser } from './code.ts'
import { showNotes } from './footnotes.ts'
import { isLong, type Written } from './writing.ts'

/** Texts of authors as parts of a document: whatever they contain, the text below is not changed. */

/** Inline markdown as it is shown, without comments: the title of a release or change. */
export const authoredLine = (source: string): string =>
  lineInPlace(printable(source).replace(/\s+/g, ' '), false).trim()

/**
 * Block markdown as it is shown, of at most so many characters: without comments, and its topmost headings become headings
 * of this level.
 */
export function authoredBlocks(source: string, level: number, length: number): Written {
  // One character more shows that the text is longer.
  const given = normalise(printable(source.slice(0, length + 1)))
  const part = cutAtLine(given, length)
  const isCut = part.length < given.length
  const text = trimBlankLines(blocksInPlace(trimBlankLines(part), level))
  return { text: isCut ? `${text}\n\n…` : text, isCut }
}

/** Inline markdown as it is written, which leaves nothing open. */
export const wholeLine = (source: string): string => lineInPlace(source, true)

/** Block markdown as it is written, which leaves nothing open and defines nothing. A very long one stays as it is. */
export const wholeBlocks = (source: string): string =>
  isLong(source) ? showNotes(source) : blocksInPlace(normalise(source), null)

const lineInPlace = (text: string, keepsComments: boolean): string =>
  showNotes(text.includes('<') ? parser().lineInPlace(text, keepsComments) : text)

/** HTML, a definition, a heading or a fence: what may be more than itself. */
const MAY_REACH_OUT = /<|\]:|^ {0,3}(?:#|`{3}|~{3}|=+[ \t]*$|-+[ \t]*$)/m

const blocksInPlace = (text: string, level: number | null): string =>
  showNotes(MAY_REACH_OUT.test(text) ? parser().blocksInPlace(text, level) : text)
