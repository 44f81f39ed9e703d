import { blocksOfType, isText, type Node } from '../formats/markdown/nodes.ts'
import { phrasesIn } from '../formats/markdown/phrases.ts'
import { MarkdownDocument, MarkdownSource } from '../formats/markdown/source.ts'
import { type Edit, edited } from './edits.ts'

/**
 * Markdown that ends where its text does: it closes its code and HTML, ends none that it has not begun, and its links have
 * their addresses with them, because a definition counts for a whole document.
 */

/** One line. Comments are left out unless kept. */
export function lineInPlace(text: string, keepsComments: boolean): string {
  const html = new OpenHtml(text, keepsComments)
  for (const phrase of phrasesIn(text, 0, text.length, NO_LABELS)) html.visit(phrase, true)
  html.ends()
  return edited(text, html.edits)
}

/** Takes blocks. With a level, topmost headings become headings of this level, and comments are left out. */
export function blocksInPlace(source: string, level: number | null): string {
  const hasMany = (source.match(DEFINITION)?.length ?? 0) > MOST_DEFINITIONS
  const given = hasMany ? source.replaceAll(DEFINITION, '$1\\[') : source
  const document = withInlineLinks(new MarkdownDocument(given))
  const { text } = document
  const blocks = document.blocks()
  const html = new OpenHtml(text, level === null)
  for (const block of blocks) html.visit(block)
  const headings = level === null ? [] : headingsAt(level, text, blocks)
  const [fence, ends] = [blocks.at(-1)?.openFence, html.ends()]
  return [edited(text, [...headings, ...html.edits]), fence, ends && `\n${ends}`].filter(Boolean).join('\n')
}

/** Rewrites what is between blocks of code, each of which takes whole lines. */
export function besideCode(text: string, rewrite: (text: string) => string): string {
  const blocks = blocksOfType(new MarkdownDocument(text).blocks(), ({ type }) => type === 'code')
  let [result, at] = ['', 0]
  for (const { start, end } of blocks) {
    const line = Math.max(at, text.lastIndexOf('\n', start - 1) + 1)
    result += rewrite(text.slice(at, line)) + text.slice(line, end)
    at = end
  }
  return result + rewrite(text.slice(at))
}

/** See `outsideCode`. */
export const withoutCode = (text: string): string => edited(text, codeIn(new MarkdownDocument(text).blocks()))

const codeIn = (nodes: readonly Node[]): Edit[] =>
  nodes.flatMap((node) => {
    const { type, start, end } = node
    if (type === 'code' || type === 'inlineCode') return { start, end, text: node.value.replace(/./g, ' ') }
    // Parsing phrases takes longest.
    return isText(node) && !node.value.includes('`') ? [] : codeIn(node.children)
  })

/** Those of a text with more are text: each takes as long as twenty words. */
const MOST_DEFINITIONS = 500
const DEFINITION = /^( {0,3})\[(?!\^)(?=[^[\]\n]+\]:)/gm

const NO_LABELS: ReadonlySet<string> = new Set()

/** How much longer addresses may make a text. Beyond that its links are text: one address may have very many. */
const MAX_GROWTH = 5

function withInlineLinks(document: MarkdownDocument): MarkdownDocument {
  const { text, definitions } = document
  const { labels } = definitions
  let longest = 0
  for (const label of labels) longest = Math.max(longest, definitions.get(label)?.source.length ?? 0)
  const isShort = longest * text.split('[').length <= MAX_GROWTH * text.length
  if (labels.size === 0 || !isShort) return document
  return new MarkdownDocument(new MarkdownSource(document).slice(0, text.length))
}

/** Headings as lines that begin with `#`: one that is underlined leaves an empty line behind. */
function headingsAt(level: number, text: string, blocks: readonly Node[]): Edit[] {
  const headings = blocks.filter((block) => block.type === 'heading')
  const top = Math.min(...headings.map(({ depth }) => depth))
  return headings.flatMap(({ start, end, depth }) => {
    const marks = '#'.repeat(Math.min(6, level + depth - top))
    const underline = text.lastIndexOf('\n', end - 1)
    if (underline < start) return { start, end: start + depth, text: marks }
    const breaks = text.slice(start, underline).matchAll(/(?<!\s)\s*\n\s*/g)
    return [
      { start, end: start, text: `${marks} ` },
      ...breaks.map(({ 0: found, index }) => ({
        start: start + index,
        end: start + index + found.length,
        text: ' ',
      })),
      { start: underline + 1, end, text: '' },
    ]
  })
}

