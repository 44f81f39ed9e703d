import { decodeString } from 'micromark-util-decode-string'
import { endsFence, openingFence } from '../../domain/text/fences.ts'
import { columnAt, width } from './lines.ts'

/** The types of nodes, and the names that the parser has for them. */
const NAMES = {
  heading:
    'ATXHeading1 ATXHeading2 ATXHeading3 ATXHeading4 ATXHeading5 ATXHeading6 SetextHeading1 SetextHeading2',
  paragraph: 'Paragraph',
  list: 'BulletList OrderedList',
  listItem: 'ListItem',
  blockquote: 'Blockquote',
  code: 'FencedCode CodeBlock',
  html: 'HTMLBlock CommentBlock ProcessingInstructionBlock HTMLTag Comment ProcessingInstruction',
  thematicBreak: 'HorizontalRule',
  definition: 'LinkReference',
  table: 'Table',
  row: 'TableHeader TableRow',
  tableCell: 'TableCell',
  text: 'Text Escape Entity',
  inlineCode: 'InlineCode',
  emphasis: 'Emphasis',
  strong: 'StrongEmphasis',
  link: 'Link Autolink',
  image: 'Image',
  break: 'HardBreak',
} as const

export type NodeType = keyof typeof NAMES

const TYPES = new Map(
  Object.entries(NAMES).flatMap(([type, names]) =>
    names.split(' ').map((name) => [name, type as NodeType] as const),
  ),
)

/** False for the parser's names of punctuation. */
export const isNode = (name: string): boolean => TYPES.has(name)

/** A block of a text, or a phrase in one, with its position. What is inside is parsed on demand; most never is. */
export class Node {
  readonly type: NodeType
  /** The definition that a link or an image refers to, and where its address goes: behind the text in brackets. */
  reference?: { identifier: string; start: number }
  #children: readonly Node[] | undefined

  constructor(
    readonly name: string,
    /** The whole one. */
    private readonly text: string,
    readonly start: number,
    readonly end: number,
    private readonly parse: (node: Node) => readonly Node[] = () => [],
  ) {
    this.type = TYPES.get(name) ?? 'text'
  }

  get children(): readonly Node[] {
    this.#children ??= this.parse(this)
    return this.#children
  }

  /** The text as it is written. */
  get value(): string {
    return this.text.slice(this.start, this.end)
  }

  /** The level of a heading. */
  get depth(): number {
    return Number(this.name.at(-1))
  }

  get isFenced(): boolean {
    return this.name === 'FencedCode'
  }

  /** The mark that would end fenced code, if nothing does. */
  get openFence(): string {
    const [first = '', ...others] = this.isFenced ? this.value.split('\n') : []
    const mark = openingFence(first)
    const [, indent = '', last = ''] = /^([ \t>]*)(.*)$/.exec(others.at(-1) ?? '') ?? []
    return width(indent) < columnAt(this.text, this.start) + 4 && endsFence(last, mark) ? '' : mark
  }
}

export const isList = ({ type }: Node): boolean => type === 'list'

export const isNumbered = ({ name }: Node): boolean => name === 'OrderedList'

export const isComment = ({ type, value }: Node): boolean =>
  type === 'html' && /^<!--[\s\S]*-->\s*$/.test(value)

/** True for blocks that consist of phrases. */
export const isText = ({ type }: Node): boolean =>
  type === 'paragraph' || type === 'heading' || type === 'tableCell'

/** Where the words of a heading begin and end; of others, where it does. */
export function wordsOf({ type, value, depth, start, end }: Node): [start: number, end: number] {
  if (type !== 'heading') return [start, end]
  const underline = value.lastIndexOf('\n')
  const marks = underline === -1 ? depth : 0
  const words = underline === -1 ? value.slice(marks).replace(CLOSING_MARKS, '') : value.slice(0, underline)
  const from = start + marks + words.length - words.trimStart().length
  return [from, from + words.trim().length]
}

const CLOSING_MARKS = /(?<=^|[ \t])#+[ \t]*$/

/** The blocks of some types, outermost ones only. */
export const blocksOfType = (nodes: readonly Node[], is: (node: Node) => boolean): Node[] =>
  nodes.flatMap((node) => (is(node) ? node : isText(node) ? [] : blocksOfType(node.children, is)))

export const holds = ({ children }: Node, types: readonly NodeType[]): boolean =>
  children.some((child) => types.includes(child.type) || holds(child, types))

/** The text of a heading or paragraph without its markup. */
export const textOf = ({ children }: Node): string =>
  children
    .map((child) => SHOWN[child.type]?.(child.value) ?? textOf(child))
    .join('')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')

const SHOWN: Partial<Record<NodeType, (written: string) => string>> = {
  text: (written) => (/^[\\&]/.test(written) ? decodeString(written) : written),
  inlineCode: (written) => written.replace(/^(`+)(.*)\1$/s, '$2'),
  break: () => ' ',
}

/** Drops rules (`---`) at both ends. */
export function withoutRules(nodes: readonly Node[]): Node[] {
  const isRule = ({ type }: Node) => type === 'thematicBreak'
  const first = nodes.findIndex((node) => !isRule(node))
  return first === -1 ? [] : nodes.slice(first, nodes.findLastIndex((node) => !isRule(node)) + 1)
}

/** Drops trailing anchors, which belong to the heading below. */
export const withoutAnchors = (nodes: readonly Node[]): Node[] =>
  nodes.slice(0, nodes.findLastIndex((node) => !isAnchor(node)) + 1)

/** `<a name="1.2.0"></a>`, `<br />` or a rule above a heading. */
export const isAnchor = ({ type, value }: Node): boolean =>
  type === 'thematicBreak' || ((type === 'html' || type === 'paragraph') && ANCHORS.test(value))

const ANCHORS = /^(?:<(?:a\s[^>]*(?:\/>|>\s*<\/a>)|br\s*\/?>)\s*)+$/
