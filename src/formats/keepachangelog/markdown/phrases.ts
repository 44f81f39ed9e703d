import type { SyntaxNode } from '@lezer/common'
import { parser } from '@lezer/markdown'
import { decodeString } from 'micromark-util-decode-string'
import { identifier } from './labels.ts'
import type { Phrase } from './nodes.ts'

/** Parses a text as one paragraph, whatever it looks like. */
const phraseParser = parser.configure({
  remove: [
    ...['LinkReference', 'IndentedCode', 'FencedCode', 'Blockquote', 'HorizontalRule'],
    ...['BulletList', 'OrderedList', 'ATXHeading', 'HTMLBlock', 'SetextHeading'],
  ],
})

const MARKUP = /[\\`*_<&[]|[ ]{2}\n/
/** Up to this many marks, parsing time is proportional to the text. */
const MAX_MARKS = 2000

/** The phrases of a text at the offset `start`; with too many marks, one phrase. */
export function phrasesIn(source: string, start: number, labels: ReadonlySet<string>): Phrase[] {
  if (source === '') return []
  const plain: Phrase[] = [{ type: 'text', value: source, start, end: start + source.length }]
  if (!MARKUP.test(source) || (source.match(/[*_[\]`<]/g)?.length ?? 0) > MAX_MARKS) return plain
  const root = phraseParser.parse(source).topNode
  return new PhraseReader(source, start, labels).children(root.firstChild ?? root, 0, source.length)
}

class PhraseReader {
  readonly #source: string
  readonly #start: number
  readonly #labels: ReadonlySet<string>

  constructor(source: string, start: number, labels: ReadonlySet<string>) {
    this.#source = source
    this.#start = start
    this.#labels = labels
  }

  /** The phrases between two positions: those of child nodes, and the text around them. */
  children(parent: SyntaxNode, from: number, to: number): Phrase[] {
    const phrases: Phrase[] = []
    let at = from
    const addText = (end: number) => {
      if (at < end) phrases.push(this.#leaf('text', at, end))
    }
    for (let node = parent.childAfter(from); node !== null && node.to <= to; node = node.nextSibling) {
      const phrase = node.from < at ? [] : this.#phrase(node)
      if (phrase.length === 0) continue
      addText(node.from)
      for (const one of phrase) phrases.push(one)
      at = node.to
    }
    addText(to)
    return phrases
  }

  /** None for punctuation. */
  #phrase(node: SyntaxNode): Phrase[] {
    const { name, from, to, firstChild, lastChild } = node
    const span = this.#span(from, to)
    switch (name) {
      case 'Escape':
      case 'Entity':
        return [{ type: 'text', value: decodeString(this.#source.slice(from, to)), ...span }]
      case 'InlineCode':
        return [{ type: 'inlineCode', value: this.#code(node), ...span }]
      case 'HTMLTag':
      case 'Comment':
      case 'ProcessingInstruction':
        return [this.#leaf('html', from, to)]
      case 'HardBreak':
        return [this.#leaf('break', from, to)]
      case 'Emphasis':
      case 'StrongEmphasis': {
        const children = this.children(node, firstChild?.to ?? from, lastChild?.from ?? to)
        return [{ type: name === 'Emphasis' ? 'emphasis' : 'strong', children, ...span }]
      }
      case 'Autolink':
        return [{ type: 'link', children: [this.#leaf('text', from + 1, to - 1)], ...span }]
      case 'Link':
      case 'Image':
        return this.#link(node)
    }
    return []
  }

  #link(node: SyntaxNode): Phrase[] {
    const { from, to } = node
    const isImage = node.name === 'Image'
    const [open, close] = node.getChildren('LinkMark')
    const textStart = open?.to ?? from
    const textEnd = close?.from ?? to
    const tail = textEnd + 1
    const children = isImage ? [] : this.children(node, textStart, textEnd)
    const span = this.#span(from, to)
    if (tail < to && this.#source[tail] === '(')
      return [isImage ? this.#leaf('image', from, to) : { type: 'link', children, ...span }]

    const label = this.#source.slice(tail + 1, to - 1)
    const name = identifier(label === '' ? this.#source.slice(textStart, textEnd) : label)
    if (!this.#labels.has(name))
      return isImage
        ? [this.#leaf('text', from, to)]
        : [this.#leaf('text', from, textStart), ...children, this.#leaf('text', textEnd, to)]
    const type = isImage ? 'imageReference' : 'linkReference'
    const reference = { identifier: name, tail: this.#start + tail, isFull: label !== '' }
    return [{ type, ...reference, children, ...span }]
  }

  /** Without the backticks, and one space at both ends. */
  #code({ from, to, firstChild, lastChild }: SyntaxNode): string {
    const code = this.#source.slice(firstChild?.to ?? from, lastChild?.from ?? to).replaceAll('\n', ' ')
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
    return isPadded ? code.slice(1, -1) : code
  }

  #leaf(type: Leaf['type'], from: number, to: number): Leaf {
    return { type, value: this.#source.slice(from, to), ...this.#span(from, to) }
  }

  #span(from: number, to: number): { start: number; end: number } {
    return { start: this.#start + from, end: this.#start + to }
  }
}

type Leaf = Extract<Phrase, { value: string }>
