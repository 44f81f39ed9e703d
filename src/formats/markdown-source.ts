import type { Definition, Nodes, Parents, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

/**
 * A markdown text with its syntax tree. The tree tells where things are; content is always cut out of the
 * author's own text, so that it survives as written. Little changes on the way: reference links become inline
 * ones, because their definitions stay behind, those definitions disappear, and blocks move to the margin.
 */
export class MarkdownSource {
  readonly text: string
  readonly root: Root
  /** Lines of `text` that the author's has not. */
  readonly #addedLines: number[]
  readonly definitions = new Map<string, Definition>()
  readonly #edits: Edit[] = []
  readonly #used = new Set<string>()
  readonly #allDefinitions: Definition[] = []

  constructor(text: string) {
    const parsed = parseApart(normalise(text))
    this.text = parsed.text
    this.root = parsed.root
    this.#addedLines = parsed.addedLines
    this.#collectDefinitions(this.root)
    this.#collectEdits(this.root)
    for (const node of this.root.children) this.#moveToMargin(node)
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
      // an edit of no length is the target of a link that ends here, not one that begins
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

  /** The text inside a heading, paragraph, link …, without its own marks. */
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
    if (node.type === 'definition' && !isFootnote(node)) {
      this.#allDefinitions.push(node)
      if (!this.definitions.has(node.identifier)) this.definitions.set(node.identifier, node)
    }
    if ('children' in node) for (const child of node.children) this.#collectDefinitions(child)
  }

  /** A definition may be all that keeps an indented block out of the list above; then something has to. */
  #collectEdits(node: Nodes, isWall = false): void {
    if (node.type === 'definition' && !isFootnote(node)) {
      this.#edits.push({ start: startOf(node), end: endOf(node), replacement: isWall ? '<!-- -->' : '' })
    }
    if (node.type === 'linkReference' || node.type === 'imageReference') {
      const definition = this.definitions.get(node.identifier)
      if (definition !== undefined) {
        this.#used.add(node.identifier)
        const start =
          endOf(node) - referenceTail(this.text.slice(startOf(node), endOf(node)), node.referenceType)
        this.#edits.push({ start, end: endOf(node), replacement: inlineTarget(definition) })
      }
    }
    if (!('children' in node)) return
    let list = false
    for (const [index, child] of node.children.entries()) {
      if (child.type !== 'definition') list = child.type === 'list'
      this.#collectEdits(child, list && node.children[index + 1]?.type === 'code')
    }
  }

  /**
   * Blocks of the document itself may move into an item, or behind another block. So they are put to the
   * margin first: the up to three blanks before them and the indentation of fenced code go, and tabs before
   * text or code become blanks, as a tab would be narrower inside an item.
   */
  #moveToMargin(node: RootContent): void {
    if (node.type === 'list') return
    const isFenced = node.type === 'code' && /[`~]/.test(this.text[startOf(node)] ?? '')
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
 * Text cut out of its surroundings may begin to look like a link definition, and would vanish as one the next
 * time it is read from the item it is written to. Escapes it.
 */
export function withoutDefinitions(markdown: string): string {
  let text = markdown
  for (let round = 0; round < 5 && /\[[^\]]*\]:/.test(text); round++) {
    const lines = text.split('\n')
    const found = definitionsIn(parse(`- x\n\n${indent(text)}`))
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

/** Makes a text the continuation of an item. */
export function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (isBlank(line) ? '' : `  ${line}`))
    .join('\n')
}

export function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0
}

export function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0
}

/** One encoding of line ends, no byte order mark, nothing a database or a JSON file cannot hold. */
export function normalise(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')
    .toWellFormed()
}

/** Without empty lines around it and without blanks in lines that show nothing. */
export function trimBlankLines(text: string): string {
  const lines = text.split('\n').map((line) => (isBlank(line) ? '' : line))
  const first = lines.findIndex((line) => line !== '')
  if (first === -1) return ''
  const last = lines.findLastIndex((line) => line !== '')
  lines[last] = trimEndBlanks(lines[last] ?? '')
  return lines.slice(first, last + 1).join('\n')
}

/** Removes up to `columns` of indentation from every line but the first, which starts inside its line. */
export function dedent(text: string, columns: number): string {
  const [first = '', ...others] = text.split('\n')
  return [first, ...others.map((line) => dedentLine(line, columns))].join('\n')
}

/** How far to the right a place stands, tabs counted as wide as they are. */
export function columnAt(text: string, offset: number): number {
  return width(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))
}

/** Several lines as one, which means the same in markdown where a line end is a blank. */
export function oneLine(text: string): string {
  return trimBlanks(text.split('\n').map(trimBlanks).join(' '))
}

export function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line)
}

/** Markdown knows blanks and tabs only: a no-break space is content, which `String.trim` would take away. */
export function trimBlanks(text: string): string {
  return trimEndBlanks(text.replace(/^[ \t]+/, ''))
}

/** `](url "title")` without its first character: what follows the bracketed text of an inline link. */
export function inlineTarget(target: { url: string; title?: string | null | undefined }): string {
  const { title } = target
  // a no-break space pasted in front is part of the address to the parser, and to nobody else
  const url = target.url.trim()
  const plain = /^[^\s<>()\\&]+$/.test(url)
  const destination = plain ? url : `<${url.replace(/[\\<>&]/g, '\\$&').replace(/\s/g, encodeURIComponent)}>`
  if (title === undefined || title === null || title === '') return `(${destination})`
  return `(${destination} "${title.replace(/\s+/g, ' ').replace(/["\\&]/g, '\\$&')}")`
}

