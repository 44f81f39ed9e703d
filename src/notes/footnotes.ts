import { NOTE_LABEL } from '../domain/text/footnotes.ts'
import type { Node } from '../formats/keepachangelog/markdown/nodes.ts'
import { MarkdownDocument } from '../formats/keepachangelog/markdown/source.ts'
import { type Edit, edited } from './edits.ts'

/** Footnotes of a text that is a part of a document, in which each label counts for all of it. */

const NOTE = new RegExp(`^ {0,3}\\[\\^(?<defined>${NOTE_LABEL})\\]:|\\[\\^(?<used>${NOTE_LABEL})\\]`, 'gm')

/** Stand for the brackets of a footnote until it is written: no parser takes them for those of a link. */
const [OPEN, CLOSE] = ['\uE000', '\uE001']

/** The text with its footnotes hidden, whose labels have one more word. A definition that nothing refers to is text. */
export function hideNotes(text: string): string {
  const notes = [...edited(text, codeIn([...new MarkdownDocument(text).blocks()])).matchAll(NOTE)]
  const used = new Set(notes.map(({ groups }) => groups?.used))
  const definitions = new Map<string | undefined, number>()
  for (const { index, groups: { defined } = {} } of notes)
    if (used.has(defined) && !definitions.has(defined)) definitions.set(defined, index)
  const word = Bun.hash(text).toString(36).slice(0, 6)
  const edits = notes.flatMap(({ index: start, 0: found, groups }) => {
    const definition = definitions.get(groups?.defined ?? groups?.used)
    const edit = (text: string): Edit => ({ start, end: start + found.length, text })
    if (groups?.defined && definition !== start) return edit(found.replace('[', '\\['))
    const own = found.replace('[^', OPEN).replace(']', `-${word}${CLOSE}`)
    return definition === undefined ? [] : edit(own)
  })
  return edited(text, edits)
}

export const showNotes = (text: string): string => text.replaceAll(OPEN, '[^').replaceAll(CLOSE, ']')

/** Puts blanks in the place of code, which has no footnotes. */
const codeIn = (nodes: readonly Node[]): Edit[] =>
  nodes.flatMap((node) => {
    const { type, start, end } = node
    if (type === 'code' || type === 'inlineCode') return { start, end, text: ' '.repeat(end - start) }
    return 'children' in node ? codeIn(node.children) : []
  })
