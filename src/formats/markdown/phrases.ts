import type { SyntaxNode } from '@lezer/common'
import { parser } from '@lezer/markdown'
import { identifier } from './labels.ts'
import { isNode, Node } from './nodes.ts'

/** Parses a text as one paragraph, whatever it looks like. */
const phraseParser = parser.configure({
  remove: [
    ...['LinkReference', 'IndentedCode', 'FencedCode', 'Blockquote', 'HorizontalRule'],
    ...['BulletList', 'OrderedList', 'ATXHeading', 'HTMLBlock', 'SetextHeading'],
  ],
})

const MARKUP = /[\\`*_<&[]|[ ]{2}\n/
/** Up to this many marks, and without a long run of blanks, parsing time is proportional to the text. */
const MAX_MARKS = 2000

/** The phrases of a text between two offsets; one phrase if they would take long. */
export function phrasesIn(text: string, start: number, end: number, labels: ReadonlySet<string>): Node[] {
  if (start >= end) return []
  // Quote marks become blanks.
  const source = text.slice(start, end).replace(/\n[ \t>]+/g, (marks) => marks.replaceAll('>', ' '))
  const at = (name: string, from: number, to: number, children?: Node[]) =>
    new Node(name, text, start + from, start + to, children && (() => children))
  const hasMany = () => / {300}/.test(source) || (source.match(/[*_[\]`<]/g)?.length ?? 0) > MAX_MARKS
  if (!MARKUP.test(source) || hasMany()) return [at('Text', 0, source.length)]

  /** The phrases between two positions: those of child nodes, and the text around them. */
  const within = (parent: SyntaxNode, from: number, to: number): Node[] => {
    const found: Node[] = []
    let done = from
    for (let node = parent.childAfter(from); node !== null && node.to <= to; node = node.nextSibling) {
      if (node.from < done || !isNode(node.name)) continue
      if (done < node.from) found.push(at('Text', done, node.from))
      for (const phrase of phrasesAt(node)) found.push(phrase)
      done = node.to
    }
    if (done < to) found.push(at('Text', done, to))
    return found
  }

  const phrasesAt = (node: SyntaxNode): Node[] => {
    const { name, from, to, firstChild } = node
    const isLink = name === 'Link' || name === 'Image'
    const closing = isLink ? node.getChildren('LinkMark')[1] : node.lastChild
    if (firstChild === null || !closing || name === 'InlineCode') return [at(name, from, to)]
    const children = name === 'Image' ? [] : within(node, firstChild.to, closing.from)
    const phrase = at(name, from, to, children)
    if (!isLink || source[closing.to] === '(') return [phrase]

    const label = source.slice(closing.to + 1, to - 1) || source.slice(firstChild.to, closing.from)
    phrase.reference = { identifier: identifier(label), start: start + closing.to }
    if (labels.has(phrase.reference.identifier)) return [phrase]
    return [at('Text', from, firstChild.to), ...children, at('Text', closing.from, to)]
  }

  const root = phraseParser.parse(source).topNode
  return within(root.firstChild ?? root, 0, source.length)
}
