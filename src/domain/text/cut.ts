/** Cuts a text at the end of a word, if one is near, and adds an ellipsis; the caller keeps the whole elsewhere. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const room = text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')
  const atWord = room.replace(/(?<!\s)\s+\S*$/, '')
  return `${(atWord.length > max / 2 ? atWord : room).trimEnd()}…`
}

/** Parsers take as long for so many lines as for the characters of a long text. */
const MOST_LINES = 2_000
const LINE_COST = 15
/** What it costs to parse the beginning of a text, in characters. */
export const parsingCost = (text: string, length = text.length): number =>
  Math.min(text.length, length) + LINE_COST * (text.split('\n', MOST_LINES).length - 1)

/** At most so many characters, and 2,000 lines, in whole lines if possible. */
export function cutAtLine(text: string, length: number): string {
  const lines = text.split('\n', MOST_LINES).join('\n')
  if (lines.length <= length) return lines
  return lines.slice(0, lines.lastIndexOf('\n', length) + 1 || length).toWellFormed()
}
