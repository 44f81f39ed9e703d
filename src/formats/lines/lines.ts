import { endsFence, openingFence } from '../../domain/text/fences.ts'
import { normalise, trimBlanks, width } from '../markdown/lines.ts'
import type { Line } from './line.ts'
import { Directives } from './restructured-text.ts'

const COMMENT = '<!--'
/** HTML in which nothing is markdown, up to its end. */
const LITERAL_HTML = /^<(?<name>pre|script|style|textarea)(?:[\s>]|$)/i
/** A heading, also `##1.2.0`, which is one to its author. */
const HEADING = /^(?<mark>#{1,6})(?:[ \t\u00a0]+|(?=v?\d+\.\d)|$)(?<text>.*)$/
const CLOSING_MARKS = /(?<=[ \t])#+[ \t]*$/
const ITEM = /^(?<mark>[-*+]|\d{1,9}[.)])(?:[ \t\u00a0]+(?<text>\S.*)?)?$/
/** Numbers and letters that markdown does not know: `1、a`, `（1）a`, `1.Add a`, `a. Add b`. */
const OTHER_NUMBER =
  /^(?<number>\d{1,2})(?:[、．][ \t]*(?=\S)|[.)）](?=\p{Lo}|\p{Lu}\p{L}|`[^`]{1,40}`))(?<text>.*)$|^[（(](?<own>\d{1,2})[)）][ \t]*(?<words>\S.*)$/u
const LETTER = /^\(?[a-z][.)][ \t]+(?<text>\S.*)$/
const DEFINITION = /^\[[^\]]+\]:(?:[ \t]|$)/
const RULE = /^(?:([-=*~_#^"+])\1{2,}|(?:[-*_][ \t]+){2,}[-*_])[ \t]*$/

/** The markdown with an end for code or a comment that has none, which would go on in what follows. */
export function closed(markdown: string): string {
  const { open } = classify(linesOf(markdown), true)
  if (open === null || open.column > 0) return markdown
  return `${markdown}\n${open.mark}`
}

/** Code, a comment or HTML that is not closed, in the item whose text begins at a column. */
interface OpenBlock {
  /** What ends it. */
  mark: string
  column: number
  isHtml: boolean
  /** From 1. */
  line: number
}

/** All lines of a text, which take many times its memory. See `Classifier`. */
export function classify(raws: readonly string[], isMarkdown: boolean) {
  const classifier = new Classifier(isMarkdown)
  const lines = raws.map((raw) => classifier.next(raw))
  if (!isMarkdown) joinCentred(lines)
  return { lines, open: classifier.open }
}

/** Makes one heading of a title with a number that is centred over two or three lines. */
function joinCentred(lines: Line[]): void {
  const middle = ({ indent, text }: Line) => indent + text.length / 2
  let title: Line[] = []
  for (const line of lines) {
    const [first = line] = title
    if (line.kind === 'text' && line.indent > 11 && Math.abs(middle(first) - middle(line)) < 2) {
      title.push(line)
      continue
    }
    const text = title.map((one) => one.text.trim()).join(' ')
    const isTitle = line.kind !== 'text' && title.length > 1 && title.length < 4 && /\d\.\d/.test(text)
    for (const one of isTitle ? title : []) Object.assign(one, { kind: 'blank', raw: '', text: '' })
    // At the last line, right above what belongs to it.
    const own = { kind: 'heading', text, level: 1, indent: 0, raw: `# ${text}` }
    if (isTitle) Object.assign(title.at(-1) as Line, own)
    title = []
  }
}

export const linesOf = (source: string): string[] => normalise(source).split('\n')

/** Gives one line after the other its class. */
export class Classifier {
  open: OpenBlock | null = null
  /** The columns at which the text of the enclosing items begins. */
  #columns: number[] = []
  /** The line above, the one above that, and the last that is not blank. */
  #above: Line | undefined
  #over: Line | undefined
  #last: Line | undefined
  #margin = 0
  #line = 0
  readonly #directives = new Directives()

  /** `isMarkdown` tells that a text is named as markdown: then lines indented by four are code, and only `=` and `-` underline. */
  constructor(readonly isMarkdown: boolean) {}

