/** Markdown as lines. Blanks are spaces and tabs. */

/** One kind of line end, no byte order mark, and only characters that databases and JSON can hold. */
export function normalise(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')
    .toWellFormed()
}

const UNSPACED_HEADING =
  /^(?:#{1,6}(?=v?\d+\.\d+\.\d[\w.-]*[ \t]*(?:-+>[^\n]{0,60})?$)|#{2,6}(?=v?\d+\.\d+\.\d|(?:19|20)\d\d-\d\d-\d\d[ \t]|\p{Lu}[^\n]{0,60}$))/u
const HAS_UNSPACED_HEADING = new RegExp(UNSPACED_HEADING, 'mu')
const UNDERLINED = /^v?\d+\.\d+[\w.-]*[ \t]*(?:[-/(][^\n]{0,60})?$/
const UNDERLINE = /^(?:={3,}|-{3,})[ \t]*$/
/** Right below other text, an underlined number is a part of it. */
const HAS_UNSPACED_UNDERLINED = /^[ \t]*[^ \t\n][^\n]*\nv?\d[^\n]{0,100}\n(?:={3,}|-{3,})[ \t]*$/m

/** `- ## 1.2.0` */
const ITEM_HEADING = /^[-*+] (?=#{1,6} v?\d+\.\d)/
/** Of Textile: `h2. 1.2.0` */
const TEXTILE_HEADING = /^h([1-6])\. (?=\S)/
const HAS_TEXTILE_HEADING = /^h[1-6]\. v?\d+\.\d/m
const HEADING = /^(?:#{1,6}[ \t]|\*\*[^*]+\*\*|={3,}[ \t]*$|-{3,}[ \t]*$)/
const INDENTED_ITEM = /^( {4,8}|\t{1,2})[-*+][ \t]/
const HAS_INDENTED_LIST =
  /^(?:#{1,6}[ \t][^\n]*|\*\*[^*\n]+\*\*[^\n]*|={3,}[ \t]*|-{3,}[ \t]*)\n(?:[ \t]*\n)?(?: {4,8}|\t{1,2})[-*+][ \t]/m
/** `[bug] Mend the door`, `Fixed: the door`, `FIX: the door` or a number as code and a dash, line below line. */
const KIND = '(?:[Nn]ew|[Aa]dd|[Bb]ug|[Cc]hang|[Ff]eat|[Ff]ix|[Ii]mprov|[Rr]emov|[Uu]pdat)[a-z]{0,8}'
const TAG = `(?:\\[\\p{L}[^\\]\\[\\n]{0,30}\\]|(?:${KIND}|(?:perf|refactor|docs|style|test|build|ci|chore)|\\p{Lu}{2,9})(?:\\([\\w-]{1,30}\\))?!?:|\`#\\w{1,12}\`(?:,[ \\t]*\`#\\w{1,12}\`){0,3}[ \\t]+-)[ \\t]+[^\\s\\[]`
const TAGGED_ITEM = new RegExp(`^${TAG}`, 'u')
const HAS_TAGGED_ITEMS = new RegExp(`^${TAG}[^\\n]*\\n${TAG}`, 'mu')
/** `**1.2.0**` right above its text. */
const BOLD_VERSION = /^\*\*(v?\d+\.\d+[\w.-]*)\*\*[ \t]*$/
const HAS_BOLD_VERSION = /^\*\*v?\d+\.\d+[\w.-]*\*\*[ \t]*\n[^\s*+#-]/m
const HAS_NUMBERED_HEADING = /^#{1,6}[ \t][^\n]*\d\.\d|^v?\d[^\n]*\n(?:={3,}|-{3,})/m
const TO_MEND = [
  HAS_UNSPACED_HEADING,
  HAS_UNSPACED_UNDERLINED,
  new RegExp(ITEM_HEADING, 'm'),
  HAS_TEXTILE_HEADING,
  HAS_INDENTED_LIST,
]

/**
 * `##1.2.0` or `###Fixes` outside of code is a heading to its author, and to older parsers: a blank makes it one. So is an underlined number
 * without an empty line above, one that is also an item, and one of Textile. What is indented right below a heading is a list, not
 * code. Lines that begin with a tag are items, if some are right below each other.
 */
export function mendMarkdown(text: string): string {
  const isTagged = HAS_TAGGED_ITEMS.test(text)
  const isBold = HAS_BOLD_VERSION.test(text) && !HAS_NUMBERED_HEADING.test(text)
  if (!isTagged && !isBold && !TO_MEND.some((one) => one.test(text))) return text
  let fence = ''
  let margin = ''
  let isBelowHeading = false
  let isBelowVersion = false
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    const [mark = ''] = /^(?:`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    if (isBelowHeading) margin = INDENTED_ITEM.exec(line)?.[1] ?? ''
    if (isBlank(line)) continue
    isBelowVersion ||= /^[^a-z]*v?\d+\.\d/i.test(line)
    isBelowHeading = isBelowVersion && fence === '' && HEADING.test(line)
    if (fence !== '') continue
    if (!line.startsWith(margin)) margin = ''
    const below = lines[at + 1] ?? ''
    if (UNDERLINE.test(below) && UNDERLINED.test(line) && !isBlank(lines[at - 1] ?? '')) {
      lines[at] = `${below.startsWith('=') ? '#' : '##'} ${line}`
      lines[at + 1] = ''
    } else if (isBold && BOLD_VERSION.test(line)) lines[at] = line.replace(BOLD_VERSION, '## $1')
    else if (isTagged && TAGGED_ITEM.test(line)) lines[at] = `- ${line}`
    else
      lines[at] = line
        .slice(margin.length)
        .replace(ITEM_HEADING, '')
        .replace(UNSPACED_HEADING, '$& ')
        .replace(TEXTILE_HEADING, (_, depth: string) => `${'#'.repeat(Number(depth))} `)
  }
  return lines.join('\n')
}

/** Removes empty lines around the text, and blanks on empty lines. */
export function trimBlankLines(text: string): string {
  const emptied = emptyBlankLines(text)
  let [start, end] = [0, emptied.length]
  while (emptied[start] === '\n') start++
  while (end > start && ' \t\n'.includes(emptied[end - 1] as string)) end--
  return emptied.slice(start, end)
}

/** Not line by line, which takes ten times as long. */
const emptyBlankLines = (text: string): string => text.replace(/(^|\n)[ \t]+(?=\n|$)/g, '$1')

/** Removes up to `columns` of indentation from all lines but the first, which has none. */
export function dedent(text: string, columns: number): string {
  if (!text.includes('\n')) return text
  const [first = '', ...others] = text.split('\n')
  return [first, ...others.map((line) => dedentLine(line, columns))].join('\n')
}

/** Indents a text so that it continues a list item. */
export const indent = (text: string): string => emptyBlankLines(text).replace(/(^|\n)(?=[^\n])/g, '$1  ')

/** The column of an offset in its line, with tabs expanded. */
export const columnAt = (text: string, offset: number): number =>
  width(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))

/** Joins lines with spaces, which means the same in inline markdown. */
export const oneLine = (text: string): string =>
  trimBlanks(text.includes('\n') ? text.split('\n').map(trimBlanks).join(' ') : text)

export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line)

/** To markdown a no-break space is content, which `String.trim` would remove. */
export const trimBlanks = (text: string): string => trimEndBlanks(text.replace(/^[ \t]+/, ''))

export function dedentLine(line: string, columns: number): string {
  let column = 0
  let at = 0
  while (at < line.length && column < columns) {
    if (line[at] === ' ') column++
    else if (line[at] === '\t') column += 4 - (column % 4)
    else break
    at++
  }
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(at)
}

export function width(text: string): number {
  let column = 0
  for (const character of text) column += character === '\t' ? 4 - (column % 4) : 1
  return column
}

/** Whether the text opens HTML that an empty line does not end. */
export function opensUnclosedHtml(text: string): boolean {
  if (text.startsWith('<!--')) return !text.includes('-->')
  if (text.startsWith('<?')) return !text.includes('?>')
  if (text.startsWith('<![CDATA[')) return !text.includes(']]>')
  if (/^<![a-z]/i.test(text)) return !text.includes('>')
  if (/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i.test(text)) {
    return !/<\/(?:script|pre|style|textarea)>/i.test(text)
  }
  return false
}

/** A loop, because a regular expression for trailing blanks is quadratic on a long run of blanks. */
export function trimEndBlanks(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return text.slice(0, end)
}

/** The first index below `length` at which the condition holds, which it then does up to the end. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
