import type { Definition, Nodes, Parents, Root, RootContent } from 'mdast'
import { linkTarget } from './inline.ts'
import { columnAt, dedentLine, indent, normalise, trimBlankLines, width } from './lines.ts'
import { definitionsIn, endOf, isFencedCode, isLinkDefinition, startOf } from './nodes.ts'
import { parseSnippet, parseTree } from './tree.ts'

/**
 * A markdown text with its syntax tree. The tree says where things are; content is always cut out of the
 * author's text, so that it stays as written. Few things are edited: reference links become inline links and
 * their definitions are removed, because a part cut out would lose them, and blocks lose their indentation.
 */
export class MarkdownSource {
  readonly text: string
  readonly root: Root
  /** Numbers of the lines of `text` that are not in the author's text. */
  readonly #addedLines: number[]
  readonly definitions = new Map<string, Definition>()
  readonly #edits: Edit[] = []
  readonly #used = new Set<string>()
  readonly #allDefinitions: Definition[] = []

  constructor(text: string) {
    const parsed = parseTree(normalise(text))
    this.text = parsed.text
    this.root = parsed.root
    this.#addedLines = parsed.addedLines
    this.#collectDefinitions(this.root)
    this.#collectEdits(this.root)
    for (const node of this.root.children) this.#removeIndentation(node)
    this.#edits.sort((a, b) => a.start - b.start)
  }

  /** The line of the author's text in which a node begins. */
  lineOf(node: Nodes): number {
    const line = node.position?.start.line ?? 1
    return line - this.#addedLines.filter((added) => added < line).length
  }

  /** The text between two offsets, references resolved. */
  slice(start: number, end: number): string {
    let sliced = ''
    let at = start
    for (let i = this.#firstEditFrom(start); i < this.#edits.length; i++) {
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
    const first = node.children[0]
    const last = node.children.at(-1)
    return first === undefined || last === undefined ? '' : this.slice(startOf(first), endOf(last))
  }

  /** Definitions that no link refers to. Of several with one name only the first can be referred to. */
  unusedDefinitions(): Definition[] {
    return this.#allDefinitions.filter((node) => {
      const effective = this.definitions.get(node.identifier)
      return effective === node ? !this.#used.has(node.identifier) : effective?.url !== node.url
    })
  }

  #collectDefinitions(node: Nodes): void {
    if (isLinkDefinition(node)) {
      this.#allDefinitions.push(node)
      if (!this.definitions.has(node.identifier)) this.definitions.set(node.identifier, node)
    }
    if ('children' in node) for (const child of node.children) this.#collectDefinitions(child)
  }

  /** A definition may be all that separates indented code from the list above; a comment takes its place then. */
  #collectEdits(node: Nodes, isBetweenListAndCode = false): void {
    if (isLinkDefinition(node)) {
      const replacement = isBetweenListAndCode ? '<!-- -->' : ''
      this.#edits.push({ start: startOf(node), end: endOf(node), replacement })
    }
    if (node.type === 'linkReference' || node.type === 'imageReference') {
      const definition = this.definitions.get(node.identifier)
      if (definition !== undefined) {
        this.#used.add(node.identifier)
        const start =
          endOf(node) - referenceTail(this.text.slice(startOf(node), endOf(node)), node.referenceType)
        this.#edits.push({ start, end: endOf(node), replacement: linkTarget(definition) })
      }
    }
    if (!('children' in node)) return
    let isBelowList = false
    for (const [index, child] of node.children.entries()) {
      if (child.type !== 'definition') isBelowList = child.type === 'list'
      this.#collectEdits(child, isBelowList && node.children[index + 1]?.type === 'code')
    }
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
    for (const match of this.text.slice(startOf(list), endOf(list)).matchAll(/\n([ \t]*\t[ \t]*)/g)) {
      const [, found = ''] = match
      const start = startOf(list) + match.index + 1
      while ((verbatim[0]?.end ?? start) < start) verbatim.shift()
      if (verbatim[0] !== undefined && verbatim[0].start < start) continue
      this.#edits.push({ start, end: start + found.length, replacement: ' '.repeat(width(found)) })
    }
  }

  #firstEditFrom(offset: number): number {
    let low = 0
    let high = this.#edits.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#edits[middle] as Edit).start < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * Escapes what looks like a link definition. Text cut out of its context can begin to look like one, and would
 * be removed the next time it is read from the item to which it is written.
 */
export function escapeDefinitions(markdown: string): string {
  let text = markdown
  for (let round = 0; round < 5 && /\[[^\]]*\]:/.test(text); round++) {
    const lines = text.split('\n')
    const found = definitionsIn(parseSnippet(`- x\n\n${indent(text)}`))
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
  return 'children' in node ? node.children.flatMap((child) => verbatimRanges(child, text)) : []
}
