import { readTypeComment } from '../comments.ts'
import { isList, isNumbered, type Node } from '../markdown/nodes.ts'
import type { MarkdownSource } from '../markdown/source.ts'
import { asParagraph } from '../titles.ts'
import { type FoundDate, isFarAhead, onlyDate } from './dates.ts'
import { MAX_HEADING_LENGTH, shownIn } from './heading.ts'

/** The date alone on the first line below a heading, and the rest of the block: `> 10 June 2018`. */
export function dateAtTop(
  block: Node | undefined,
  source: MarkdownSource,
): { date: FoundDate; rest: string } | null {
  if (block?.type === 'blockquote' && block.children.length === 1) {
    const inner = dateAtTop(block.children[0], source)
    return inner?.rest === '' ? inner : null
  }
  const line = lineAtTop(block, source)
  const date = line && onlyDate(line.visible)
  if (!block || !line || !date || isFarAhead(date.at)) return null
  const rest = block.type === 'heading' ? '' : source.slice(block.start + line.length, block.end)
  return { date, rest: asParagraph(rest.trimStart()) }
}

/** The visible first line of a block that may have a date, and the length of its source. */
function lineAtTop(
  block: Node | undefined,
  source: MarkdownSource,
): { visible: string; length: number } | null {
  // `8. September 2026` looks like an item of a numbered list.
  if (block !== undefined && isList(block) && isNumbered(block)) {
    const visible = block.value
    const isOne = block.children.length === 1 && visible.length < MAX_HEADING_LENGTH
    return isOne ? { visible, length: visible.length } : null
  }
  if (block?.type !== 'paragraph' && block?.type !== 'heading') return null
  if (block.end - block.start > MAX_HEADING_LENGTH) return null
  const text = block.type === 'heading' ? source.inside(block) : block.value
  if (block.type === 'heading' && readTypeComment(text) !== null) return null
  const [line = ''] = FIRST_WORDS.exec(text) ?? []
  if (!/\d{4}/.test(line)) return null
  const { index = line.length, 0: separator = '' } = SEPARATOR.exec(line) ?? {}
  return { visible: shownIn(line.slice(0, index)), length: index + separator.length }
}

/** A line, with symbols above it. */
const FIRST_WORDS = /^[^\p{L}\p{N}]*[^\n]*/u
/** `2024-01-02 • [Commits](https://…)` */
const SEPARATOR = /(?<![ \t])[ \t]+[•·|][ \t]+/