/**
 * Parses, and sees to it that an empty line follows every definition. What is glued to one is read as the text
 * of a paragraph, whatever it looks like, and would turn into something else once the definition is gone.
 */
function parseApart(normalised: string): { text: string; root: Root; addedLines: number[] } {
  const addedLines: number[] = []
  let text = normalised
  for (;;) {
    const root = parse(text)
    const glued = firstGluedDefinition(root)
    if (glued?.position === undefined || addedLines.length >= MAX_ADDED_LINES)
      return { text, root, addedLines }
    const lineEnd = text.indexOf('\n', endOf(glued)) + 1
    text = `${text.slice(0, lineEnd)}\n${text.slice(lineEnd)}`
    addedLines.push(glued.position.end.line + 1)
  }
}

function parse(text: string): Root {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
}

function definitionsIn(node: Nodes): Definition[] {
  if (node.type === 'definition' && !isFootnote(node)) return [node]
  return 'children' in node ? node.children.flatMap(definitionsIn) : []
}

/** Each costs one more pass over the text, and hardly any file needs a single one. */
const MAX_ADDED_LINES = 20

function firstGluedDefinition(parent: Parents): Definition | null {
  for (const [index, node] of parent.children.entries()) {
    const next = parent.children[index + 1]
    if (node.type === 'definition' && !isFootnote(node)) {
      const isText = next?.type === 'paragraph' || next?.type === 'heading'
      const lineAfter = (node.position?.end.line ?? 0) + 1
      if (isText && (next.position?.start.line ?? 0) <= lineAfter && !isAtxBelow(next, node)) return node
    }
    const inner = 'children' in node ? firstGluedDefinition(node) : null
    if (inner !== null) return inner
  }
  return null
}

/** `# …` begins a heading wherever it stands, so that it does no harm below a definition. */
function isAtxBelow(next: Nodes, definition: Definition): boolean {
  const line = next.position?.start.line ?? 0
  return (
    next.type === 'heading' && line > (definition.position?.end.line ?? 0) && line === next.position?.end.line
  )
}

interface Edit {
  start: number
  end: number
  replacement: string
}

/** `[^1]: note` is a footnote wherever footnotes exist, and only looks like a definition here. */
function isFootnote(node: Definition): boolean {
  return node.identifier.startsWith('^')
}

/** Length of `[label]` or `[]` at the end of a reference. */
function referenceTail(reference: string, kind: 'shortcut' | 'collapsed' | 'full'): number {
  if (kind === 'shortcut') return 0
  if (kind === 'collapsed') return 2
  let open = reference.length - 1
  do open = reference.lastIndexOf('[', open - 1)
  while (open > 0 && reference[open - 1] === '\\')
  return reference.length - open
}

function width(text: string): number {
  let column = 0
  for (const character of text) column += character === '\t' ? 4 - (column % 4) : 1
  return column
}

function dedentLine(line: string, columns: number): string {
  let column = 0
  let at = 0
  while (at < line.length && column < columns) {
    if (line[at] === ' ') column++
    else if (line[at] === '\t') column += 4 - (column % 4)
    else break
    at++
  }
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(at)
}

/** By hand, as a regular expression for trailing blanks is quadratic on a long run of blanks. */
function trimEndBlanks(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return text.slice(0, end)
}
