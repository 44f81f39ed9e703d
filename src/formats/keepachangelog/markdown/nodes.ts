/** The syntax tree of a markdown text. Every node has its position. */
interface SourceRange {
  readonly start: number
  readonly end: number
}

/** A node with others below it, or with phrases, which are parsed on demand. */
export interface Parent<Type, Child> extends SourceRange {
  type: Type
  readonly children: Child[]
}
interface Leaf<Type> extends SourceRange {
  type: Type
  value: string
}

/** Inline content. */
export type Phrase =
  | Leaf<'text' | 'inlineCode' | 'html' | 'image' | 'break'>
  | Parent<'emphasis' | 'strong' | 'link', Phrase>
  | Reference

/** A link or an image with the address of a definition. */
export interface Reference extends Parent<'linkReference' | 'imageReference', Phrase> {
  identifier: string
  /** Where the address goes: after the text in brackets, replacing a label or empty brackets. */
  tail: number
  /** Whether it has a label of its own: `[text][label]`. */
  isFull: boolean
}

export interface Heading extends Parent<'heading', Phrase> {
  depth: number
}
export type Paragraph = Parent<'paragraph', Phrase>
export type TableCell = Parent<'tableCell', Phrase>
export type List = Parent<'list', ListItem>
export type ListItem = Parent<'listItem', Block>

interface Code extends SourceRange {
  type: 'code'
  isFenced: boolean
}
interface Rule extends SourceRange {
  type: 'thematicBreak'
}
/** `[label]: https://… "title"`. */
export interface Definition extends SourceRange {
  type: 'definition'
  identifier: string
  label: string
  url: string
  title: string | null
  /** As it is written. */
  source: string
}

type Container = List | Parent<'blockquote', Block> | Parent<'table', TableCell>
export type Block = Heading | Paragraph | Container | Code | Leaf<'html'> | Rule | Definition
export type Phrases = Heading | Paragraph | TableCell | Extract<Phrase, { children: Phrase[] }>
export type Node = Block | ListItem | TableCell | Phrase

export const isList = (node: Block): node is List => node.type === 'list'

/** Whether a list of this text is numbered. */
export const isNumbered = ({ start }: List, text: string): boolean => /^\d/.test(text.charAt(start))

export const isComment = (node: Block): boolean =>
  node.type === 'html' && /^<!--[\s\S]*-->\s*$/.test(node.value)

export function definitionsIn(node: Node): Definition[] {
  if (node.type === 'definition') return [node]
  if (node.type === 'paragraph' || node.type === 'heading' || !('children' in node)) return []
  return node.children.flatMap(definitionsIn)
}

export const holds = ({ children }: Phrases, types: Phrase['type'][]): boolean =>
  children.some((child) => types.includes(child.type) || ('children' in child && holds(child, types)))

/** What is shown of a heading or paragraph, without its markup. */
export function textOf({ children }: Phrases): string {
  const text = children.map((child) => {
    if ('children' in child) return textOf(child)
    if (child.type === 'break') return ' '
    return child.type === 'text' || child.type === 'inlineCode' ? child.value : ''
  })
  return text.join('').replace(/[ \t]*\n[ \t]*/g, '\n')
}

/** Without rules (`---`) at both ends. */
export function withoutRules(nodes: Block[]): Block[] {
  const first = nodes.findIndex((node) => node.type !== 'thematicBreak')
  return first === -1
    ? []
    : nodes.slice(first, nodes.findLastIndex((node) => node.type !== 'thematicBreak') + 1)
}
