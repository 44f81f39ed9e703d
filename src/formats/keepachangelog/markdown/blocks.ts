import type { SyntaxNode, Tree } from '@lezer/common'
import { type BlockContext, type LeafBlock, type Line, parser, Table } from '@lezer/markdown'
import { decodeString } from 'micromark-util-decode-string'
import { identifier, targetOf } from './labels.ts'
import type { Block, Definition, Heading, List, ListItem, Paragraph, Phrase, TableCell } from './nodes.ts'
import { phrasesIn } from './phrases.ts'

/** Deeper blocks are text. */
const MAX_DEPTH = 50
const MAX_DEFINITION = 5000

/** Parses blocks; `phrases.ts` parses their content where that is needed. */
const blockParser = parser.configure({
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

/** A parsed part of a text, from the start of one top-level block to that of another. */
export interface ParsedPart {
  readonly tree: Tree
  /** Its position in the whole text. */
  readonly offset: number
  readonly text: string
}

/** The usual length of a part. */
const PART_LENGTH = 50_000

/**
 * Parses in parts, because the tree of a long text takes many times its memory. A block has ended where the next one
 * begins, so the last block of a part begins the next part. At a cut, a block ends whatever it is.
 * Parts between cuts are left out that lack what is wanted.
 */
export function* partsOf(text: string, cuts: readonly number[], wanted = ''): Generator<ParsedPart> {
  let from = 0
  let next = text.indexOf(wanted)
  for (const to of [...cuts, text.length]) {
    if (next < from) next = text.indexOf(wanted, from)
    if (next === -1) return
    if (to > from && next < to) yield* partsBetween(text, from, to)
    from = to
  }
}

function* partsBetween(text: string, from: number, to: number): Generator<ParsedPart> {
  let offset = from
  for (let length = PART_LENGTH; offset < to; ) {
    const lineEnd = offset + length < to ? text.indexOf('\n', offset + length) : -1
    const isLast = lineEnd === -1 || lineEnd >= to
    const part = text.slice(offset, isLast ? to : lineEnd)
    const tree = (part.includes('|') ? tableParser : blockParser).parse(part)
    const last = tree.topNode.lastChild?.from ?? part.length
    const end = isLast ? part.length : part.lastIndexOf('\n', last) + 1
    if (end > 0) {
      yield { tree, offset, text: part.slice(0, end) }
      offset += end
      length = PART_LENGTH
    } else length *= 2
  }
}

export interface BlockContents extends Pick<ParsedPart, 'offset' | 'text'> {
  /** The labels of all definitions in the whole text. */
  readonly labels: ReadonlySet<string>
}

/** The top-level blocks of a part. */
export function* blocksOf({ tree, offset, text }: ParsedPart, labels: ReadonlySet<string>): Generator<Block> {
  for (const block of blocksIn(tree.topNode, { offset, text, labels })) {
    if (block.start >= offset + text.length) return
    yield block
  }
}

export function* definitionsOf({ tree, offset, text }: ParsedPart): Generator<Definition> {
  const found: Definition[] = []
  tree.iterate({
    to: text.length,
    enter: (reference) => {
      const definition =
        reference.name === 'LinkReference' ? definitionAt(reference.node, text, offset) : null
      if (definition !== null && definition.start < offset + text.length) found.push(definition)
    },
  })
  yield* found
}

function* blocksIn(parent: SyntaxNode, source: BlockContents): Generator<Block> {
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
    const block = blockOf(node, source)
    if (block !== null) yield block
  }
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
  const names = { identifier: identifier(label), label: decodeString(label) }
  return { type: 'definition', ...names, ...target, start: offset + node.from, end: offset + node.to }
}

function blockOf(node: SyntaxNode, source: BlockContents): Block | null {
  const { name, from, to } = node
  switch (name) {
    case 'Paragraph':
      return new ParagraphNode(node, source)
    case 'BulletList':
    case 'OrderedList':
      return new ListNode(node, source)
    case 'ListMark':
      return null
  }
  if (name.includes('Heading')) return new HeadingNode(node, Number(name.at(-1)), source)
  const value = source.text.slice(from, to)
  const [start, end] = [source.offset + from, source.offset + to]
  switch (name) {
    case 'Blockquote':
      return { type: 'blockquote', children: [...blocksIn(node, source)], start, end }
    case 'FencedCode':
    case 'CodeBlock':
      return { type: 'code', isFenced: name === 'FencedCode', value: codeOf(node, value), start, end }
    case 'HTMLBlock':
    case 'CommentBlock':
    case 'ProcessingInstructionBlock':
      return { type: 'html', value, start, end }
    case 'HorizontalRule':
      return { type: 'thematicBreak', start, end }
    case 'LinkReference':
      return definitionAt(node, source.text, source.offset) ?? new ParagraphNode(node, source)
    case 'Table':
      return { type: 'table', children: cellsOf(node, source), start, end }
  }
  return null
}

/** Its children are parsed on demand; most never are. */
abstract class LazyNode<Child> {
  readonly start: number
  readonly end: number
  #children: Child[] | undefined

  constructor(
    protected readonly node: SyntaxNode,
    protected readonly source: BlockContents,
  ) {
    this.start = source.offset + node.from
    this.end = source.offset + node.to
  }

  get children(): Child[] {
    this.#children ??= this.parse()
    return this.#children
  }

  protected abstract parse(): Child[]
}

abstract class TextNode extends LazyNode<Phrase> {
  protected parse(): Phrase[] {
    const { text, offset, labels } = this.source
    const { from: start, to: end } = this.node
    // Looking for marks takes longer than the rest, and most texts are a line without any.
    const isHeading = this.node.name.includes('Heading')
    const isOneLine = !text.slice(start, end).includes('\n')
    const [first, last] = isHeading ? this.node.getChildren('HeaderMark') : []
    const isUnderlined = first !== undefined && first.from > start
    const from = isUnderlined || first === undefined ? start : first.to
    const to = isUnderlined ? first.from : (last?.from ?? end)
    const parts: string[] = []
    let at = from
    // Quote marks become blanks.
    for (const mark of isOneLine ? [] : this.node.getChildren('QuoteMark')) {
      if (mark.from < at || mark.to > to) continue
      parts.push(text.slice(at, mark.from), ' ')
      at = mark.to
    }
    const own = parts.join('') + text.slice(at, to)
    const blanks = own.length - own.trimStart().length
    return phrasesIn(own.trim(), offset + from + blanks, labels)
  }
}

class ParagraphNode extends TextNode implements Paragraph {
  readonly type = 'paragraph'
}

class TableCellNode extends TextNode implements TableCell {
  readonly type = 'tableCell'
}

class HeadingNode extends TextNode implements Heading {
  readonly type = 'heading'
  depth: number

  constructor(node: SyntaxNode, depth: number, source: BlockContents) {
    super(node, source)
    this.depth = depth
  }
}

class ListNode extends LazyNode<ListItem> implements List {
  readonly type = 'list'

  protected parse(): ListItem[] {
    return this.node.getChildren('ListItem').map((item) => itemOf(item, this.source))
  }
}

function itemOf(node: SyntaxNode, source: BlockContents): ListItem {
  const children = [...blocksIn(node, source)]
  return { type: 'listItem', children, start: source.offset + node.from, end: source.offset + node.to }
}

/** The lines between the fences, or all. */
function codeOf(node: SyntaxNode, value: string): string {
  const marks = node.getChildren('CodeMark')
  if (marks.length === 0) return value
  const lines = value.split('\n').slice(1)
  return (marks.length > 1 ? lines.slice(0, -1) : lines).join('\n')
}

const cellsOf = (table: SyntaxNode, source: BlockContents): TableCell[] =>
  ['TableHeader', 'TableRow']
    .flatMap((name) => table.getChildren(name))
    .flatMap((row) => row.getChildren('TableCell'))
    .map((cell) => new TableCellNode(cell, source))
