import { Node } from './markdown/nodes.ts'
import type { MarkdownSource } from './markdown/source.ts'

/** `<details>` and all up to its end as one block of HTML: markdown parsers end such a block at the first blank line. */
export function joinDetails(nodes: readonly Node[], source: MarkdownSource): Node[] {
  const ends = endsOf(nodes)
  const joined: Node[] = []
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at] as Node
    const end = ends.get(at) ?? at
    const last = nodes[end] as Node
    joined.push(end === at ? node : new Node('HTMLBlock', source.text, node.start, last.end))
    at = end
  }
  return joined
}

/** Where each block that opens one is closed, if it is. */
function endsOf(nodes: readonly Node[]): Map<number, number> {
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
const opened = (node: Node): number =>
  node.type === 'html' ? count(node.value, /<details\b/gi) - count(node.value, /<\/details\s*>/gi) : 0

export const isDetails = (node: Node): boolean => node.type === 'html' && /^\s*<details\b/i.test(node.value)

/** What a `<details>` shows while it is closed. */
export function summaryOf(node: Node): string {
  const summary = node.type === 'html' ? /<summary[^>]*>(.*?)<\/summary\s*>/is.exec(node.value)?.[1] : ''
  const words = (summary ?? '').replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  return words.trim() || 'Details'
}
