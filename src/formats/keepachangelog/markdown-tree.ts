import type { Definition, Nodes, Parents, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { opensEndlessHtml } from './titles.ts'

export interface MarkdownTree {
  /** The text given, with empty lines added where one was missing. */
  text: string
  root: Root
  /** Numbers of the lines added. */
  addedLines: number[]
}

/** The syntax tree of a short text, as it is. */
export function parseSnippet(text: string): Root {
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
}

/**
 * The syntax tree of a text of any length. The parser's time grows faster than its text, so that a long text
 * is parsed in pieces. They are cut where an empty line is followed by a line that closes every open block,
 * save one: code or HTML that waits for its end. The tree tells when that is so, and the piece gets longer.
 *
 * What lies below a definition without an empty line between is read as the text of a paragraph, whatever it
 * looks like, and would turn into something else once the definition is gone. And a heading right below
 * `<a name="1.2.0"/>` is HTML to the parser, but a heading to its author. So that line is added.
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
      // twice as much each time, so that one open comment does not make the whole quadratic
      count *= 2
      continue
    }
    pieces.push(piece)
    first = last
    count = 1
  }
  return join(withRealLabelsOnly(pieces))
}

/** Large enough for the parser to get going, small enough for it not to slow down. */
const PIECE_LENGTH = 32 * 1024

interface Piece {
  text: string
  root: Root
  addedLines: number[]
  /** What is defined elsewhere and was put in front of the text, where it counts as defined. */
  borrowed: string[]
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

/** A superset: what looks like a definition may stand in code. */
function definedLabels(text: string): Set<string> {
  const labels = new Set<string>()
  for (const [, label = ''] of text.matchAll(/^[ \t>*+-]*\[((?:[^[\]\\\n]|\\.)+)\]:/gm)) {
    if (!label.startsWith('^')) labels.add(identifier(label))
  }
  return labels
}

function parsePiece(part: string, labels: Set<string>): Piece {
  const borrowed = new Set<string>()
  if (labels.size > 0) {
    for (const [, label = ''] of part.matchAll(/\[((?:[^[\]\\]|\\.)+)\]/g)) {
      if (labels.has(identifier(label))) borrowed.add(label.replace(/\s+/g, ' '))
    }
  }
  const names = [...borrowed]
  // the own definitions of a piece come later than borrowed ones of the same name; only the name matters here
  const prefix = names.length === 0 ? '' : `${names.map((name) => `[${name}]: x`).join('\n')}\n\n`
  const addedLines: number[] = []
  let text = part
  for (let round = 0; ; round++) {
    const root = parseSnippet(prefix + text)
    root.children = root.children.filter((node) => (node.position?.start.offset ?? 0) >= prefix.length)
    shift(root, -prefix.length, -names.length - (names.length === 0 ? 0 : 1))
    const glued = round < MAX_ROUNDS ? gluedLines(root) : []
    if (glued.length === 0) return { text, root, addedLines, borrowed: names }
    for (const { offset, line: above } of glued.reverse()) {
      const lineEnd = text.indexOf('\n', offset) + 1
      text = `${text.slice(0, lineEnd)}\n${text.slice(lineEnd)}`
      const line = above + 1
      for (const [index, added] of addedLines.entries()) if (added >= line) addedLines[index] = added + 1
      addedLines.push(line)
    }
  }
}

/** Each is one more pass over a piece, and hardly any file needs one. */
const MAX_ROUNDS = 5

/** Parses those pieces again that took something for defined which is not. */
function withRealLabelsOnly(pieces: Piece[]): Piece[] {
  const real = new Set<string>()
  for (const { root } of pieces) for (const { identifier: name } of definitionsIn(root)) real.add(name)
  return pieces.map((piece) =>
    piece.borrowed.every((label) => real.has(identifier(label))) ? piece : parsePiece(piece.text, real),
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

/** Whether code or HTML at the end goes on until the end, and so may go on behind it. */
function isOpen({ root, text }: Piece): boolean {
  const last = root.children.at(-1)
  if (last?.type === 'html') return opensEndlessHtml(last.value.trimStart())
  if (last?.type !== 'code') return false
  const source = text.slice(last.position?.start.offset, last.position?.end.offset)
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

export function definitionsIn(node: Nodes): Definition[] {
  if (node.type === 'definition' && !isFootnote(node)) return [node]
  return 'children' in node ? node.children.flatMap(definitionsIn) : []
}

/** `[^1]: note` is a footnote wherever footnotes exist, and only looks like a definition here. */
export function isFootnote(node: Definition): boolean {
  return node.identifier.startsWith('^')
}

/** Places in lines below which an empty one is wanted. */
function gluedLines(parent: Parents): { offset: number; line: number }[] {
  return parent.children.flatMap((node, index) => {
    const next = parent.children[index + 1]
    const { start, end } = node.position ?? {}
    if (node.type === 'definition' && next !== undefined && !isFootnote(node) && isGlued(node, next)) {
      return [{ offset: end?.offset ?? 0, line: end?.line ?? 0 }]
    }
    if (node.type === 'html' && /^<a\b[^>\n]*>[ \t]*\n#/.test(node.value)) {
      return [{ offset: start?.offset ?? 0, line: start?.line ?? 0 }]
    }
    return 'children' in node ? gluedLines(node) : []
  })
}

function isGlued(definition: Definition, next: Nodes): boolean {
  if (next.type !== 'paragraph' && next.type !== 'heading') return false
  const end = definition.position?.end.line ?? 0
  const { start, end: nextEnd } = next.position ?? { start: { line: 0 }, end: { line: 0 } }
  // `# …` begins a heading wherever it stands, so that it does no harm there
  const isAtx = next.type === 'heading' && start.line > end && start.line === nextEnd.line
  return start.line <= end + 1 && !isAtx
}

function identifier(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase().toLowerCase()
}
