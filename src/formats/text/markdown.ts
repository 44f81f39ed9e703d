import { dedentLine } from '../keepachangelog/markdown/lines.ts'
import { findDate } from '../keepachangelog/versions/dates.ts'
import { escapePlain, headingOf, markdownLines } from './body.ts'
import type { Candidate } from './candidates.ts'
import { isDayOrAuthor, withItemsFirst } from './entries.ts'
import type { Line } from './lines.ts'
import { TextStyle } from './points.ts'

/**
 * A text as markdown, line for line, so that warnings name the author's lines: versions become headings, and what is a heading or
 * an item to its author becomes one of markdown. If the versions of a text that is not named as markdown are plain lines,
 * the rest is plain too, and its markup is escaped.
 */
export function markdownOf(
  lines: readonly Line[],
  versions: readonly Candidate[],
  isMarkdown: boolean,
): { text: string; starts: number[] } {
  const isPlain = !isMarkdown && versions.every(({ form }) => form === 'line' || form === 'item')
  const isTable = versions[0]?.form === 'row'
  const isUnderlined =
    !isMarkdown && versions.some(({ at, form }) => form === 'heading' && lines[at]?.isUnderlined)
  const isRst = lines.some(
    ({ kind, isUnderlined, text }) => kind === 'rule' && isUnderlined && /^~/.test(text),
  )
  const parts = versions.map(({ at }, index) => ({
    at,
    from: bodyFrom(lines, at),
    to: bodyTo(lines, versions[index + 1]?.at),
  }))
  const isBare = ({ from, to }: { from: number; to: number }) =>
    isPlain || (isUnderlined && !isRst && !lines.slice(from, to).some(hasMarkup))
  const style = new TextStyle()
  for (const part of parts) if (isBare(part)) style.add(rawOf(lines.slice(part.from, part.to)))
  const days = new Set(versions.map(({ dayAt }) => dayAt))
  const written: string[] = []
  const starts: number[] = []
  const write = (from: number, to: number, isItem = false) => {
    const own = lines.slice(from, to)
    for (const [index, line] of (isItem ? dedented(own) : own).entries()) {
      const markdown = days.has(from + index) ? '' : markdownLine(line, isMarkdown, isTable)
      // A row of HTML may need a line more than it has, and has others that are empty.
      if (!isTable || markdown !== '' || written.length <= from + index) written.push(markdown)
    }
  }
  const top = bodyTo(lines, versions[0]?.at)
  if (isPlain)
    written.push(...markdownLines(rawOf(lines.slice(0, top)), { headingOf, style: null, isEscaped: true }))
  else write(0, top)
  for (const [index, part] of parts.entries()) {
    const { text, form } = versions[index] as Candidate
    const { heading, from } = isPlain ? withDay(text, lines, part) : { heading: text, from: part.from }
    const own = lines[part.at] as Line
    while (written.length < part.at) written.push('')
    starts.push(written.length)
    const isWritten = form === 'heading' && isMarkdown && !own.isUnderlined && text === own.text
    written.push(
      isWritten ? markdownLine(own, isMarkdown, false) : `## ${isPlain ? escapePlain(heading) : heading}`,
    )
    const beside =
      isTable && !own.raw.trimStart().startsWith('|')
        ? own.raw.replace(TABLE_TAG, '').replace(own.text, '').trim()
        : ''
    if (beside !== '') written.push(`- ${beside}`)
    while (written.length < from) written.push('')
    if (isBare(part))
      written.push(
        ...withItemsFirst([
          ...markdownLines(rawOf(lines.slice(from, part.to)), { headingOf, style, isEscaped: isPlain }),
        ]),
      )
    else write(from, part.to, form === 'item')
  }
  const text = written.join('\n')
  return { text: isRst ? text.replace(RST_LINK, '[$1]($2)') : text, starts }
}

/** `` `text <target>`_ `` of reStructuredText. */
const RST_LINK = /`([^`<>\n]{1,500}) <([^`<>\s]{1,2000})>`__?/g

const rawOf = (lines: readonly Line[]): string[] => lines.map(({ raw }) => raw)

/** Below the rule that underlines a version. */
const bodyFrom = (lines: readonly Line[], at: number): number =>
  lines[at + 1]?.kind === 'rule' ? at + 2 : at + 1

/** Above the rule that overlines the next version. */
function bodyTo(lines: readonly Line[], at = lines.length): number {
  const above = lines[at - 1]
  const isOverline = above?.kind === 'rule' && lines[at - 2]?.isUnderlined !== true
  return at < lines.length && isOverline ? at - 1 : at
}

const hasMarkup = ({ kind, text }: Line): boolean =>
  !['text', 'blank', 'rule'].includes(kind) || /^(?:>|\.\. |\(\d|o[ \t])/.test(text)

/** The day and the author of a version may be below it, if no others are. */
function withDay(
  text: string,
  lines: readonly Line[],
  { from, to }: { from: number; to: number },
): { heading: string; from: number } {
  const at = lines[from]?.kind === 'blank' ? from + 1 : from
  const isDay = (line: Line | undefined) =>
    line !== undefined &&
    line.indent === 0 &&
    line.raw.length < 200 &&
    /^\w/.test(line.raw) &&
    isDayOrAuthor(line.raw)
  if (at >= to || !isDay(lines[at]) || findDate(text) !== null || lines.slice(at + 1, to).some(isDay))
    return { heading: text, from }
  return { heading: `${text} - ${lines[at]?.raw.replace(/:$/, '')}`, from: at + 1 }
}

function markdownLine(line: Line, isMarkdown: boolean, isTable: boolean): string {
  const { kind, raw, text, level, isUnderlined, margin } = line
  if (kind === 'blank') return ''
  if (isTable) return raw.replace(HTML_ITEM, '- ').replace(TABLE_TAG, '')
  if (kind === 'heading' && (isMarkdown || !isUnderlined))
    return isUnderlined || MARKDOWN_HEADING.test(raw) ? raw : `${'#'.repeat(level)} ${text}`
  if (kind === 'heading') return `${'#'.repeat(level)} ${text.trim()}`
  if (kind === 'rule' && isUnderlined && !isMarkdown) return ''
  if (kind === 'item' && !MARKDOWN_ITEM.test(raw))
    return `${' '.repeat(line.indent - margin)}${line.mark} ${text}`
  return margin === 0 ? raw : dedentLine(raw, margin)
}

const MARKDOWN_HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
const MARKDOWN_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/
/** In a table of HTML: an item of a list, or a cell with nothing but text. */
const HTML_ITEM = /^[ \t]*<(?:li|td)\b[^<>]*>[ \t]*(?=[^\s<])/i
const TABLE_TAG = /<\/?(?:table|thead|tbody|tr|t[dh]|[uo]l|li)\b[^<>]*>/gi

/** Without the indentation that all lines of an item have. */
function dedented(lines: readonly Line[]): Line[] {
  const least = Math.min(...lines.filter(({ kind }) => kind !== 'blank').map(({ indent }) => indent), 8)
  return least === 0
    ? [...lines]
    : lines.map((line) => ({ ...line, raw: dedentLine(line.raw, least), indent: line.indent - least }))
}
