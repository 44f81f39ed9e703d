/** Markdown as lines. Blanks are spaces and tabs. */

/** Gives a text one kind of line end, no byte order mark, and only characters that databases and JSON can hold. */
export function normalise(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')
    .toWellFormed()
}

/** Removes empty lines around the text, and blanks on empty lines. */
export const trimBlankLines = (text: string): string => trim(emptyBlankLines(text), '\n', ' \t\n')

/** To markdown a no-break space is content, which `String.trim` would remove. */
export const trimBlanks = (text: string): string => trim(text, ' \t', ' \t')

/** Uses loops, because a regular expression for trailing blanks is quadratic on a long run of blanks. */
function trim(text: string, leading: string, trailing: string): string {
  let [start, end] = [0, text.length]
  while (start < end && leading.includes(text[start] as string)) start++
  while (end > start && trailing.includes(text[end - 1] as string)) end--
  return text.slice(start, end)
}

/** Works on the whole text: line by line takes ten times as long. */
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

/** Tabs go to the next of four columns. */
export function width(text: string, tab = 4): number {
  let column = 0
  for (const character of text) column += character === '\t' ? tab - (column % tab) : 1
  return column
}

/** HTML that an empty line does not end, and what ends it. */
const OPEN_HTML: readonly [start: RegExp, end: RegExp][] = [
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
]

export const opensUnclosedHtml = (text: string): boolean =>
  OPEN_HTML.some(([start, end]) => start.test(text) && !end.test(text))

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
