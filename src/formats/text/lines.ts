import { normalise, width } from '../keepachangelog/markdown/lines.ts'

/**
 * The lines of a text, each with its class. A line is looked at once, and fences follow the rules of CommonMark: what is
 * code here is code to every reader, and is never changed.
 */
export type LineClass =
  | 'blank'
  | 'code'
  | 'heading'
  | 'rule'
  | 'item'
  | 'row'
  | 'html'
  | 'definition'
  | 'text'

export interface Line {
  kind: LineClass
  raw: string
  /** In columns. */
  indent: number
  /** What is behind a mark, or the line without its indentation. */
  text: string
  /** In front of the text: `##`, `-`, `1.`; empty if markdown does not need to be told. */
  mark: string
  /** Of a heading, from 1. */
  level: number
  /** Whether a heading is told by the rule below it, or a rule underlines one. */
  isUnderlined: boolean
  /** Columns in front of a list that is indented as code is, and is none. */
  margin: number
}

const COMMENT = '<!--'
const FENCE = /^(?<mark>`{3,}(?=[^`]*$)|~{3,})/
const HEADING = /^(?<mark>#{1,6})(?:[ \t]+(?<text>.*?))?(?:[ \t]+#+)?[ \t]*$/
/** `##1.2.0`, `###Fixes`, `<h2>1.2.0</h2>`: headings to their authors. */
const UNSPACED_HEADING =
  /^(?<mark>#{1,6}(?=v?\d+\.\d+\.\d[\w.-]*[ \t]*(?:-+>.{0,60})?$)|#{2,6}(?=v?\d+\.\d+\.\d|(?:19|20)\d\d-\d\d-\d\d[ \t]|\p{Lu}.{0,60}$))(?<text>.*)$/u
const HTML_HEADING = /^<h(?<level>[1-6])\b[^<>]*>(?<text>.*)<\/h\k<level>>[ \t]*$/i
const ITEM = /^(?<mark>[-*+]|\d{1,9}[.)])(?:[ \t]+(?<text>\S.*)?)?$/
/** Bullets and numbers that markdown does not know: `• a`, `①a`, `1、a`, `（1）a`, `1.Add a`. */
const OTHER_BULLET = /^[•·・▪◦‣∙①-⑳][ \t]*(?<text>[^\s•·・].*)$/
const OTHER_NUMBER =
  /^(?<number>\d{1,2})(?:[、．][ \t]*(?=\S)|[.)）](?=\p{Lo}|\p{Lu}\p{L}|`[^`]{1,40}`))(?<text>.*)$|^[（(](?<own>\d{1,2})[)）][ \t]*(?<words>\S.*)$/u
/** These may also begin a signature, a rule or a word: they are bullets in a text that has one right below another. */
const PAIRED = [
  /^\(?[a-z][.)][ \t]+(?<text>\S.*)$/,
  /^-(?<text>(?:\p{L}|`#|\[[^\]]{1,12}\][ \t]).*)$/u,
  /^(?<text>(?:\[\p{L}[^\][]{0,30}\]|(?:[Nn]ew|[Aa]dd|[Bb]ug|[Cc]hang|[Ff]eat|[Ff]ix|[Ii]mprov|[Rr]emov|[Uu]pdat)[a-z]{0,8}(?:\([\w-]{1,30}\))?!?:|(?:perf|refactor|docs|style|test|build|ci|chore|\p{Lu}{2,9})(?:\([\w-]{1,30}\))?!?:|`#\w{1,12}`(?:,[ \t]*`#\w{1,12}`){0,3}[ \t]+-)[ \t]+[^\s[].*)$/u,
]
/** A row of a table, and `<td>1.2.0</td>`. */
const ROW = /^\|(?<text>.*)$/
const NUMBER_CELL =
  /^(?:<tr\b[^<>]*>\s*)?<t[dh]\b[^<>]*>\s*(?<text>v?\d{1,8}(?:\.\d{1,8}){1,4}[\w.-]{0,40})\s*<\/t[dh]>/i
/** `Fixed:` or `**Fixed**` right below an item and above another, where markdown takes it for the end of the first. */
const LABEL =
  /^(?<text>\p{Lu}[\p{L} ]{2,30}(?=[:：])|\p{Lo}{2,12}(?=[:：])|\*\*[^*\d]{2,40}\*\*|__[^_\d]{2,40}__)[:：]?[ \t]*$/u
const DEFINITION = /^\[[^\]]+\]:(?:[ \t]|$)/
const RULE = /^(?:([-=*~_#^"+])\1{2,}|(?:[-*_][ \t]+){2,}[-*_])[ \t]*$/

const TEXT = { kind: 'text', mark: '', level: 0, isUnderlined: false, margin: 0 } as const

/** `isMarkdown` tells that a text is named as markdown: then lines indented by four are code, and only `=` and `-` underline. */
export function classify(source: string, isMarkdown: boolean, hasFences = true): Line[] {
  const raws = normalise(source).split('\n')
  const lines: Line[] = []
  /** The columns at which the text of the enclosing items begins. */
  let columns: number[] = []
  /** Code or a comment that is not closed yet, in the item whose text begins at a column. */
  let open: { mark: string; column: number } | null = null
  /** The line above that is not blank. */
  let last: Line | null = null
  let margin = 0
  for (const [at, raw] of raws.entries()) {
    const blanks = /^[ \t]*/.exec(raw)?.[0] ?? ''
    const [indent, own] = [width(blanks), isBlank(raw) ? '' : raw.slice(blanks.length)]
    const line: Line = { ...TEXT, raw, indent, text: own }
    const above = lines.at(-1)
    if (above && above.kind !== 'blank') last = above
    lines.push(line)
    if (open === null && own !== '' && indent < margin) margin = 0
    line.margin = margin
    // An item that ends closes what is open in it.
    if (open !== null && own !== '' && indent < open.column) open = null
    if (open !== null) {
      line.kind = open.mark === COMMENT ? 'html' : 'code'
      if (open.mark === COMMENT ? own.includes('-->') : indent < open.column + 4 && isClosing(own, open.mark))
        open = null
      continue
    }
    if (own === '') {
      line.kind = 'blank'
      continue
    }
    columns = columns.filter((column) => column <= indent)
    const column = columns.at(-1) ?? 0
    const isTilde =
      !isMarkdown &&
      above?.kind === 'text' &&
      own.length >= above.text.trimEnd().length &&
      isClosing(own, '~~~')
    const mark = hasFences && indent < column + 4 && !isTilde ? FENCE.exec(own)?.groups?.mark : undefined
    if (mark !== undefined) {
      open = { mark, column }
      line.kind = 'code'
      continue
    }
    if (own.startsWith(COMMENT)) {
      line.kind = 'html'
      if (!own.includes('-->')) open = { mark: COMMENT, column }
      continue
    }
    const continues = above?.kind === 'text' || above?.kind === 'item'
    const isListed =
      ITEM.test(own) &&
      (last === null || /^(?:heading|rule|item)$/.test(last.kind) || last.text.startsWith('**'))
    if (isMarkdown && indent >= column + 4 && !continues && !isListed) {
      line.kind = 'code'
      continue
    }
    Object.assign(line, classOf(own, indent))
    if (line.kind === 'item' && indent >= 4 && columns.length === 0 && margin === 0) margin = indent
    line.margin = margin
    if (line.kind === 'item') columns.push(indent + width(own.slice(0, own.length - line.text.length)))
    if (line.kind === 'rule' && above) underline(above, line, lines[at - 2], isMarkdown)
  }
  // In a plain text, what never ends is no code.
  if (!isMarkdown && open !== null && open.mark !== COMMENT) return classify(source, isMarkdown, false)
  levelByStyle(lines)
  pairItems(lines)
  labelBetween(lines)
  return lines
}

/** Form feeds separate versions in texts of GNU. */
const isBlank = (line: string): boolean => /^[ \t\f]*$/.test(line)

const isClosing = (text: string, mark: string): boolean => {
  const end = text.trimEnd()
  return end.startsWith(mark) && end === mark.charAt(0).repeat(end.length)
}

/** What is not text, by how it begins. */
function classOf(text: string, indent: number): Partial<Line> {
  const first = text.charAt(0)
  if (first === '#' && indent < 4) return headingOf(text)
  if (first === '<') {
    const { level, text: words = '' } = HTML_HEADING.exec(text)?.groups ?? {}
    if (level) return heading('#'.repeat(Number(level)), words.replace(/<[^<>]*>/g, ''))
  }
  // Most lines begin with a letter.
  if (/[a-z]/i.test(first)) return {}
  if (RULE.test(text)) return { kind: 'rule' }
  if (first === '[') return DEFINITION.test(text) ? { kind: 'definition' } : {}
  const item = ITEM.exec(text)?.groups
  if (item) return { kind: 'item', text: item.text ?? '', mark: item.mark ?? '-' }
  const bullet = OTHER_BULLET.exec(text)?.groups
  if (bullet) return { kind: 'item', text: bullet.text ?? '', mark: '-' }
  const { number, own, words, text: point = words } = OTHER_NUMBER.exec(text)?.groups ?? {}
  if (point) return { kind: 'item', text: point, mark: `${number ?? own}.` }
  const cell = (NUMBER_CELL.exec(text) ?? ROW.exec(text))?.groups
  if (cell) return { kind: 'row', text: cell.text ?? '' }
  return /^<\/?[a-z]/i.test(text) ? { kind: 'html' } : {}
}

const heading = (mark: string, text: string): Partial<Line> => ({
  kind: 'heading',
  text,
  mark,
  level: mark.length,
})

function headingOf(text: string): Partial<Line> {
  if (/^#{3,}[ \t]*$/.test(text)) return { kind: 'rule' }
  const { mark, text: words = '' } = (HEADING.exec(text) ?? UNSPACED_HEADING.exec(text))?.groups ?? {}
  return mark === undefined ? {} : heading(mark, words)
}

/** Items with bullets of `PAIRED`. */
function pairItems(lines: readonly Line[]): void {
  const isText = (line: Line | undefined): line is Line => line?.kind === 'text' && line.indent < 2
  for (const pattern of PAIRED) {
    const matches = (line: Line | undefined) => isText(line) && pattern.test(line.text)
    if (!lines.some((line, at) => matches(line) && matches(lines[at + 1]))) continue
    for (const line of lines)
      if (isText(line) && pattern.test(line.text))
        Object.assign(line, { kind: 'item', text: pattern.exec(line.text)?.groups?.text ?? '', mark: '-' })
  }
}

/** Makes a heading of the line above a rule, if it may be one. */
function underline(title: Line, rule: Line, over: Line | undefined, isMarkdown: boolean): void {
  const mark = rule.text.charAt(0)
  if (title.kind !== 'text' || title.indent > 3 || rule.indent > 3 || /[ \t]/.test(rule.text.trimEnd()))
    return
  if (isMarkdown && mark !== '=' && mark !== '-') return
  const isApart = over === undefined || over.kind !== 'text' || over.isUnderlined
  if (!isApart) return
  const isOverlined = over?.kind === 'rule' && over.text.charAt(0) === mark && !over.isUnderlined
  if (!isMarkdown && !isOverlined && rule.text.trimEnd().length * 2 < title.text.trimEnd().length) return
  Object.assign(title, {
    kind: 'heading',
    level: mark === '=' ? 1 : 2,
    isUnderlined: true,
    mark: isOverlined ? `${mark}${mark}` : mark,
  })
  rule.isUnderlined = true
  if (isOverlined && over) over.isUnderlined = true
}

/** In reStructuredText each new style of underlines is one level deeper. */
function levelByStyle(lines: readonly Line[]): void {
  const titles = lines.filter(({ kind, isUnderlined }) => kind === 'heading' && isUnderlined)
  const styles = [...new Set(titles.map(({ mark }) => mark))]
  if (styles.every((style) => /^(?:=+|-+)$/.test(style))) {
    // Between rules it is a line, as any other.
    for (const title of titles)
      if (title.mark.length > 1)
        Object.assign(title, { kind: 'text', mark: '', level: 0, isUnderlined: false })
    return
  }
  for (const title of titles) title.level = Math.min(6, styles.indexOf(title.mark) + 1)
}

function labelBetween(lines: readonly Line[]): void {
  const labels = lines.flatMap((line, at) => {
    if (line.kind !== 'text' || line.indent > 0) return []
    const below = lines[at + 1]?.kind === 'blank' ? lines[at + 2] : lines[at + 1]
    const text = below?.kind === 'item' ? LABEL.exec(line.text)?.groups?.text : undefined
    return text === undefined ? [] : { line, text, isBetween: lines[at - 1]?.kind === 'item' }
  })
  if (!labels.some(({ isBetween }) => isBetween)) return
  for (const { line, text } of labels)
    Object.assign(line, { kind: 'heading', level: 6, mark: '######', text })
}
