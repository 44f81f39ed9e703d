import type { SyntaxNode, Tree } from '@lezer/common'
import { type BlockContext, type LeafBlock, type Line, parser as markdown, Table } from '@lezer/markdown'
import { decodeString } from 'micromark-util-decode-string'
import { once } from '../../domain/objects.ts'
import { identifier, targetOf } from './labels.ts'
import { isNode, isText, Node, wordsOf } from './nodes.ts'
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
  /** The position of the block in the whole text. */
  readonly offset: number
  readonly text: string
  /** By where they begin. A text may have thousands, which are read once. */
  readonly definitions: () => ReadonlyMap<number, Definition>
}

/**
 * The parts above the first cut, then from each to the next, parsed one by one, because the tree of a long text takes many
 * times its memory. Parts that lack what is wanted are left out. `known` is not parsed again.
 */
export function* partsOf(
  text: string,
  cuts: readonly number[],
  { wanted = '', known }: { wanted?: string; known?: ParsedPart | undefined },
): Generator<ParsedPart> {
  let offset = 0
  for (const to of [...cuts, text.length]) {
    const part = text.slice(offset, to)
    if (known?.offset === offset && to > offset) yield known
    else if (part.includes(wanted)) yield parsePart(part, offset)
    offset = to
  }
}

function parsePart(text: string, offset: number): ParsedPart {
  const tree = (text.includes('|') ? tableParser : blockParser).parse(text)
  return { tree, offset, text, definitions: once(() => definitionsIn(tree, text)) }
}

/** The top-level blocks of a part of a text that has definitions of these labels. */
export function blocksOf(part: ParsedPart, text: string, labels: ReadonlySet<string>): Node[] {
  const { tree, offset } = part
  const parse = (syntax: SyntaxNode) => (node: Node) =>
    isText(node) ? phrasesIn(text, ...wordsOf(node), labels) : within(syntax)
  const within = (parent: SyntaxNode): Node[] => {
    const blocks: Node[] = []
    for (let own = parent.firstChild; own !== null; own = own.nextSibling) {
      if (!isNode(own.name)) continue
      const isOther = own.name === 'LinkReference' && !part.definitions().has(own.from)
      const name = isOther ? 'Paragraph' : own.name
      blocks.push(new Node(name, text, offset + own.from, offset + own.to, parse(own)))
    }
    return blocks
  }
  return within(tree.topNode)
}

/** `[label]: https://… "title"`. */
export interface Definition {
  identifier: string
  label: string
  url: string
  title: string | null
  /** The text as it is written. */
  source: string
}

function definitionsIn(tree: Tree, text: string): Map<number, Definition> {
  const definitions = new Map<number, Definition>()
  tree.iterate({
    enter: (found) => {
      const definition = found.name === 'LinkReference' ? definitionAt(found.node, text) : null
      if (definition !== null) definitions.set(found.from, definition)
    },
  })
  return definitions
}

/** The parser also takes `[^1]: note`, a footnote, and `[B]: Breaking` for one. */
function definitionAt(node: SyntaxNode, text: string): Definition | null {
  const written: Record<string, string> = {}
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    written[child.name] = text.slice(child.from, child.to)
  const { LinkLabel = '[^', URL: url = '', LinkTitle = null } = written
  const label = LinkLabel.slice(1, -1)
  if (LinkLabel.startsWith('[^')) return null
  // `- [B]: Breaking` has no address.
  if (node.parent?.name === 'ListItem' && url && !/[/.#:@<?]/.test(url)) return null
  const names = { identifier: identifier(label), label: decodeString(label) }
  return { ...names, ...targetOf(url, LinkTitle), source: text.slice(node.from, node.to) }
}
