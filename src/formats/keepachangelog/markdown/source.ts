import type { Nodes, Parents, RootContent } from 'mdast'
import type { Warning } from '../../parsed.ts'
import { isExcess, parseChunk } from './blocks.ts'
import { ParserBudget } from './bounds.ts'
import { Definitions } from './definitions.ts'
import { linkTarget } from './inline.ts'
import { columnAt, dedentLine, indent, trimBlankLines, width } from './lines.ts'
import { definitionsIn, endOf, isFencedCode, isLinkDefinition, startOf } from './nodes.ts'
import { PlainParagraph } from './plain.ts'
import { parseTree } from './tree.ts'

/**
 * A markdown text with its syntax tree. The tree says where things are; content is always cut out of the
 * author's text, so that it stays as written. Few things are edited: reference links become inline links and
 * their definitions are removed, because a part cut out would lose them, and blocks lose their indentation.
 */
export class MarkdownSource {
  readonly text: string
  readonly nodes: RootContent[]
  readonly definitions: Definitions
  /** What could not be parsed and is kept as text. */
  readonly warnings: Warning[]
  readonly #budget: ParserBudget
  readonly #firstLine: number
  /** Numbers of the lines of `text` that are not in the author's text, in order. */
  readonly #addedLines: number[]
  readonly #edits: Edit[] = []

  /**
   * A whole text, normalised; or a part of one, from one block of the outermost level to another, with the definitions
   * and the budget of the whole and the number of its first line.
   */
  constructor(
    text: string,
    budget = new ParserBudget(text.length),
    definitions = new Definitions(text, budget),
    firstLine = 1,
  ) {
    const tree = parseTree(text, { labels: definitions.labels, budget })
    this.text = tree.text
    this.nodes = tree.nodes
    this.definitions = definitions
    this.#budget = budget
    this.#firstLine = firstLine
    this.#addedLines = tree.addedLines
    this.warnings = tree.warnings.map(({ line, message }) => ({ line: firstLine + line - 1, message }))
    this.#collectEdits(this.nodes)
    for (const node of this.nodes) this.#removeIndentation(node)
    this.#edits.sort((a, b) => a.start - b.start)
  }

