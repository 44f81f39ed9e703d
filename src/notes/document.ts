import { NOTE_LABEL } from '../domain/text/footnotes.ts'
import { isDetails, joinDetails } from '../formats/keepachangelog/details.ts'
import { normalise } from '../formats/keepachangelog/markdown/lines.ts'
import { type Block, isList } from '../formats/keepachangelog/markdown/nodes.ts'
import { MarkdownDocument, MarkdownSource } from '../formats/keepachangelog/markdown/source.ts'
import { type Section, SectionPath, splitIntoSections } from '../formats/keepachangelog/sections.ts'
import { splitAfterword } from '../formats/keepachangelog/versions/afterword.ts'
import { isFileTitle, KNOWN_TYPES } from '../formats/keepachangelog/vocabulary.ts'

/**
 * Whether the text of a version is more a document than a list: its changes alone would tear it. A text above the first list
 * or heading, a few words below the last list, and a sentence below the name of a kind still make a list.
 */
export function isDocument(markdown: string): boolean {
  if (FOOTNOTE.test(markdown)) return true
  const source = new MarkdownSource(new MarkdownDocument(normalise(markdown)))
  const { kept } = splitAfterword(joinDetails(source.nodes, source), source, true)
  const { sections } = splitIntoSections(kept, source)
  const path = new SectionPath()
  const all: Measured = { isTold: false, prose: 0, listed: 0, items: 0 }
  let named = 0
  for (const [at, section] of sections.entries()) {
    path.enter(section)
    const part = measure(section, at === sections.length - 1, source)
    all.isTold ||= part.isTold
    all.prose += part.prose
    all.listed += part.listed
    all.items += part.items
    // In a list, each of these would have the names of its headings in front of it.
    if (path.otherNames.length > 0) named += part.items
  }
  return (
    all.isTold ||
    (named >= MANY && named * 3 > all.items) ||
    (all.prose > SENTENCE && all.prose * 3 > all.listed)
  )
}

const FOOTNOTE = new RegExp(`^ {0,3}\\[\\^${NOTE_LABEL}\\]:`, 'm')
const TASK = /^(?:[-+*]|\d{1,9}[.)])\s+\[[ xX]\]\s/
const PICTURE = /!\[|<(?:img|picture|video)\b/i

/** Items that a heading would be repeated for, and characters. */
const MANY = 3
const SENTENCE = 80
const PARAGRAPH = 300

interface Measured {
  /** Whether it has what no list has. */
  isTold: boolean
  /** Characters of text beside lists, and of lists. */
  prose: number
  listed: number
  items: number
}

function measure({ heading, nodes }: Section, isLast: boolean, source: MarkdownSource): Measured {
  const measured: Measured = { isTold: false, prose: 0, listed: 0, items: 0 }
  const [first, last] = [nodes.findIndex(isList), nodes.findLastIndex(isList)]
  const isKind = KNOWN_TYPES.has(heading?.type ?? '')
  for (const [at, node] of nodes.entries()) {
    const length = node.end - node.start
    if (isList(node)) {
      measured.listed += length
      measured.items += node.children.length
      measured.isTold ||= node.children.some(({ start }) => TASK.test(source.text.slice(start, start + 20)))
      continue
    }
    const isIntroduction = heading === null ? first === -1 || at < first : isFileTitle(heading.text)
    // Code below an item is a part of it.
    if (isIntroduction || isDetails(node) || (first !== -1 && node.type === 'code')) continue
    // A change in a sentence, or a few words at the end.
    const mayBeShort = first === -1 ? isKind : isLast && at > last
    const isOwnSection = first === -1 && !isKind && node.type === 'paragraph' && length > SENTENCE
    measured.isTold ||= isOwnSection || isShown(node, source)
    if (!mayBeShort || length > PARAGRAPH) measured.prose += length
  }
  return measured
}

/** Whether a block is more than words. */
function isShown(node: Block, source: MarkdownSource): boolean {
  const text = source.text.slice(node.start, node.end)
  if (node.type === 'code') return false
  return (
    node.type === 'table' || (node.type === 'blockquote' && text.length > SENTENCE) || PICTURE.test(text)
  )
}
