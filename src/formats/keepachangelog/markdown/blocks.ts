import type { SyntaxNode, Tree } from '@lezer/common'
import { type BlockContext, type LeafBlock, type Line, parser as markdown, Table } from '@lezer/markdown'
import { decodeString } from 'micromark-util-decode-string'
import { identifier, targetOf } from './labels.ts'
import type { Block, Definition, ListItem, Parent, Phrase, TableCell } from './nodes.ts'
import { phrasesIn } from './phrases.ts'

/** Deeper blocks are text. */
const MAX_DEPTH = 50
const MAX_DEFINITION = 5000

/** Parses blocks; `phrases.ts` parses their content where that is needed. */
const blockParser = markdown.configure({
  remove: [
    ...['Escape', 'Entity', 'InlineCode', 'HTMLTag', 'Emphasis'],
    ...['HardBreak', 'Link', 'Image', 'LinkEnd'],
  ],
  parseBlock: [
    { name: 'TooDeep', before: 'LinkReference', parse: readTooDeep },
    { name: 'LongDefinition', endLeaf: isLongDefinition },
  ],
})
/** Looks at each paragraph for tables, which most texts do not have. */
const tableParser = blockParser.configure(Table)

// Without inline parsers there is nothing to find, but the parser would still look at each character.
for (const one of [blockParser, tableParser]) one.parseInline = () => []

function readTooDeep(context: BlockContext, line: Line): boolean {
  if (context.depth <= MAX_DEPTH) return false
  const start = context.lineStart
  context.addElement(context.elt('Paragraph', start + line.pos, start + line.text.length))
  context.nextLine()
  return true
}

/** A title without an end would be parsed again at each line. Only the beginning of a long paragraph is checked. */
function isLongDefinition(_context: BlockContext, _line: Line, leaf: LeafBlock): boolean {
  if (leaf.content.length <= MAX_DEFINITION || longLeaves.has(leaf)) return false
  longLeaves.add(leaf)
  return /^\s*\[[^\]]+\]:/.test(leaf.content)
}

const longLeaves = new WeakSet<LeafBlock>()

/** A parsed part of a text, between two places where a block begins. */
export interface ParsedPart {
  readonly tree: Tree
  /** Its position in the whole text. */
  readonly offset: number
  readonly text: string
}

/**
 * The parts above the first cut, then from each to the next, parsed one by one, because the tree of a long text takes many
 * times its memory. Parts that lack what is wanted are left out.
 */
export function* partsOf(text: string, cuts: readonly number[], wanted = ''): Generator<ParsedPart> {
  let offset = 0
  for (const to of [...cuts, text.length]) {
    const part = text.slice(offset, to)
    const parser = part.includes('|') ? tableParser : blockParser
    if (part.includes(wanted)) yield { tree: parser.parse(part), offset, text: part }
    offset = to
  }
}

interface BlockContents extends Pick<ParsedPart, 'offset' | 'text'> {
  /** The labels of all definitions in the whole text. */
  readonly labels: ReadonlySet<string>
}

/** The top-level blocks of a part. */
export const blocksOf = ({ tree, ...part }: ParsedPart, labels: ReadonlySet<string>): Block[] =>
  blocksIn(tree.topNode, { ...part, labels })

export function definitionsOf({ tree, offset, text }: ParsedPart): Definition[] {
  const found: Definition[] = []
  tree.iterate({
    enter: ({ name, node }) => {
      const definition = name === 'LinkReference' ? definitionAt(node, text, offset) : null
      if (definition !== null) found.push(definition)
    },
  })
  return found
}

function blocksIn(parent: SyntaxNode, source: BlockContents): Block[] {
  const blocks: Block[] = []
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    const block = blockOf(node, source)
    if (block !== null) blocks.push(block)
  }
  return blocks
}

