import type { Definition, Nodes, RootContent } from 'mdast'
import type { Excess } from './bounds.ts'
import { type Chunk, endAtBlankLine, linesBetween, nextChunk } from './chunks.ts'
import { definitionsOf, labelsIn } from './labels.ts'
import { opensUnclosedHtml } from './lines.ts'
import { endOf, isLinkDefinition, shift, startOf } from './nodes.ts'
import { type ParserContext, parse } from './parser.ts'

/** A chunk as the parser reads it. */
export interface ParsedChunk {
  /** Its text, with empty lines added where one was missing. */
  text: string
  nodes: RootContent[]
  /** The lines added, in order, counted from 0. */
  addedLines: number[]
}

/**
 * The chunks of a text, in order. The parser's time grows faster than its text, so each is parsed by itself, with
 * the labels of the whole text.
 */
export function* chunksOf(text: string, context: ParserContext): Generator<Chunk> {
  let chunk = nextChunk(text, 0, 1)
  while (chunk !== null) {
    if (chunk.kind === 'other') chunk.end = endOfOther(chunk, text, context)
    yield chunk
    chunk = nextChunk(text, chunk.end, chunk.line + linesBetween(text, chunk.start, chunk.end))
  }
}

/** The end of a chunk of kind `other`. Only the parser finds it if code or HTML in the chunk may go on below it. */
function endOfOther({ start, end }: Chunk, text: string, context: ParserContext): number {
  const source = text.slice(start, end)
  if (!/^ {0,3}(?:`{3}|~{3}|<)/m.test(source)) return end
  const parsed = parseChunk(source, context)
  if (isExcess(parsed)) return end
  const last = parsed.nodes.at(-1)
  if (last === undefined) return end
  if (isOpen(last, parsed.text)) {
    // the end of the code or HTML shows once it is a chunk by itself
    const lineStart = start + originalLineStart(last, parsed.addedLines, source)
    return lineStart > start ? lineStart - 1 : text.length
  }
  return last.type === 'html' && !hasEndMark(last.value) ? endAtBlankLine(text, end) : end
}

/**
 * Parses a chunk, unless that would take too long. An empty line is added in two places. Text right below a definition
 * is always parsed as a paragraph, and would become something else once the definition is removed. And a heading right
 * below `<a name="1.2.0"/>` is HTML to the parser, but a heading to its author.
 */
export function parseChunk(source: string, { labels, budget }: ParserContext): ParsedChunk | Excess {
  // they hide the chunk's own definitions of the same name, but only the name matters here
  const prefix = definitionsOf(labelsIn(source, labels))
  const linesAbove = linesBetween(prefix, 0, prefix.length)
  const lines = source.split('\n')
  const addedLines: number[] = []
  for (let round = 0; ; round++) {
    const text = lines.join('\n')
    const excess = budget.spend(text)
    if (excess !== null) return excess
    const nodes = parse(`${prefix}${text}\n`).filter((node) => startOf(node) >= prefix.length)
    for (const node of nodes) shift(node, -prefix.length, -linesAbove)
    const missing = round < MAX_ROUNDS ? missingBlankLines(nodes) : []
    if (missing.length === 0) return { text, nodes, addedLines: addedLines.sort((a, b) => a - b) }
    for (const line of missing.reverse()) {
      lines.splice(line, 0, '')
      for (const [index, added] of addedLines.entries()) if (added >= line) addedLines[index] = added + 1
      addedLines.push(line)
    }
  }
}

export function isExcess(parsed: ParsedChunk | Excess): parsed is Excess {
  return 'message' in parsed
}

/** Bounds how often a chunk is parsed again because lines were added. Hardly any file needs it once. */
const MAX_ROUNDS = 5

/** Where the line of a node begins in the text to which lines were added. */
function originalLineStart(node: Nodes, addedLines: number[], source: string): number {
  const line = (node.position?.start.line ?? 1) - 1
  const linesAbove = line - addedLines.filter((added) => added < line).length
  let start = 0
  for (let above = 0; above < linesAbove; above++) start = source.indexOf('\n', start) + 1
  return start
}

/** Whether a block at the end is code or HTML without its end mark, which may follow. */
function isOpen(last: RootContent, text: string): boolean {
  if (last.type === 'html') return opensUnclosedHtml(last.value.trimStart())
  if (last.type !== 'code') return false
  const source = text.slice(startOf(last), endOf(last))
  const fence = /^(`{3,}|~{3,})/.exec(source)?.[1]
  if (fence === undefined) return false
  const end = source.slice(source.lastIndexOf('\n') + 1).trim()
  return !(source.includes('\n') && end.startsWith(fence) && new Set(end).size === 1)
}

/** Whether HTML ends with a mark of its own, and not with an empty line. */
function hasEndMark(html: string): boolean {
  return /^\s*<(?:!--|\?|!\[CDATA\[|![a-z]|(?:script|pre|style|textarea)(?:[\s>]|$))/i.test(html)
}

/** The numbers of the lines below which an empty line is needed, in order, counted from 1. */
function missingBlankLines(siblings: Nodes[]): number[] {
  return siblings.flatMap((node, index) => {
    const next = siblings[index + 1]
    const { start, end } = node.position ?? {}
    if (isLinkDefinition(node) && next !== undefined && needsBlankLine(node, next)) return [end?.line ?? 0]
    if (node.type === 'html' && /^<a\b[^>\n]*>[ \t]*\n#/.test(node.value)) return [start?.line ?? 0]
    return 'children' in node ? missingBlankLines(node.children) : []
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
