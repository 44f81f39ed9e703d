import { linesOf } from './text-lines.ts'

/** By its name, or if titles are underlined by what would begin code in markdown. */
export function isRestructuredText(fileName: string, text = ''): boolean {
  if (/\.re?st$/i.test(fileName)) return true
  if (/\.(?:md|markdown|mdown)$/i.test(fileName) || !/^~{3,}[ \t]*$/m.test(text)) return false
  const lines = linesOf(text)
  const titles = lines.filter(
    (line, at) => /^~{3,}$/.test(line.trimEnd()) && line.trimEnd().length === lines[at - 1]?.trimEnd().length,
  )
  return titles.length > 1
}

/**
 * reStructuredText as markdown, line for line: titles and links are translated. A title is underlined by any
 * punctuation, perhaps overlined too, and each new style is one level deeper. Lists, paragraphs and literals are
 * similar enough to stay.
 */
export function markdownOf(text: string): string {
  const lines = linesOf(text)
  const styles: string[] = []
  for (let at = 1; at < lines.length; at++) {
    const title = (lines[at - 1] ?? '').trimEnd()
    const underline = (lines[at] ?? '').trimEnd()
    if (!isUnderline(underline) || isUnderline(title) || title.trim() === '') continue
    const isOverlined = (lines[at - 2] ?? '').trimEnd() === underline
    // Only an overlined title may be indented.
    if (underline.length < title.length || (!isOverlined && /^\s/.test(title))) continue
    const style = `${isOverlined}${underline[0]}`
    if (!styles.includes(style)) styles.push(style)
    lines[at - 1] = `${'#'.repeat(Math.min(6, styles.indexOf(style) + 1))} ${title.trim()}`
    lines[at] = ''
    if (isOverlined) lines[at - 2] = ''
  }
  return lines.join('\n').replace(LINK, '[$1]($2)')
}

/** `` `text <target>`_ `` */
const LINK = /`([^`<>\n]{1,500}) <([^`<>\s]{1,2000})>`__?/g

/** At least three times the same punctuation: two are more often a typo. */
const isUnderline = (line: string): boolean =>
  line.length >= 3 && /^[!-/:-@[-`{-~]$/.test(line.charAt(0)) && line === line.charAt(0).repeat(line.length)