  /** The next line. If it is a rule, the line above may become a heading. */
  next(raw: string): Line {
    this.#line++
    const blanks = /^[ \t]*/.exec(raw)?.[0] ?? ''
    // Form feeds separate versions in texts of GNU.
    const text = /^[ \t\f]*$/.test(raw) ? '' : raw.slice(blanks.length)
    const indent = width(blanks)
    if (this.open === null && text !== '' && indent < this.#margin) this.#margin = 0
    const margin = this.#margin
    // Written out, because a copy of a template would take half as much memory again.
    const line: Line = { kind: 'text', raw, indent, text, mark: '', level: 0, isUnderlined: false, margin }
    if (this.#above && this.#above.kind !== 'blank') this.#last = this.#above
    const isRead = !this.isMarkdown && this.open === null && this.#readDirective(line)
    if (!isRead) {
      Object.assign(line, this.#classOf(line.text, line.indent))
      this.#note(line)
    }
    this.#over = this.#above
    this.#above = line
    return line
  }

  #readDirective(line: Line): boolean {
    const column = this.#columns.findLast((one) => one <= line.indent) ?? 0
    return this.#directives.read(line, this.#above, column)
  }

  #classOf(text: string, indent: number): Partial<Line> {
    // An item that ends closes what is open in it.
    if (this.open !== null && text !== '' && indent < this.open.column) this.open = null
    if (this.open !== null) {
      const { mark, column, isHtml } = this.open
      const isEnd = isHtml ? text.toLowerCase().includes(mark) : indent < column + 4 && endsFence(text, mark)
      if (isEnd) this.open = null
      return { kind: isHtml ? 'html' : 'code' }
    }
    if (text === '') return { kind: 'blank' }
    this.#columns = this.#columns.filter((column) => column <= indent)
    const column = this.#columns.at(-1) ?? 0
    const mayOpen = indent < column + 4 && (this.isMarkdown || text.startsWith('`'))
    const mark = mayOpen ? openingFence(text) : ''
    if (mark !== '') {
      this.open = { mark, column, isHtml: false, line: this.#line }
      return { kind: 'code' }
    }
    const html = LITERAL_HTML.exec(text)?.groups?.name?.toLowerCase()
    const end = text.startsWith(COMMENT) ? '-->' : html && `</${html}>`
    if (end) {
      if (!text.toLowerCase().includes(end)) this.open = { mark: end, column, isHtml: true, line: this.#line }
      return { kind: 'html' }
    }
    const [above, last] = [this.#above, this.#last]
    const continues = above?.kind === 'text' || above?.kind === 'item'
    const isListed =
      ITEM.test(text) && (!last || /^(?:heading|rule|item)$/.test(last.kind) || last.text.startsWith('**'))
    if (this.isMarkdown && indent >= column + 4 && !continues && !isListed) return { kind: 'code' }
    return classOf(text, indent)
  }

  /** Notes the column of an item, and what a rule underlines. */
  #note(line: Line): void {
    const { kind, indent, raw } = line
    if (!this.isMarkdown) this.#directives.note(line)
    if (kind === 'item') {
      if (indent >= 4 && this.#columns.length === 0 && this.#margin === 0) this.#margin = indent
      line.margin = this.#margin
      this.#columns.push(width(raw.slice(0, raw.length - line.text.length)))
    }
    if (kind === 'rule' && this.#above) underline(this.#above, line, this.#over, this.isMarkdown)
  }
}

/** The class of a line by how it begins; empty for text. */
function classOf(text: string, indent: number): Partial<Line> {
  const first = text.charAt(0)
  if (first === '#' && indent < 4) return headingOf(text)
  const letter = LETTER.exec(text)?.groups
  if (letter) return { kind: 'item', text: letter.text ?? '', mark: '-' }
  // Most lines begin with a letter.
  if (/[a-z]/i.test(first)) return {}
  if (RULE.test(text)) return { kind: 'rule' }
  if (first === '[') return DEFINITION.test(text) ? { kind: 'definition' } : {}
  const item = ITEM.exec(text)?.groups
  if (item) return { kind: 'item', text: item.text ?? '', mark: item.mark ?? '-' }
  const { number, own, words, text: point = words } = OTHER_NUMBER.exec(text)?.groups ?? {}
  if (point) return { kind: 'item', text: point, mark: `${number ?? own}.` }
  if (first === '|') return { kind: 'row' }
  return /^<\/?[a-z]/i.test(text) ? { kind: 'html' } : {}
}

function headingOf(text: string): Partial<Line> {
  if (/^#{3,}[ \t]*$/.test(text)) return { kind: 'rule' }
  const { mark, text: words = '' } = HEADING.exec(text)?.groups ?? {}
  const shown = trimBlanks(words.replace(CLOSING_MARKS, ''))
  return mark === undefined ? {} : { kind: 'heading', text: shown, mark, level: mark.length }
}

/** Makes a heading of the line above a rule, if it may be one. */
function underline(title: Line, rule: Line, over: Line | undefined, isMarkdown: boolean): void {
  const mark = rule.text.charAt(0)
  // Between two lines of a plain text, a title may be centred.
  const isBetween = !isMarkdown && over?.kind === 'rule' && over.text.charAt(0) === mark
  const isApart = !isBetween && Math.max(title.indent, rule.indent) > 3
  if (title.kind !== 'text' || isApart || /[ \t]/.test(rule.text.trimEnd())) return
  if (isMarkdown && mark !== '=' && mark !== '-') return
  if (over?.kind === 'text' && !over.isUnderlined) return
  const level = mark === '=' ? 1 : mark === '-' ? 2 : 3
  Object.assign(title, { kind: 'heading', level, indent: 0, isUnderlined: true, mark })
  rule.isUnderlined = true
}
