import type { Block, Node } from '../formats/keepachangelog/markdown/nodes.ts'
import { phrasesIn } from '../formats/keepachangelog/markdown/phrases.ts'
import { MarkdownDocument, MarkdownSource } from '../formats/keepachangelog/markdown/source.ts'

/**
 * Markdown that ends where its text does: it closes its code and HTML, ends none that it has not begun, and its links have
 * their addresses with them, because a definition counts for a whole document.
 */

/** Of a line. Comments are left out unless it keeps them. */
export function lineInPlace(text: string, keepsComments: boolean): string {
  const html = new OpenHtml(text, keepsComments)
  for (const phrase of phrasesIn(text, 0, NO_LABELS)) html.visit(phrase)
  return edited(text, html.edits) + html.ends()
}

/** Of blocks. With a level, the topmost headings become headings of this level, and comments are left out. */
export function blocksInPlace(source: string, level: number | null): string {
  const text = source.includes(']:') ? withInlineLinks(source) : source
  const blocks = [...new MarkdownDocument(text).blocks()]
  const html = new OpenHtml(text, level === null)
  for (const block of blocks) html.visit(block)
  const headings = level === null ? [] : headingsAt(level, text, blocks)
  const ends = [fenceOpenIn(text, blocks.at(-1)), html.ends() && `\n${html.ends()}`]
  return [edited(text, [...headings, ...html.edits]), ...ends].filter(Boolean).join('\n')
}

const NO_LABELS: ReadonlySet<string> = new Set()

interface Edit {
  start: number
  end: number
  text: string
}

function edited(text: string, edits: readonly Edit[]): string {
  let [result, at] = ['', 0]
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    // What is in a heading is written with it.
    if (edit.start < at) continue
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

function withInlineLinks(text: string): string {
  const source = new MarkdownSource(new MarkdownDocument(text))
  return source.definitions.labels.size === 0 ? text : source.slice(0, text.length)
}

/** Headings as lines that begin with `#`: one that is underlined leaves an empty line behind. */
function headingsAt(level: number, text: string, blocks: readonly Block[]): Edit[] {
  const headings = blocks.filter((block) => block.type === 'heading')
  const top = Math.min(...headings.map(({ depth }) => depth))
  return headings.map(({ start, end, depth }) => {
    const lines = text.slice(start, end).split('\n')
    const isUnderlined = lines.length > 1
    const words = isUnderlined
      ? ` ${lines
          .slice(0, -1)
          .map((line) => line.trim())
          .join(' ')}\n`
      : lines.join('').replace(/^#+/, '')
    return { start, end, text: '#'.repeat(Math.min(6, level + depth - top)) + words }
  })
}

/** The fence that the last block of a text lacks, if it is code. */
function fenceOpenIn(text: string, block: Block | undefined): string {
  if (block?.type !== 'code' || !block.isFenced) return ''
  const [first = '', ...others] = text.slice(block.start, block.end).split('\n')
  const fence = /^(`{3,}|~{3,})/.exec(first)?.[1] ?? ''
  const last = others.at(-1)?.trim() ?? ''
  return last.startsWith(fence) && last === fence[0]?.repeat(last.length) ? '' : fence
}

const TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z\d]*)(?=[\s/>])(?:[^"'>]|"[^"]*"|'[^']*')*>/gi
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

/** The HTML in a text, in the order of the text. */
class OpenHtml {
  readonly edits: Edit[] = []
  readonly #open: string[] = []

  constructor(
    private readonly text: string,
    private readonly keepsComments: boolean,
  ) {}

  /** The ends of the elements that are open. */
  ends(): string {
    return this.#open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  }

  visit(node: Node): void {
    const { type, start, end } = node
    const source = this.text.slice(start, end)
    if (type === 'html') this.#read(source, start)
    // Not taken for a definition by the parser, but perhaps by others.
    if (type === 'paragraph' && /^\[(?!\^)[^\]]+\]:/.test(source))
      this.edits.push({ start, end: start, text: '\\' })
    if ('children' in node && source.includes('<')) for (const child of node.children) this.visit(child)
  }

  #read(html: string, offset: number): void {
    const end = ENDS.find(([start]) => start.test(html))?.[1]
    if (end !== undefined && !html.includes(end)) this.#replace(offset + html.length, '', `\n${end}`)
    if (end !== undefined) return
    for (const { 0: tag, 1: slash, 2: given = '', index } of html.matchAll(TAG)) {
      const name = given.toLowerCase()
      const raw = this.#open.at(-1) ?? ''
      if (tag.startsWith('<!--')) this.#comment(tag, offset + index)
      else if (RAW.has(raw) && !(slash && name === raw)) continue
      else if (!slash && !ENDLESS.has(name) && !tag.endsWith('/>')) this.#open.push(name)
      else if (slash && !ENDLESS.has(name)) this.#close(name, offset + index)
    }
  }

  #close(name: string, at: number): void {
    const opened = this.#open.lastIndexOf(name)
    if (opened < 0) this.#replace(at, '<', '&lt;')
    else this.#open.length = opened
  }

  /** Where a comment is left out, its lines stay, without blanks at their end. */
  #comment(comment: string, start: number): void {
    const isOpen = !comment.endsWith('-->')
    if (this.keepsComments) {
      if (isOpen) this.#replace(start + comment.length, '', '\n-->')
      return
    }
    const end = start + comment.length
    const isAtEnd = /^[ \t]*(?:\n|$)/.test(this.text.slice(end))
    const blanks = isAtEnd ? (/[ \t]*$/.exec(this.text.slice(0, start))?.[0].length ?? 0) : 0
    this.edits.push({ start: start - blanks, end, text: comment.replace(/[^\n]+/g, '') })
  }

  #replace(at: number, found: string, text: string): void {
    this.edits.push({ start: at, end: at + found.length, text })
  }
}
