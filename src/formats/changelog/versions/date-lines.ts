import type { Node } from '../../markdown/nodes.ts'
import type { MarkdownSource } from '../../markdown/source.ts'
import { readTypeComment } from '../comments.ts'
import { asParagraph } from '../titles.ts'
import { type FoundDate, mayBeRelease, onlyDate } from './dates.ts'
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
  const isHeading = block?.type === 'heading'
  if (!block || !(isHeading || block.type === 'paragraph')) return null
  if (block.end - block.start > MAX_HEADING_LENGTH) return null
  const text = isHeading ? source.inside(block) : block.value
  const [line = ''] = FIRST_WORDS.exec(text) ?? []
  if (!/\d{4}/.test(line) || (isHeading && readTypeComment(text) !== null)) return null
  const { index = line.length, 0: separator = '' } = SEPARATOR.exec(line) ?? {}
  const date = onlyDate(shownIn(line.slice(0, index)))
  if (date === null || !mayBeRelease(date.at)) return null
  const rest = isHeading ? '' : source.slice(block.start + index + separator.length, block.end)
  return { date, rest: asParagraph(rest.trimStart()) }
}

/** A line, with symbols above it. */
const FIRST_WORDS = /^[^\p{L}\p{N}]*[^\n]*/u
/** `2024-01-02 • [Commits](https://…)`, `Released 2024-01-02, codename Door` */
const SEPARATOR =
  /(?<![ \t])[ \t]+[•·|][ \t]+|(?<=^[^\p{L}]*(?:released|published)\b.{6,40}\d),[ \t]+(?=\p{Ll})/iu
