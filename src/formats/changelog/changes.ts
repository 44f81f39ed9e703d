import { type ChangeDraft, LIMITS } from '../../domain/records.ts'
import { cut } from '../../domain/text/cut.ts'
import { linkOf } from '../markdown/definitions.ts'
import { escapeInline } from '../markdown/inline.ts'
import { columnAt, dedent, normalise, oneLine, trimBlankLines } from '../markdown/lines.ts'
import type { Node } from '../markdown/nodes.ts'
import { MarkdownDocument, MarkdownSource } from '../markdown/source.ts'
import { append, paragraphs } from '../parsed.ts'
import type { ChangeKind, SectionPath } from './sections.ts'
import { asParagraph, fromParagraph } from './titles.ts'

/** A title over the limit is cut, and kept in full in the description. */
export function createChange(kind: ChangeKind, title: string, description: string | null): ChangeDraft {
  const whole = fromParagraph(title)
  const shown = fromParagraph(cut(whole, LIMITS.title))
  return { ...kind, title: shown, description: paragraphs(shown === whole ? null : whole, description) }
}

/** A markdown text as one change, with `name` in front of its title. Null if it shows no text. */
export function changeFromText(
  text: string,
  kind: ChangeKind,
  name: string | null = null,
): ChangeDraft | null {
  const source = new MarkdownSource(new MarkdownDocument(normalise(text)))
  const change = changeFromBlocks(source.nodes, 0, { kind, titlePrefix: prefixOf(name) }, source)
  if (change !== null)
    for (const definition of source.definitions.unused()) append(change, linkOf(definition))
  return change
}

/** A name to be put in front of a title: `**core:** `. */
export const prefixOf = (name: string | null): string => (name === null ? '' : `**${escapeInline(name)}:** `)

/**
 * Consecutive blocks as one change: the first block is the title if it can be, the others are the description. Null if
 * they show no text. `column` is the indentation of their lines.
 */
export function changeFromBlocks(
  nodes: readonly Node[],
  column: number,
  path: Pick<SectionPath, 'kind' | 'titlePrefix'>,
  source: MarkdownSource,
): ChangeDraft | null {
  const blocks = nodes.filter((node) => node.type !== 'definition')
  const first = blocks[0]
  const last = blocks.at(-1)
  if (first === undefined || last === undefined) return null
  const change = (title: string, description: string): ChangeDraft =>
    createChange(path.kind, path.titlePrefix + title, description)
  const textFrom = (offset: number): string => trimBlankLines(dedent(source.slice(offset, last.end), column))

  if (first.type === 'paragraph' || first.type === 'heading') {
    const lineBreak = firstBreak(first)
    const text = lineBreak === undefined ? source.inside(first) : source.slice(first.start, lineBreak.start)
    const title = fromParagraph(oneLine(text))
    const rest = textFrom((lineBreak ?? first).end)
    // Behind a line break, the text could open a block now that it begins one.
    const asText = (_: string, line: string) => asParagraph(line)
    if (title.trim() !== '') return change(title, lineBreak ? rest.replace(/^[ \t]*(.*)/, asText) : rest)
  }
  if (first.type === 'html' && !first.value.includes('\n'))
    return change(source.slice(first.start, first.end), textFrom(first.end))
  // The first line of indented code begins behind its indentation.
  const margin = first.type === 'code' && !first.isFenced ? '    ' : ''
  const whole = margin + textFrom(first.start)
  const title = blocks.map((block) => firstLine(block, source)).find((line) => line !== null)
  return title === undefined ? null : change(title, whole)
}

/** Checks the text first: most paragraphs have no break and need not be parsed. */
const firstBreak = (node: Node): Node | undefined =>
  node.type === 'paragraph' && /(?:[ \t]{2}|\\)\n/.test(node.value)
    ? node.children.find(({ type }) => type === 'break')
    : undefined

/** The indentation of an item's lines. */
export function contentColumn(item: Node, text: string): number {
  const first = item.children[0]
  if (first === undefined) return 0
  const isSameLine = !text.slice(item.start, first.start).includes('\n')
  const isIndentedCode = first.type === 'code' && !first.isFenced
  if (isSameLine && !isIndentedCode) return columnAt(text, first.start)
  const marker = /^(?:[-+*]|\d+[.)])/.exec(text.slice(item.start, item.start + 12))?.[0] ?? '-'
  return columnAt(text, item.start) + marker.length + 1
}

/** The first line of a block that shows words, for a title; null if there is none. */
function firstLine({ type, start, end }: Node, source: MarkdownSource): string | null {
  const isCode = type === 'code' || type === 'html'
  const worded = source
    .slice(start, end)
    .split('\n')
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
  // The language of code is shown only where there is nothing else.
  const found = worded.find((line) => !/^\s*(?:`{3}|~{3})/.test(line)) ?? worded[0]
  if (found === undefined) return null
  const line = found.replace(/^[\s>#|*+-]+|^\s*(?:`{3,}|~{3,})\s*/g, '').trim()
  return isCode && !line.includes('`') ? `\`${line}\`` : fromParagraph(isCode ? escapeInline(line) : line)
}
