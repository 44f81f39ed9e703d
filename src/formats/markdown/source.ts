import { blocksOf, partsOf } from './blocks.ts'
import { Definitions } from './definitions.ts'
import { linkTarget } from './inline.ts'
import { mayRefer } from './labels.ts'
import { columnAt, dedentLine, firstIndex, trimBlankLines, width } from './lines.ts'
import { blocksOfType, isText, type Node, wordsOf } from './nodes.ts'
import { phrasesIn } from './phrases.ts'

/** A normalised markdown text. Its blocks are parsed when they are asked for: those of a long text take many times its memory. */
export class MarkdownDocument {
  readonly definitions: Definitions
  readonly #lineStarts: readonly number[]
  readonly #cuts: readonly number[]
  /** Written as our own exports are: nothing in it means more than it says. */
  readonly isStrict: boolean
  /** The text has at least three lists, all numbered. */
  readonly isNumbered: boolean
  /** The text has no lists but numbered ones. An export of ours never counts: it has none if all versions have only descriptions. */
  readonly isProse: boolean

  /** At the lines of `cuts`, from 0, a block begins. */
  constructor(
    readonly text: string,
    { cuts = [], isStrict = false }: { cuts?: readonly number[]; isStrict?: boolean } = {},
  ) {
    this.isStrict = isStrict
    this.#lineStarts = [0, ...text.matchAll(/\n/g).map(({ index }) => index + 1)]
    this.#cuts = cuts.map((line) => this.#lineStarts[line] ?? 0)
    this.definitions = new Definitions(partsOf(text, this.#cuts, { wanted: ']:' }))
    this.isProse = !isStrict && !/^[ \t]*[-*+][ \t](?![-*_ \t]*$)/m.test(text)
    this.isNumbered = (text.match(/^1[.)][ \t]/gm)?.length ?? 0) > 2 && !/^[ \t]*[-*+][ \t]/m.test(text)
  }

  /** The top-level blocks above the first cut, then those from each to the next, made for each caller. */
  *parts(): Generator<Node[]> {
    for (const part of partsOf(this.text, this.#cuts, { known: this.definitions.last }))
      yield blocksOf(part, this.text, this.definitions.labels)
  }

  blocks(): Node[] {
    return [...this.parts()].flat()
  }

  lineOf({ start }: Node): number {
    const starts = this.#lineStarts
    return firstIndex(starts.length, (line) => (starts[line] as number) > start)
  }
}

/**
 * Blocks of a text with their positions. Content is sliced from the author's text, so it stays as written, except that
 * reference links become inline links, definitions are removed, and blocks are dedented.
 */
export class MarkdownSource {
  readonly text: string
  readonly definitions: Definitions
  readonly #edits: Edit[] = []

  constructor(
    readonly document: MarkdownDocument,
    readonly nodes: readonly Node[] = document.blocks(),
  ) {
    this.text = document.text
    this.definitions = document.definitions
    // Without definitions nothing refers to any.
    if (this.definitions.labels.size > 0) this.#collectEdits(nodes)
    for (const node of nodes) this.#removeIndentation(node)
    this.#edits.sort((a, b) => a.start - b.start)
  }

  /** The text between two offsets, references resolved. */
  slice(start: number, end: number): string {
    let sliced = ''
    let at = start
    const edits = this.#edits
    const first = firstIndex(edits.length, (at) => (edits[at] as Edit).start >= start)
    for (let i = first; i < edits.length; i++) {
      const edit = edits[i] as Edit
      if (edit.end > end) break
      // An empty edit is the target of a link that ends here.
      if (edit.end === start) continue
      sliced += this.text.slice(at, edit.start) + edit.replacement
      at = edit.end
    }
    return sliced + this.text.slice(at, end)
  }

  /** The text of consecutive blocks, from the start of the line. */
  blocks(nodes: readonly Node[]): string {
    const first = nodes[0]
    const last = nodes.at(-1)
    if (first === undefined || last === undefined) return ''
    const lineStart = this.text.lastIndexOf('\n', first.start - 1) + 1
    return trimBlankLines(this.slice(lineStart, last.end))
  }

  /** The words of a heading or paragraph. */
  inside(node: Node): string {
    return this.slice(...wordsOf(node))
  }

  #collectEdits(siblings: readonly Node[]): void {
    for (const node of siblings) {
      const { type, start, end } = node
      if (type === 'definition') this.#edits.push({ start, end, replacement: '' })
      const target = targetEdit(node, this.definitions)
      if (target) this.#edits.push(target)
      if (!isText(node) || mayRefer(node.value, this.definitions.labels)) this.#collectEdits(node.children)
    }
  }

  /**
   * Top-level blocks may move into an item, or behind another block, so they are dedented: up to three spaces before
   * them and the indentation of fenced code are removed, and tabs before text or code become spaces, because a tab
   * inside an item would be narrower.
   */
  #removeIndentation(node: Node): void {
    if (node.type === 'list') {
      this.#expandTabs(node)
      return
    }
    const { isFenced } = node
    const isIndentedCode = node.type === 'code' && !isFenced
    const indent = isIndentedCode ? 0 : columnAt(this.text, node.start)
    const lineStart = this.text.lastIndexOf('\n', node.start - 1) + 1
    for (const match of this.text.slice(lineStart, node.end).matchAll(/(^|\n)([ \t]+)/g)) {
      const [, lineEnd = '', found = ''] = match
      const start = lineStart + match.index + lineEnd.length
      const isFirst = start === lineStart
      let replacement = found
      if (isFenced || (isFirst && !isIndentedCode)) replacement = dedentLine(found, indent)
      else if (node.type !== 'html') replacement = ' '.repeat(width(found))
      if (replacement !== found) this.#edits.push({ start, end: start + found.length, replacement })
    }
  }

  /**
   * A tab in a list changes its width when the item moves. Inside fenced code and HTML, tabs behind the column of the
   * block are content.
   */
  #expandTabs(list: Node): void {
    if (!list.value.includes('\t')) return
    const isVerbatim = ({ type, isFenced }: Node) => type === 'html' || isFenced
    const verbatim = /[<`~]/.test(list.value) ? blocksOfType(list.children, isVerbatim) : []
    let at = 0
    for (const match of list.value.matchAll(/\n([ \t]*\t[ \t]*)/g)) {
      const [, found = ''] = match
      const start = list.start + match.index + 1
      while ((verbatim[at]?.end ?? start) < start) at++
      const block = verbatim[at]
      const isInside = block !== undefined && block.start < start
      const expanded = Math.min(width(found), isInside ? columnAt(this.text, block.start) : Infinity)
      const replacement = ' '.repeat(expanded) + dedentLine(found, expanded)
      if (replacement !== found) this.#edits.push({ start, end: start + found.length, replacement })
    }
  }
}

/** Gives a link the address of the definition that it refers to. */
function targetEdit({ reference, end }: Node, definitions: Definitions): Edit | undefined {
  const to = reference && definitions.use(reference.identifier)
  return to && { start: reference.start, end, replacement: linkTarget(to.url, to.title) }
}

/** The addresses that the links of a line refer to, in their order. */
export function targetsIn(line: string, definitions: Definitions): Edit[] {
  const { labels } = definitions
  if (labels.size === 0 || !mayRefer(line, labels)) return []
  const phrasesOf = (nodes: readonly Node[]): Node[] =>
    nodes.flatMap((one) => [one, ...phrasesOf(one.children)])
  return phrasesOf(phrasesIn(line, 0, line.length, labels))
    .flatMap((node) => targetEdit(node, definitions) ?? [])
    .sort((one, other) => one.start - other.start)
}

export const edited = (text: string, edits: readonly Edit[]): string =>
  edits.reduceRight(
    (all, { start, end, replacement }) => all.slice(0, start) + replacement + all.slice(end),
    text,
  )

export interface Edit {
  start: number
  end: number
  replacement: string
}