const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z\d]*)(?=[\s/>])(?:[^"'<>]|"[^"]*"|'[^']*')*>/gi
/** Elements without an end, and those that end with the table or before the heading that follows. */
const ENDLESS = new Set('br hr img input source wbr col p caption thead tbody tfoot tr th td'.split(' '))
/** Nothing in them is a tag, except their end. */
const RAW = new Set(['script', 'style', 'textarea'])
/** How HTML that is no element ends. */
const ENDS: readonly [start: RegExp, end: string][] = [
  [/^<\?/, '?>'],
  [/^<!\[CDATA\[/, ']]>'],
  [/^<![a-z]/i, '>'],
]

/** HTML left open in a text, to be closed: read in the order of the text. */
class OpenHtml {
  readonly edits: Edit[] = []
  /** Elements without their end so far; `inLine` is where the tag of one is, if it is within a line. */
  readonly #open: { name: string; inLine: number | null }[] = []

  constructor(
    private readonly text: string,
    private readonly keepsComments: boolean,
  ) {}

  /** The ends of blocks that are open. In a line, a tag without an end is text. */
  ends(): string {
    for (const { inLine } of this.#open) if (inLine !== null) this.#replace(inLine, '', '\\')
    const blocks = this.#open.filter(({ inLine }) => inLine === null)
    return blocks
      .map(({ name }) => `</${name}>`)
      .toReversed()
      .join('')
  }

  visit(node: Node, isInLine = false): void {
    const { type, start, end } = node
    const source = this.text.slice(start, end)
    if (type === 'html') this.#read(source, start, isInLine)
    // The parser takes some for text that are definitions to others.
    const isDefinition = type === 'definition' || (type === 'paragraph' && /^\[[^\]]+\]:/.test(source))
    if (isDefinition) this.#replace(start, '', '\\')
    const isLine = isInLine || isText(node)
    // In a line, nothing is a definition.
    if (!source.includes('<') && (isLine || !source.includes(']:'))) return
    for (const child of node.children) this.visit(child, isLine)
  }

  #read(html: string, offset: number, isInLine: boolean): void {
    const end = ENDS.find(([start]) => start.test(html))?.[1]
    if (end !== undefined && !html.includes(end)) this.#replace(offset + html.length, '', `\n${end}`)
    if (end !== undefined) return
    for (const { 0: tag, 1: slash, 2: given = '', index } of html.matchAll(TAG)) {
      const name = given.toLowerCase()
      const at = offset + index
      const raw = this.#open.at(-1)?.name ?? ''
      if (tag.startsWith('<!--')) this.#comment(tag, at)
      else if ((RAW.has(raw) && !(slash && name === raw)) || ENDLESS.has(name)) continue
      else if (slash) this.#close(name, at)
      else if (!tag.endsWith('/>')) this.#open.push({ name, inLine: isInLine ? at : null })
    }
  }

  #close(name: string, at: number): void {
    const opened = this.#open.findLastIndex((each) => each.name === name)
    if (opened < 0) this.#replace(at, '<', '&lt;')
    else this.#open.splice(opened, 1)
  }

  /** Where a comment is left out, its lines stay, without blanks at their end. */
  #comment(comment: string, at: number): void {
    const end = at + comment.length
    if (this.keepsComments) {
      if (!comment.endsWith('-->')) this.#replace(end, '', '\n-->')
      return
    }
    let start = at
    if (/^[ \t]*(?:\n|$)/.test(this.text.slice(end))) while (/[ \t]/.test(this.text[start - 1] ?? '')) start--
    this.edits.push({ start, end, text: comment.replace(/[^\n]+/g, '') })
  }

  #replace(at: number, found: string, text: string): void {
    this.edits.push({ start: at, end: at + found.length, text })
  }
}
