/** The syntax tree of a markdown text. Every node has its position. */
interface SourceRange {
  readonly start: number
  readonly end: number
}

/** Inline content. */
export type Phrase =
  | (SourceRange & { type: 'text' | 'inlineCode' | 'html'; value: string })
  | (SourceRange & { type: 'image' | 'break' })
  | (SourceRange & { type: 'emphasis' | 'strong'; children: Phrase[] })
  | Link
  | Reference

export interface Link extends SourceRange {
  type: 'link'
  url: string
  title: string | null
  children: Phrase[]
}

/** A link or an image with the address of a definition. */
export interface Reference extends SourceRange {
  type: 'linkReference' | 'imageReference'
  identifier: string
  /** Where the address goes: after the text in brackets, replacing a label or empty brackets. */
  tail: number
  /** Whether it has a label of its own: `[text][label]`. */
  isFull: boolean
  children: Phrase[]
}

/** The phrases of a block are parsed on demand; most never are. */
export interface Heading extends SourceRange {
  type: 'heading'
  depth: number
  readonly children: Phrase[]
}
export interface Paragraph extends SourceRange {
  type: 'paragraph'
  readonly children: Phrase[]
}
export interface TableCell extends SourceRange {
  type: 'tableCell'
  readonly children: Phrase[]
}

export interface List extends SourceRange {
  type: 'list'
  readonly children: ListItem[]
}
export interface ListItem extends SourceRange {
  type: 'listItem'
  readonly children: Block[]
}
interface Blockquote extends SourceRange {
  type: 'blockquote'
  readonly children: Block[]
}
interface Table extends SourceRange {
  type: 'table'
  readonly children: TableCell[]
}
interface Code extends SourceRange {
  type: 'code'
  isFenced: boolean
  value: string
}
interface Html extends SourceRange {
  type: 'html'
  value: string
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
}

export type Block = Heading | Paragraph | List | Blockquote | Table | Code | Html | Rule | Definition
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
  const text = children.map((child) =>
    'children' in child
      ? textOf(child)
      : child.type === 'text' || child.type === 'inlineCode'
        ? child.value
        : child.type === 'break'
          ? ' '
          : '',
  )
  return text.join('').replace(/[ \t]*\n[ \t]*/g, '\n')
}

/** Without rules (`---`) at both ends. */
export function withoutRules(nodes: Block[]): Block[] {
  const first = nodes.findIndex((node) => node.type !== 'thematicBreak')
  return first === -1
    ? []
    : nodes.slice(first, nodes.findLastIndex((node) => node.type !== 'thematicBreak') + 1)
}
