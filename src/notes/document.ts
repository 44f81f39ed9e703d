import { NOTE_LABEL } from '../domain/text/footnotes.ts'
import { isDetails, joinDetails } from '../formats/changelog/details.ts'
import { type Section, SectionPath, splitIntoSections } from '../formats/changelog/sections.ts'
import { splitAfterword } from '../formats/changelog/versions/afterword.ts'
import { isFileTitle, KNOWN_TYPES } from '../formats/changelog/vocabulary.ts'
import { normalise } from '../formats/markdown/lines.ts'
import { isList, type Node } from '../formats/markdown/nodes.ts'
import { MarkdownDocument, MarkdownSource } from '../formats/markdown/source.ts'

/**
 * True if the text of a version is more a document than a list: its changes alone would tear it. A text above the first list
 * or heading, a few words below the last list, and a sentence below the name of a kind still make a list.
 */
export function isDocument(markdown: string): boolean {
  if (FOOTNOTE.test(markdown)) return true
  const source = new MarkdownSource(new MarkdownDocument(normalise(markdown)))
  const { kept } = splitAfterword(joinDetails(source.nodes, source), source, true)
  const { sections } = splitIntoSections(kept, source)
  const path = new SectionPath()
  let [prose, listed, items, named] = [0, 0, 0, 0]
  for (const [at, section] of sections.entries()) {
    path.enter(section)
    for (const { children, start, end } of section.nodes.filter(isList)) {
      if (children.some((item) => TASK.test(source.text.slice(item.start, item.start + 20)))) return true
      listed += end - start
      items += children.length
      // In a list, each of these would have the names of its headings in front of it.
      if (path.otherNames.length > 0) named += children.length
    }
    const texts = textsBeside(section, at === sections.length - 1, source)
    if (texts.some((text) => isShown(text, source))) return true
    prose += texts.reduce((sum, { start, end }) => sum + end - start, 0)
    const isTold = !section.nodes.some(isList) && !isKind(section)
    if (isTold && texts.some(({ type, start, end }) => type === 'paragraph' && end - start > SENTENCE))
      return true
  }
  return (named > 2 && named * 3 > items) || (prose > SENTENCE && prose * 3 > listed)
}

const FOOTNOTE = new RegExp(`^ {0,3}\\[\\^${NOTE_LABEL}\\]:`, 'm')
const TASK = /^(?:[-+*]|\d{1,9}[.)])\s+\[[ xX]\]\s/
const PICTURE = /!\[|<(?:img|picture|video)\b/i

/** In characters. */
const SENTENCE = 80
const PARAGRAPH = 300

const isKind = ({ heading }: Section): boolean => KNOWN_TYPES.has(heading?.type ?? '')

/** Texts beside lists. The introduction, code below an item, and a few words at the end are a part of one. */
function textsBeside(section: Section, isLast: boolean, source: MarkdownSource): Node[] {
  const { heading, nodes } = section
  const [first, last] = [nodes.findIndex(isList), nodes.findLastIndex(isList)]
  if (heading === null ? first === -1 : isFileTitle(heading.text)) return []
  return nodes.filter((node, at) => {
    if (isList(node) || isDetails(node) || (first !== -1 && node.type === 'code')) return false
    if (heading === null && at < first) return false
    const mayBeShort = first === -1 ? isKind(section) : isLast && at > last
    return !mayBeShort || node.end - node.start > PARAGRAPH || isShown(node, source)
  })
}

/** True if a block is more than words. */
const isShown = ({ type, start, end }: Node, { text }: MarkdownSource): boolean =>
  type === 'table' ||
  (type === 'blockquote' && end - start > SENTENCE) ||
  (type !== 'code' && PICTURE.test(text.slice(start, end)))
