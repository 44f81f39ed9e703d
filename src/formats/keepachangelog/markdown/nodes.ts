import type { Code, Definition, List, Nodes, Parents, RootContent } from 'mdast'

/** Questions about nodes of the syntax tree. */

export function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0
}

export function endOf(node: Nodes): number {
  return node.position?.end.offset ?? 0
}

export function isList(node: RootContent): node is List {
  return node.type === 'list'
}

/** Whether the block is an HTML comment and nothing else. */
export function isComment(node: RootContent): boolean {
  return node.type === 'html' && /^<!--[\s\S]*-->\s*$/.test(node.value)
}

/** Code between fences, as opposed to indented code. */
export function isFencedCode(node: Nodes, text: string): node is Code {
  return node.type === 'code' && /[`~]/.test(text[startOf(node)] ?? '')
}

/** `[x]: https://…`. The parser takes `[^1]: note` for one as well; that is a footnote, and content. */
export function isLinkDefinition(node: Nodes): node is Definition {
  return node.type === 'definition' && !node.identifier.startsWith('^')
}

export function definitionsIn(node: Nodes): Definition[] {
  if (isLinkDefinition(node)) return [node]
  if (node.type === 'paragraph' || node.type === 'heading') return []
  return 'children' in node ? node.children.flatMap(definitionsIn) : []
}

/** Whether a node of one of these types is anywhere inside. */
export function holds(node: Parents, types: Nodes['type'][]): boolean {
  return node.children.some(
    (child) => types.includes(child.type) || ('children' in child && holds(child, types)),
  )
}

/** Moves a node, and what is in it, to another place of a text. */
export function shift(node: Nodes, offset: number, lines: number): void {
  if (offset === 0 && lines === 0) return
  if (node.position !== undefined) {
    for (const point of [node.position.start, node.position.end]) {
      point.offset = (point.offset ?? 0) + offset
      point.line += lines
    }
  }
  if ('children' in node) for (const child of node.children) shift(child, offset, lines)
}

/** Without the rules (`---`) at both ends. */
export function withoutRules(nodes: RootContent[]): RootContent[] {
  const first = nodes.findIndex((node) => node.type !== 'thematicBreak')
  return first === -1
    ? []
    : nodes.slice(first, nodes.findLastIndex((node) => node.type !== 'thematicBreak') + 1)
}
