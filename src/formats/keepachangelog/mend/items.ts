/** Bullets that markdown does not know: `• a`, `・a`, `①a`. */
const BULLET = '[•·・▪◦‣∙①-⑳][ \\t]*(?=[^\\s•·・])'
/** Those that may also begin a signature or a heading are bullets line below line: `— a`, `● a`, `■a`. */
const MARK = '(?:[–—●○■◆★☆][ \\t]+|[●○■◆])(?=[\\p{L}\\p{N}`])'
/** `1、a`, `（1）a`, `1.Add a`, or a dot and code. */
const POINT =
  '(?:\\d{1,2}(?:[、．][ \\t]*(?=\\S)|[.)）](?=\\p{Lo}|\\p{Lu}\\p{L}|`[^`\\n]{1,40}`))|[（(]\\d{1,2}[)）][ \\t]*(?=\\S))'
/** `-Add a`, `-[!] a` */
const UNSPACED = '-(?=\\p{L}|`#|\\[[^\\]\\n]{1,12}\\][ \\t])'
/** `Fixed:` or `**Fixed**` above an item. */
const LABEL =
  '(?:\\p{Lu}[\\p{L} ]{2,30}|\\p{Lo}{2,12})[:：]|\\*\\*[^*\\d\\n]{2,40}\\*\\*[:：]?|__[^_\\d\\n]{2,40}__[:：]?'
const ITEM = '(?:[-*+]|\\d{1,2}[.)])[ \\t]'

const IS_BULLET = new RegExp(`^ ?${BULLET}`, 'u')
const IS_MARKED = new RegExp(`^ ?${MARK}`, 'u')
const IS_POINT = new RegExp(`^ ?${POINT}`, 'u')
const IS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u')
const IS_LABEL = new RegExp(`^(?:${LABEL})[ \\t]*$`, 'u')
const IS_ITEM = new RegExp(`^ ?(?:${ITEM}|${BULLET}|${MARK}|${POINT})`, 'u')

const HAS_BULLETS = new RegExp(`^ ?(?:${BULLET}|${POINT})`, 'mu')
const HAS_MARKS = new RegExp(`^ ?${MARK}[^\\n]*\\n ?${MARK}`, 'mu')
const HAS_UNSPACED = new RegExp(`^${UNSPACED}[^\\n]*\\n${UNSPACED}`, 'mu')
const HAS_ITEM = /^[ \t]*[-*+][ \t]/m
/** Right below an item, where markdown takes it for the end of that. */
const HAS_LABELS = new RegExp(`^ ?${ITEM}[^\\n]*\\n(?:${LABEL})[ \\t]*\\n\\s*${ITEM}`, 'mu')

/** Lines that are items to their author, and labels between them, become those of markdown. */
export function mendItems(text: string): string {
  const [hasMarks, hasLabels] = [HAS_MARKS.test(text), HAS_LABELS.test(text)]
  const isUnspaced = HAS_UNSPACED.test(text)
  if (!hasMarks && !hasLabels && !isUnspaced && !HAS_BULLETS.test(text)) return text
  const hasItem = isUnspaced && HAS_ITEM.test(text)
  const lines = text.split('\n')
  let isCode = false
  let isBelowVersion = false
  let above = ''
  /** Whether no item may go on here. */
  let isFree = true
  for (const [at, line] of lines.entries()) {
    isFree = !hasItem || /^(?:#.*|[ \t]*)$/.test(above) || (isFree && IS_UNSPACED.test(above))
    above = line
    if (/^(?:`{3,}[^`]*|~{3,}.*)$/.test(line)) isCode = !isCode
    const isBelow = isBelowVersion && !isCode
    isBelowVersion ||= /\d/.test(line)
    if (!isBelow) continue
    if (IS_POINT.test(line)) lines[at] = line.replace(IS_POINT, (point) => `${/\d+/.exec(point)?.[0]}. `)
    else if (IS_BULLET.test(line)) lines[at] = line.replace(IS_BULLET, '- ')
    else if (hasMarks && IS_MARKED.test(line)) lines[at] = line.replace(IS_MARKED, '- ')
    else if (isUnspaced && isFree && IS_UNSPACED.test(line)) lines[at] = line.replace('-', '- ')
    else if (hasLabels && IS_LABEL.test(line) && IS_ITEM.test(lines[at + 1] || (lines[at + 2] ?? '')))
      lines[at] = `###### ${line.replace(/[:：][ \t]*$/, '')}`
  }
  return lines.join('\n')
}
