import { Node } from '../markdown/nodes.ts'
import type { MarkdownSource } from '../markdown/source.ts'

/** `<details>` and all up to its end as one block of HTML: markdown parsers end such a block at the first blank line. */
export function joinDetails(nodes: readonly Node[], source: MarkdownSource): Node[] {
  const joined: Node[] = []
  /** From the block that opens one; all of it if that has no end. */
  let run: Node[] = []
  let depth = 0
  for (const node of nodes) {
    run.push(node)
    depth = Math.max(0, depth + opened(node))
    if (depth > 0) continue
    const [first = node] = run
    joined.push(first === node ? node : new Node('HTMLBlock', source.text, first.start, node.end))
    run = []
  }
  return [...joined, ...run]
}

/** How many more of them a block opens than it closes. */
const opened = ({ type, value }: Node): number =>
  type === 'html' ? value.split(/<details\b/i).length - value.split(/<\/details\s*>/i).length : 0

export const isDetails = (node: Node): boolean => node.type === 'html' && /^\s*<details\b/i.test(node.value)

/** The text that a `<details>` shows while it is closed. */
export function summaryOf(node: Node): string {
  const [, summary = ''] = /<summary[^<>]*>((?:(?!<summary).)*?)<\/summary\s*>/is.exec(node.value) ?? []
  const words = summary.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
  return words.trim() || 'Details'
}
