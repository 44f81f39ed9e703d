import type { Definition, Nodes, Parents, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { opensUnclosedHtml } from './lines.ts'
import { definitionsIn, endOf, isLinkDefinition, startOf } from './nodes.ts'

export interface MarkdownTree {
  /** The text given, with empty lines added where one was missing. */
  text: string
  root: Root
  /** Numbers of the lines added. */
  addedLines: number[]
}

/** The syntax tree of a short text, parsed at once and unchanged. */
export function parseSnippet(text: string): Root {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
}

/**
 * The syntax tree of a text of any length. The parser's time grows faster than its text, so a long text is
 * parsed in pieces. A piece ends at an empty line whose next line closes every open block, except for code
 * and HTML that are still waiting for their end. If the tree ends with one of those, the piece is made longer.
 *
 * An empty line is added in two places. Text right below a definition is always parsed as a paragraph, and
 * would become something else once the definition is removed. And a heading right below `<a name="1.2.0"/>` is
 * HTML to the parser, but a heading to its author.
 */
export function parseTree(text: string): MarkdownTree {
  const labels = definedLabels(text)
  const pieces: Piece[] = []
  const cuts = cutsIn(text)
  for (let first = 0, count = 1; first < cuts.length - 1; ) {
    const last = Math.min(first + count, cuts.length - 1)
    const part = text.slice(cuts[first], cuts[last])
    const piece = parsePiece(part, labels)
    if (last < cuts.length - 1 && isOpen(piece)) {
      // doubled each time, so that one open comment does not make the total quadratic
      count *= 2
      continue
    }
    pieces.push(piece)
    first = last
    count = 1
  }
  return join(withDefinedLabelsOnly(pieces))
}

/** In characters. The parser has a cost per call, and slows down on much longer texts. */
const PIECE_LENGTH = 32 * 1024

interface Piece {
  text: string
  root: Root
  addedLines: number[]
  /** Labels assumed to be defined in another piece, so that references to them are parsed as links. */
  assumedLabels: string[]
}

function cutsIn(text: string): number[] {
  const cuts = [0]
  for (const match of text.matchAll(/\n[ \t]*\n(?=#{1,6}[ \t]|\p{L}|\d+\.\d)/gu)) {
    const at = match.index + match[0].length
    if (at - (cuts.at(-1) ?? 0) >= PIECE_LENGTH) cuts.push(at)
  }
  cuts.push(text.length)
  return cuts
}

/** All labels that may be defined. Some may not be: what looks like a definition can be code. */
function definedLabels(text: string): Set<string> {
  const labels = new Set<string>()
  for (const [, label = ''] of text.matchAll(/^[ \t>*+-]*\[((?:[^[\]\\\n]|\\.)+)\]:/gm)) {
    if (!label.startsWith('^')) labels.add(identifier(label))
  }
  return labels
}

function parsePiece(part: string, labels: Set<string>): Piece {
  const assumed = new Set<string>()
  if (labels.size > 0) {
    for (const [, label = ''] of part.matchAll(/\[((?:[^[\]\\]|\\.)+)\]/g)) {
      if (labels.has(identifier(label))) assumed.add(label.replace(/\s+/g, ' '))
    }
  }
  const names = [...assumed]
  // they hide the piece's own definitions of the same name, but only the name matters here
  const prefix = names.length === 0 ? '' : `${names.map((name) => `[${name}]: x`).join('\n')}\n\n`
  const addedLines: number[] = []
  let text = part
  for (let round = 0; ; round++) {
    const root = parseSnippet(prefix + text)
    root.children = root.children.filter((node) => startOf(node) >= prefix.length)
    shift(root, -prefix.length, -names.length - (names.length === 0 ? 0 : 1))
    const missing = round < MAX_ROUNDS ? missingBlankLines(root) : []
    if (missing.length === 0) return { text, root, addedLines, assumedLabels: names }
    for (const { offset, line: above } of missing.reverse()) {
      const lineEnd = text.indexOf('\n', offset) + 1
      text = `${text.slice(0, lineEnd)}\n${text.slice(lineEnd)}`
      const line = above + 1
      for (const [index, added] of addedLines.entries()) if (added >= line) addedLines[index] = added + 1
      addedLines.push(line)
    }
  }
}

/** Bounds how often a piece is parsed again because lines were added. Hardly any file needs it once. */
const MAX_ROUNDS = 5

/** Parses those pieces again that assumed a label which turned out not to be defined. */
function withDefinedLabelsOnly(pieces: Piece[]): Piece[] {
  const defined = new Set<string>()
  for (const { root } of pieces) for (const { identifier: name } of definitionsIn(root)) defined.add(name)
  return pieces.map((piece) =>
    piece.assumedLabels.every((label) => defined.has(identifier(label)))
      ? piece
      : parsePiece(piece.text, defined),
  )
}

function join(pieces: Piece[]): MarkdownTree {
  const root: Root = { type: 'root', children: [] }
  const addedLines: number[] = []
  let text = ''
  let lines = 0
  for (const piece of pieces) {
    shift(piece.root, text.length, lines)
    for (const child of piece.root.children) root.children.push(child)
    for (const line of piece.addedLines) addedLines.push(line + lines)
    text += piece.text
    lines += piece.text.split('\n').length - 1
  }
  return { text, root, addedLines }
}

/** Whether the last block is code or HTML without its end, which may follow in the next piece. */
function isOpen({ root, text }: Piece): boolean {
  const last = root.children.at(-1)
  if (last?.type === 'html') return opensUnclosedHtml(last.value.trimStart())
  if (last?.type !== 'code') return false
  const source = text.slice(startOf(last), endOf(last))
  const fence = /^(`{3,}|~{3,})/.exec(source)?.[1]
  if (fence === undefined) return false
  const end = source.slice(source.lastIndexOf('\n') + 1).trim()
  return !(source.includes('\n') && end.startsWith(fence) && new Set(end).size === 1)
}

function shift(node: Nodes, offset: number, lines: number): void {
  if (offset === 0 && lines === 0) return
  if (node.position !== undefined) {
    for (const point of [node.position.start, node.position.end]) {
      point.offset = (point.offset ?? 0) + offset
      point.line += lines
    }
  }
  if ('children' in node) for (const child of node.children) shift(child, offset, lines)
}

/** Places in the lines below which an empty line is needed. */
function missingBlankLines(parent: Parents): { offset: number; line: number }[] {
  return parent.children.flatMap((node, index) => {
    const next = parent.children[index + 1]
    const { start, end } = node.position ?? {}
    if (isLinkDefinition(node) && next !== undefined && needsBlankLine(node, next)) {
      return [{ offset: end?.offset ?? 0, line: end?.line ?? 0 }]
    }
    if (node.type === 'html' && /^<a\b[^>\n]*>[ \t]*\n#/.test(node.value)) {
      return [{ offset: start?.offset ?? 0, line: start?.line ?? 0 }]
    }
    return 'children' in node ? missingBlankLines(node) : []
  })
}

function needsBlankLine(definition: Definition, next: Nodes): boolean {
  if (next.type !== 'paragraph' && next.type !== 'heading') return false
  const end = definition.position?.end.line ?? 0
  const { start, end: nextEnd } = next.position ?? { start: { line: 0 }, end: { line: 0 } }
  // `# …` is a heading even without an empty line above it
  const isAtx = next.type === 'heading' && start.line > end && start.line === nextEnd.line
  return start.line <= end + 1 && !isAtx
}

/** How the parser compares labels. */
function identifier(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase().toLowerCase()
}
