import { oneLine } from './markdown/lines.ts'
import type { Block } from './markdown/nodes.ts'
import type { MarkdownSource } from './markdown/source.ts'

/** `<details>` and all up to its end as one block of HTML: markdown parsers end such a block at the first blank line. */
export function joinDetails(nodes: readonly Block[], source: MarkdownSource): Block[] {
  const joined: Block[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Block
    const end = opened(node) > 0 ? endOf(nodes, at) : -1
    const last = nodes[end]
    if (last === undefined) joined.push(node)
    else {
      const value = source.text.slice(node.start, last.end)
      joined.push({ type: 'html', start: node.start, end: last.end, value })
      at = end
    }
  }
  return joined
}

/** Where the block that begins here is closed; -1 if it is not. */
function endOf(nodes: readonly Block[], from: number): number {
  let depth = 0
  for (let at = from; at < nodes.length; at++) {
    depth += opened(nodes[at] as Block)
    if (depth <= 0) return at
  }
  return -1
}

const count = (text: string, tag: RegExp): number => text.match(tag)?.length ?? 0

/** How many more of them a block opens than it closes. */
const opened = (node: Block): number =>
  node.type === 'html' ? count(node.value, /<details\b/gi) - count(node.value, /<\/details\s*>/gi) : 0

export const isDetails = (node: Block): boolean => node.type === 'html' && /^\s*<details\b/i.test(node.value)

/** What a `<details>` shows while it is closed. */
export function summaryOf(node: Block): string {
  const summary = node.type === 'html' ? /<summary[^>]*>(.*?)<\/summary\s*>/is.exec(node.value)?.[1] : ''
  return (
    oneLine((summary ?? '').replace(/<[^>]*>/g, ''))
      .replace(/\s+/g, ' ')
      .trim() || 'Details'
  )
}
