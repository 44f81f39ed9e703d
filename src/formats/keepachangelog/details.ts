import type { Block } from './markdown/nodes.ts'
import type { MarkdownSource } from './markdown/source.ts'

/** `<details>` and all up to its end as one block of HTML: markdown parsers end such a block at the first blank line. */
export function joinDetails(nodes: readonly Block[], source: MarkdownSource): Block[] {
  const ends = endsOf(nodes)
  const joined: Block[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Block
    const end = ends.get(at) ?? at
    const last = nodes[end] as Block
    const value = source.text.slice(node.start, last.end)
    joined.push(end === at ? node : { type: 'html', start: node.start, end: last.end, value })
    at = end
  }
  return joined
}

/** Where each block that opens one is closed, if it is. */
function endsOf(nodes: readonly Block[]): Map<number, number> {
  const open: number[] = []
  const ends = new Map<number, number>()
  for (const [at, node] of nodes.entries()) {
    let depth = opened(node)
    for (; depth > 0; depth--) open.push(at)
    for (; depth < 0; depth++) ends.set(open.pop() ?? at, at)
  }
  return ends
}

const count = (text: string, tag: RegExp): number => text.match(tag)?.length ?? 0

/** How many more of them a block opens than it closes. */
const opened = (node: Block): number =>
  node.type === 'html' ? count(node.value, /<details\b/gi) - count(node.value, /<\/details\s*>/gi) : 0

export const isDetails = (node: Block): boolean => node.type === 'html' && /^\s*<details\b/i.test(node.value)

/** What a `<details>` shows while it is closed. */
export function summaryOf(node: Block): string {
  const summary = node.type === 'html' ? /<summary[^>]*>(.*?)<\/summary\s*>/is.exec(node.value)?.[1] : ''
  const words = (summary ?? '').replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  return words.trim() || 'Details'
}
