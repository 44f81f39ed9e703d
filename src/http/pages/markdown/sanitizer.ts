import type { ElementContent, Root, RootContent } from 'hast'
import { type Schema, sanitize } from 'hast-util-sanitize'
import { type DefaultTreeAdapterMap, defaultTreeAdapter, html, Parser, serialize, Token } from 'parse5'
import { MAX_ELEMENTS } from './bounds.ts'
import { AUTHORED, PHRASES } from './elements.ts'

/** The HTML of rendered markdown, of which only what authors may write stays; other tags are shown as text. */
export const sanitizeBlocks = (rendered: string): string => write(clean(read(rendered, BlockParser)))

/** The same for a part of a line: what would be a block is its content only. */
export const sanitizeLine = (rendered: string): string => write(clean(read(rendered, LineParser)))

/** How many elements are open at once, so that no work grows with their depth: tags beyond it are left out. */
const MAX_OPEN = 60
/** How many tags and elements of a text are read, as one may become many. The rest is left out: it would not be shown anyway. */
const MAX_READ = 3 * MAX_ELEMENTS

type Tree = DefaultTreeAdapterMap

/** Parses as browsers do, except that tags authors may not write are text, and comments are nothing. */
class BlockParser extends Parser<Tree> {
  /** What is being parsed. */
  source = ''
  private amount = 0

  override onStartTag(token: Token.TagToken): void {
    if (++this.amount > MAX_READ) return
    if (!AUTHORED.has(token.tagName)) this.show(token)
    else if (this.isPlaced(token.tagName) && this.openElements.stackTop < MAX_OPEN) super.onStartTag(token)
  }

  override onEndTag(token: Token.TagToken): void {
    if (this.amount > MAX_READ) return
    if (!AUTHORED.has(token.tagName)) this.show(token)
    else if (this.isPlaced(token.tagName)) super.onEndTag(token)
  }

  /** Browsers take more for comments than authors do, such as `<?php ?>`. */
  override onComment(token: Token.CommentToken): void {
    if (token.location && !this.sourceOf(token).startsWith('<!--')) this.show(token)
  }

  override onDoctype(token: Token.DoctypeToken): void {
    this.show(token)
  }

  override onCharacter(token: Token.CharacterToken): void {
    if (this.amount <= MAX_READ) super.onCharacter(token)
  }

  override onItemPush(node: Tree['parentNode'], tag: number, isTop: boolean): void {
    this.amount++
    super.onItemPush(node, tag, isTop)
  }

  /** Whether an element may be here at all. */
  protected isPlaced(_name: string): boolean {
    return true
  }

  private show(token: Token.Token): void {
    const chars = this.sourceOf(token)
    this.onCharacter({ type: Token.TokenType.CHARACTER, chars, location: token.location })
  }

  private sourceOf({ location }: Token.Token): string {
    return this.source.slice(location?.startOffset, location?.endOffset)
  }
}

class LineParser extends BlockParser {
  protected override isPlaced(name: string): boolean {
    return PHRASES.has(name)
  }
}

/** What is shown as text begins so. To know where it stands takes a fifth of the time, so it is asked for only then. */
const SHOWN = new RegExp(
  `<(?=[a-z/!?])(?!!--|/?(?:${[...AUTHORED.keys()].join('|')})(?=[\\t\\n\\f\\r />]))`,
  'i',
)

function read(rendered: string, Reader: typeof BlockParser): Root {
  const context = defaultTreeAdapter.createElement('div', html.NS.HTML, [])
  const options = { sourceCodeLocationInfo: SHOWN.test(rendered) }
  const parser = Reader.getFragmentParser<Tree>(context, options) as BlockParser
  parser.source = rendered
  parser.tokenizer.write(rendered, true)
  return { type: 'root', children: parser.getFragment().childNodes.flatMap(toHast) }
}

/** A node of the parser as the sanitizer knows it. */
function toHast(node: Tree['childNode']): ElementContent[] {
  if (defaultTreeAdapter.isTextNode(node)) return [{ type: 'text', value: node.value }]
  if (!defaultTreeAdapter.isElementNode(node)) return []
  const properties = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
  return [{ type: 'element', tagName: node.tagName, properties, children: node.childNodes.flatMap(toHast) }]
}

const SCHEMA: Schema = {
  tagNames: [...AUTHORED.keys()],
  attributes: Object.fromEntries([...AUTHORED].map(([name, attributes]) => [name, [...attributes]])),
  protocols: { href: ['http', 'https', 'mailto'], src: ['https'] },
  ancestors: {
    ...Object.fromEntries(
      ['caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((name) => [name, ['table']]),
    ),
    li: ['ul', 'ol'],
    source: ['picture'],
    summary: ['details'],
  },
  clobber: [],
  required: { input: { type: 'checkbox', disabled: '' } },
  strip: [],
}

const clean = (tree: Root): Root => {
  const safe = sanitize(tree, SCHEMA)
  return safe.type === 'root' ? safe : { type: 'root', children: [safe as RootContent] }
}

function write(tree: Root): string {
  const fragment = defaultTreeAdapter.createDocumentFragment()
  for (const node of tree.children) append(fragment, node)
  return serialize(fragment)
    .replaceAll('<a></a>', '')
    .replace(/<p>\s*<\/p>\n?/g, '')
}

function append(parent: Tree['parentNode'], node: RootContent): void {
  if (node.type === 'text') defaultTreeAdapter.insertText(parent, node.value)
  if (node.type !== 'element') return
  const attributes = Object.entries(node.properties).map(([name, value]) => ({ name, value: String(value) }))
  const element = defaultTreeAdapter.createElement(node.tagName, html.NS.HTML, attributes)
  defaultTreeAdapter.appendChild(parent, element)
  for (const child of node.children) append(element, child)
}
