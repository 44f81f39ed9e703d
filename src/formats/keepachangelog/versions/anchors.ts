import type { Node } from '../markdown/nodes.ts'

/** Without trailing anchors, which belong to the heading below. */
export const withoutAnchors = (nodes: readonly Node[]): Node[] =>
  nodes.slice(0, nodes.findLastIndex((node) => !isAnchor(node)) + 1)

/** `<a name="1.2.0"></a>`, `<br />` or a rule above a heading. */
export function isAnchor(node: Node): boolean {
  if (node.type === 'thematicBreak') return true
  if (node.type === 'html') return /^(?:<(?:a\s[^>]*(?:\/>|>\s*<\/a>)|br\s*\/?>)\s*)+$/.test(node.value)
  return (
    node.type === 'paragraph' &&
    node.children.every((child) =>
      child.type === 'html'
        ? /^<\/?(?:a|br)\b/.test(child.value)
        : child.type === 'text' && child.value.trim() === '',
    )
  )
}
