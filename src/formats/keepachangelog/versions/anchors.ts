import type { Node } from '../markdown/nodes.ts'

/** Without trailing anchors, which belong to the heading below. */
export const withoutAnchors = (nodes: readonly Node[]): Node[] =>
  nodes.slice(0, nodes.findLastIndex((node) => !isAnchor(node)) + 1)

/** `<a name="1.2.0"></a>`, `<br />` or a rule above a heading. */
export const isAnchor = ({ type, value }: Node): boolean =>
  type === 'thematicBreak' || ((type === 'html' || type === 'paragraph') && ANCHORS.test(value))

const ANCHORS = /^(?:<(?:a\s[^>]*(?:\/>|>\s*<\/a>)|br\s*\/?>)\s*)+$/
