import type { List, RootContent } from 'mdast'
import type { Warning } from '../../parsed.ts'
import { chunksOf, isExcess, parseChunk } from './blocks.ts'
import type { Chunk } from './chunks.ts'
import { shift, startOf } from './nodes.ts'
import type { ParserContext } from './parser.ts'
import { blocksKeptAsText, Place, plainBlocks } from './plain.ts'

export interface MarkdownTree {
  /** The text given, with empty lines added where one was missing. */
  text: string
  nodes: RootContent[]
  /** Numbers of the lines added, in order. */
  addedLines: number[]
  /** What is beyond the bounds of the parser, with lines of the text given. */
  warnings: Warning[]
}

/**
 * The syntax tree of a text of any length. In paragraphs and below the first one of an item it is only made as far as
 * it is needed: see `plainBlocks`.
 */
export function parseTree(text: string, context: ParserContext): MarkdownTree {
  const builder = new TreeBuilder(text, context)
  for (const chunk of chunksOf(text, context)) builder.add(chunk)
  return builder.tree()
}

class TreeBuilder {
  readonly #text: string
  readonly #context: ParserContext
  readonly #nodes: RootContent[] = []
  readonly #addedLines: number[] = []
  readonly #warnings: Warning[] = []
  /** The text up to `#copied`, with the lines added. */
  readonly #parts: string[] = []
  #copied = 0
  /** The marker of the list that is the last node. */
  #lastMarker: string | null = null

  constructor(text: string, context: ParserContext) {
    this.#text = text
    this.#context = context
  }

  add(chunk: Chunk): void {
    const added = this.#addedLines.length
    const place = new Place(this.#text, chunk.start, chunk.line + added, added)
    const plain = plainBlocks(chunk, place, this.#context)
    if (plain === null) this.#parse(chunk, place)
    else this.#append(plain, place)
  }

  tree(): MarkdownTree {
    const text = [...this.#parts, this.#text.slice(this.#copied)].join('')
    return { text, nodes: this.#nodes, addedLines: this.#addedLines, warnings: this.#warnings }
  }

  #parse(chunk: Chunk, place: Place): void {
    const source = this.#text.slice(chunk.start, chunk.end)
    const parsed = parseChunk(source, this.#context)
    if (isExcess(parsed)) {
      const { line, message } = parsed
      if (this.#context.budget.isNews(parsed)) this.#warnings.push({ line: chunk.line + line, message })
      this.#append(blocksKeptAsText(chunk, place, this.#context), place)
      return
    }
    for (const node of parsed.nodes) shift(node, chunk.start + place.added, place.line - 1)
    for (const number of parsed.addedLines) this.#addedLines.push(place.line + number)
    if (parsed.addedLines.length > 0) {
      this.#parts.push(this.#text.slice(this.#copied, chunk.start), parsed.text)
      this.#copied = chunk.end
    }
    this.#append(parsed.nodes, { text: parsed.text, added: chunk.start + place.added })
  }

  /** `added` is the difference between offsets of the nodes and offsets of the text. */
  #append(nodes: RootContent[], { text, added }: { text: string; added: number }): void {
    for (const node of nodes) {
      const marker: string | null = node.type === 'list' ? markerAt(text, startOf(node) - added) : null
      const last = this.#nodes.at(-1)
      if (node.type === 'list' && last?.type === 'list' && marker === this.#lastMarker) extend(last, node)
      else this.#nodes.push(node)
      this.#lastMarker = marker
    }
  }
}

/** What the items of one list have in common: their bullet, or what follows their number. */
function markerAt(text: string, offset: number): string {
  const [marker = ''] = /^(?:[-+*]|\d+[.)])/.exec(text.slice(offset, offset + 12)) ?? []
  return marker.slice(-1)
}

function extend(list: List, { children, position }: List): void {
  for (const item of children) list.children.push(item)
  if (list.position && position) list.position = { start: list.position.start, end: position.end }
}