  /** The line of the author's text in which a node begins. */
  lineOf(node: Nodes): number {
    const line = node.position?.start.line ?? 1
    const added = firstIndex(this.#addedLines, (number) => number >= line)
    return this.#firstLine + line - 1 - added
  }

  /** The text between two offsets, references resolved. */
  slice(start: number, end: number): string {
    let sliced = ''
    let at = start
    for (let i = firstIndex(this.#edits, (edit) => edit.start >= start); i < this.#edits.length; i++) {
      const edit = this.#edits[i] as Edit
      if (edit.end > end) break
      // an edit of no length is the target of a link that ends here, not of one that begins here
      if (edit.end === start) continue
      sliced += this.text.slice(at, edit.start) + edit.replacement
      at = edit.end
    }
    return sliced + this.text.slice(at, end)
  }

  /** The text of consecutive blocks, from the beginning of the first one's line. */
  blocks(nodes: RootContent[]): string {
    const first = nodes[0]
    const last = nodes.at(-1)
    if (first === undefined || last === undefined) return ''
    const lineStart = this.text.lastIndexOf('\n', startOf(first) - 1) + 1
    return trimBlankLines(this.slice(lineStart, endOf(last)))
  }

  /** The text inside a heading, paragraph, link …, without its own markup. */
  inside(node: Parents): string {
    if (node.type === 'paragraph') return this.slice(startOf(node), endOf(node))
    const first = node.children[0]
    const last = node.children.at(-1)
    return first === undefined || last === undefined ? '' : this.slice(startOf(first), endOf(last))
  }

  /**
   * Escapes what looks like a link definition. Text cut out of its context can begin to look like one, and would
   * be removed the next time it is read from the item to which it is written.
   */
  escapeDefinitions(markdown: string): string {
    let text = markdown
    for (let round = 0; round < 5 && text.includes(']:'); round++) {
      const lines = text.split('\n')
      const context = { labels: NO_LABELS, budget: this.#budget }
      const parsed = parseChunk(`- x\n\n${indent(text)}`, context)
      if (isExcess(parsed)) return text.replace(POSSIBLE_DEFINITION, '$1\\')
      const found = parsed.nodes.flatMap(definitionsIn)
      if (found.length === 0) return text
      for (const { position } of found.reverse()) {
        const { line = 3, column = 3 } = position?.start ?? {}
        const before = lines[line - 3] ?? ''
        lines[line - 3] = `${before.slice(0, column - 3)}\\${before.slice(column - 3)}`
      }
      text = lines.join('\n')
    }
    return text
  }

  #collectEdits(siblings: Nodes[]): void {
    let isBelowList = false
    for (const [index, node] of siblings.entries()) {
      if (node.type !== 'definition') isBelowList = node.type === 'list'
      if (isLinkDefinition(node)) {
        // it may be all that separates indented code from the list above
        const isSeparator = isBelowList && siblings[index + 1]?.type === 'code'
        this.#edits.push({
          start: startOf(node),
          end: endOf(node),
          replacement: isSeparator ? '<!-- -->' : '',
        })
      }
      if (node.type === 'linkReference' || node.type === 'imageReference') {
        const definition = this.definitions.use(node.identifier)
        if (definition !== undefined) {
          const source = this.text.slice(startOf(node), endOf(node))
          const start = endOf(node) - referenceTail(source, node.referenceType)
          this.#edits.push({ start, end: endOf(node), replacement: linkTarget(definition) })
        }
      }
      if (node instanceof PlainParagraph && !this.#mayHoldReferences(node)) continue
      if ('children' in node) this.#collectEdits(node.children)
    }
  }

  #mayHoldReferences(paragraph: PlainParagraph): boolean {
    if (!paragraph.hasReferences) return false
    const { excess } = paragraph
    if (excess !== null && this.#budget.isNews(excess))
      this.warnings.push({ line: this.lineOf(paragraph), message: excess.message })
    return excess === null
  }

  /**
   * Top-level blocks may move into an item, or behind another block. So they lose their indentation: the up
   * to three spaces before them and those of fenced code are removed, and tabs before text or code become
   * spaces, because a tab inside an item would be narrower.
   */
  #removeIndentation(node: RootContent): void {
    if (node.type === 'list') {
      this.#expandTabs(node)
      return
    }
    const isFenced = isFencedCode(node, this.text)
    const isIndentedCode = node.type === 'code' && !isFenced
    const indent = isIndentedCode ? 0 : columnAt(this.text, startOf(node))
    let start = this.text.lastIndexOf('\n', startOf(node) - 1) + 1
    for (let isFirst = true; start < endOf(node); isFirst = false) {
      const blanks = /[ \t]*/y
      blanks.lastIndex = start
      const found = blanks.exec(this.text)?.[0] ?? ''
      let wanted = found
      if (isFenced || (isFirst && !isIndentedCode)) wanted = dedentLine(found, indent)
      else if (node.type !== 'html') wanted = ' '.repeat(width(found))
      if (wanted !== found) this.#edits.push({ start, end: start + found.length, replacement: wanted })
      const lineEnd = this.text.indexOf('\n', start)
      if (lineEnd === -1) break
      start = lineEnd + 1
    }
  }

  /** A tab in a list changes its width when the item moves. Tabs inside fenced code and HTML are content. */
  #expandTabs(list: Nodes): void {
    if (!this.text.slice(startOf(list), endOf(list)).includes('\t')) return
    const verbatim = verbatimRanges(list, this.text)
    let at = 0
    for (const match of this.text.slice(startOf(list), endOf(list)).matchAll(/\n([ \t]*\t[ \t]*)/g)) {
      const [, found = ''] = match
      const start = startOf(list) + match.index + 1
      while ((verbatim[at]?.end ?? start) < start) at++
      if ((verbatim[at]?.start ?? start) < start) continue
      this.#edits.push({ start, end: start + found.length, replacement: ' '.repeat(width(found)) })
    }
  }
}

const NO_LABELS: ReadonlySet<string> = new Set()
/** The beginning of a line up to a bracket that may be that of a definition, even if it is code. */
const POSSIBLE_DEFINITION = /^([ \t>*+\d.)-]*)(?=\[(?:[^[\]\\]|\\[\s\S])+\]:)/gm

interface Edit {
  start: number
  end: number
  replacement: string
}

/** The length of `[label]` or `[]` at the end of a reference link. */
function referenceTail(reference: string, kind: 'shortcut' | 'collapsed' | 'full'): number {
  if (kind === 'shortcut') return 0
  if (kind === 'collapsed') return 2
  let open = reference.length - 1
  do open = reference.lastIndexOf('[', open - 1)
  while (open > 0 && reference[open - 1] === '\\')
  return reference.length - open
}

function verbatimRanges(node: Nodes, text: string): { start: number; end: number }[] {
  if (isFencedCode(node, text) || node.type === 'html') return [{ start: startOf(node), end: endOf(node) }]
  if (node.type === 'paragraph' || !('children' in node)) return []
  return node.children.flatMap((child) => verbatimRanges(child, text))
}

/** The first index of a sorted list from which on the condition holds. */
function firstIndex<T>(list: T[], holds: (one: T) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(list[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}
