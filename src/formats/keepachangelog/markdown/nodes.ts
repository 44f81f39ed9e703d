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
  return 'children' in node ? node.children.flatMap(definitionsIn) : []
}

/** Whether a node of one of these types is anywhere inside. */
export function holds(node: Parents, types: Nodes['type'][]): boolean {
  return node.children.some(
    (child) => types.includes(child.type) || ('children' in child && holds(child, types)),
  )
}

/** Removes the rules (`---`) at both ends of the list itself, and returns it. */
export function trimRules(nodes: RootContent[]): RootContent[] {
  while (nodes[0]?.type === 'thematicBreak') nodes.shift()
  while (nodes.at(-1)?.type === 'thematicBreak') nodes.pop()
  return nodes
}
