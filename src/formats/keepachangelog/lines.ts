/** Markdown as lines of text: their ends, their indentation, the blanks around them. */

/** One encoding of line ends, no byte order mark, nothing a database or a JSON file cannot hold. */
export function normalise(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '\uFFFD')
    .toWellFormed()
}

/** Without empty lines around it and without blanks in lines that show nothing. */
export function trimBlankLines(text: string): string {
  const lines = text.split('\n').map((line) => (isBlank(line) ? '' : line))
  const first = lines.findIndex((line) => line !== '')
  if (first === -1) return ''
  const last = lines.findLastIndex((line) => line !== '')
  lines[last] = trimEndBlanks(lines[last] ?? '')
  return lines.slice(first, last + 1).join('\n')
}

/** Removes up to `columns` of indentation from every line but the first, which starts inside its line. */
export function dedent(text: string, columns: number): string {
  const [first = '', ...others] = text.split('\n')
  return [first, ...others.map((line) => dedentLine(line, columns))].join('\n')
}

/** Makes a text the continuation of an item. */
export function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (isBlank(line) ? '' : `  ${line}`))
    .join('\n')
}

/** How far to the right a place stands, tabs counted as wide as they are. */
export function columnAt(text: string, offset: number): number {
  return width(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))
}

/** Several lines as one, which means the same in markdown where a line end is a blank. */
export function oneLine(text: string): string {
  return trimBlanks(text.split('\n').map(trimBlanks).join(' '))
}

export function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line)
}

/** Markdown knows blanks and tabs only: a no-break space is content, which `String.trim` would take away. */
export function trimBlanks(text: string): string {
  return trimEndBlanks(text.replace(/^[ \t]+/, ''))
}

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

/** By hand, as a regular expression for trailing blanks is quadratic on a long run of blanks. */
function trimEndBlanks(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return text.slice(0, end)
}