/** `[x]: https://…`. The parser also takes `[^1]: note`, a footnote, and `[B]: Breaking` for one. */
function definitionAt(node: SyntaxNode, text: string, offset: number): Definition | null {
  const parts: { [name: string]: SyntaxNode | undefined } = {}
  for (let child = node.firstChild; child !== null; child = child.nextSibling) parts[child.name] ??= child
  const { LinkLabel: mark, URL: url, LinkTitle: title } = parts
  const own = (part: SyntaxNode) => text.slice(part.from, part.to)
  const label = mark ? own(mark).slice(1, -1) : '^'
  if (label.startsWith('^')) return null
  // `- [B]: Breaking` has no address.
  if (node.parent?.name === 'ListItem' && url && !/[/.#:@<?]/.test(own(url))) return null
  const target = targetOf(url ? own(url) : '', title ? own(title) : null)
  const names = { identifier: identifier(label), label: decodeString(label), source: own(node) }
  return { type: 'definition', ...names, ...target, start: offset + node.from, end: offset + node.to }
}

function blockOf(node: SyntaxNode, source: BlockContents): Block | null {
  const { name, from, to } = node
  const [start, end] = [source.offset + from, source.offset + to]
  if (name.includes('Heading'))
    return Object.assign(textNode('heading', node, source), { depth: Number(name.at(-1)) })
  switch (name) {
    case 'Paragraph':
      return textNode('paragraph', node, source)
    case 'BulletList':
    case 'OrderedList':
      return { type: 'list', children: itemsOf(node, source), start, end }
    case 'Blockquote':
      return { type: 'blockquote', children: blocksIn(node, source), start, end }
    case 'FencedCode':
    case 'CodeBlock':
      return { type: 'code', isFenced: name === 'FencedCode', start, end }
    case 'HTMLBlock':
    case 'CommentBlock':
    case 'ProcessingInstructionBlock':
      return { type: 'html', value: source.text.slice(from, to), start, end }
    case 'HorizontalRule':
      return { type: 'thematicBreak', start, end }
    case 'LinkReference':
      return definitionAt(node, source.text, source.offset) ?? textNode('paragraph', node, source)
    case 'Table':
      return { type: 'table', children: cellsOf(node, source), start, end }
  }
  return null
}

const itemsOf = (list: SyntaxNode, source: BlockContents): ListItem[] =>
  list.getChildren('ListItem').map((item) => ({
    ...{ type: 'listItem', children: blocksIn(item, source) },
    ...{ start: source.offset + item.from, end: source.offset + item.to },
  }))

const cellsOf = (table: SyntaxNode, source: BlockContents): TableCell[] =>
  ['TableHeader', 'TableRow']
    .flatMap((name) => table.getChildren(name))
    .flatMap((row) => row.getChildren('TableCell'))
    .map((cell) => textNode('tableCell', cell, source))

/** Its phrases are parsed on demand; most never are. */
function textNode<T extends string>(type: T, node: SyntaxNode, source: BlockContents): Parent<T, Phrase> {
  let phrases: Phrase[] | undefined
  return {
    ...{ type, start: source.offset + node.from, end: source.offset + node.to },
    get children() {
      phrases ??= phrasesOf(node, source)
      return phrases
    },
  }
}

function phrasesOf(node: SyntaxNode, { text, offset, labels }: BlockContents): Phrase[] {
  const { from: start, to: end } = node
  // Looking for marks takes longer than the rest, and most texts are a line without any.
  const isOneLine = !text.slice(start, end).includes('\n')
  const [first, last] = node.name.includes('Heading') ? node.getChildren('HeaderMark') : []
  const isUnderlined = first !== undefined && first.from > start
  const from = isUnderlined || first === undefined ? start : first.to
  const to = isUnderlined ? first.from : (last?.from ?? end)
  const parts: string[] = []
  let at = from
  // Quote marks become blanks.
  for (const mark of isOneLine ? [] : node.getChildren('QuoteMark')) {
    if (mark.from < at || mark.to > to) continue
    parts.push(text.slice(at, mark.from), ' ')
    at = mark.to
  }
  const own = parts.join('') + text.slice(at, to)
  const blanks = own.length - own.trimStart().length
  return phrasesIn(own.trim(), offset + from + blanks, labels)
}
