import { type DefaultTreeAdapterMap, defaultTreeAdapter, html, Parser, serialize, Token } from 'parse5'
import { MAX_ELEMENTS } from './bounds.ts'
import { AUTHORED, PHRASES } from './elements.ts'

/** The HTML of rendered markdown, of which only what authors may write stays; other tags are shown as text. */
export const sanitizeBlocks = (rendered: string): string => clean(rendered, BlockParser)

/** Sanitizes a part of a line: only the content of a block stays. */
export const sanitizeLine = (rendered: string): string => clean(rendered, LineParser)

/** How many elements are open at once, so that no work grows with their depth: tags beyond it are left out. */
const MAX_OPEN = 60
/** How many tags and elements of a text are read, as one may become many. The rest is left out: it would not be shown anyway. */
const MAX_READ = 3 * MAX_ELEMENTS

/** The parents that an element needs. Browsers look after tables themselves. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  li: ['ul', 'ol'],
  source: ['picture'],
  summary: ['details'],
}

type Tree = DefaultTreeAdapterMap

/** Parses as browsers do, except that tags authors may not write are text, and comments are nothing. */
class BlockParser extends Parser<Tree> {
  source = ''
  private amount = 0

  override onStartTag(token: Token.TagToken): void {
    if (++this.amount > MAX_READ) return
    const attributes = AUTHORED.get(token.tagName)
    if (!attributes) this.show(token)
    else if (this.isPlaced(token.tagName) && this.openElements.stackTop < MAX_OPEN)
      super.onStartTag({ ...token, attrs: token.attrs.filter(({ name }) => attributes.includes(name)) })
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

  /** False for an element without its parent. */
  protected isPlaced(name: string): boolean {
    const parents = PARENTS[name]
    const { items, stackTop } = this.openElements
    const isParent = (item: Tree['parentNode']) => 'tagName' in item && parents?.includes(item.tagName)
    return !parents || items.slice(0, stackTop + 1).some(isParent)
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

/** The start of HTML that is shown as text. Finding its place takes a fifth of the time, so positions are kept only then. */
const SHOWN = new RegExp(
  `<(?=[a-z/!?])(?!!--|/?(?:${[...AUTHORED.keys()].join('|')})(?=[\\t\\n\\f\\r />]))`,
  'i',
)

function clean(rendered: string, Reader: typeof BlockParser): string {
  const context = defaultTreeAdapter.createElement('div', html.NS.HTML, [])
  const options = { sourceCodeLocationInfo: SHOWN.test(rendered) }
  const parser = Reader.getFragmentParser<Tree>(context, options) as BlockParser
  parser.source = rendered
  parser.tokenizer.write(rendered, true)
  return serialize(parser.getFragment())
    .replaceAll('<a></a>', '')
    .replace(/<p>\s*<\/p>\n?/g, '')
}
