import type { VersionLine } from '../changelog/read.ts'
import { dedentLine } from '../markdown/lines.ts'
import { headingOf, markdownLines } from './body.ts'
import type { Candidate } from './candidates.ts'
import { withItemsFirst } from './entries.ts'
import type { Line } from './line.ts'
import { inlineOf, targetsIn } from './restructured-text.ts'

/**
 * A text as markdown, line for line, so that warnings name the author's lines: headings of versions, which are read, become
 * empty lines, and what is a heading or an item to its author becomes one of markdown. If the versions of a text that is not
 * named as markdown are plain lines, the rest is plain too, and its markup is escaped.
 */
export function markdownOf(lines: readonly Line[], versions: readonly Candidate[], isMarkdown: boolean) {
  const isPlain = !isMarkdown && versions.every(({ form }) => form === 'line' || form === 'item')
  const parts = versions.map((version, index) => ({
    ...version,
    from: version.at + (lines[version.at + 1]?.kind === 'rule' ? 2 : 1),
    to: versions[index + 1]?.at ?? lines.length,
  }))
  const targets = isMarkdown ? new Set<string>() : targetsIn(lines)
  const written: string[] = []
  const starts: VersionLine[] = []
  const write = (from: number, to: number, isItem = false) => {
    const own = lines.slice(from, to)
    for (const line of isItem ? dedented(own) : own) {
      const text = markdownLine(line, isMarkdown)
      written.push(isMarkdown || isVerbatim(line) ? text : inlineOf(text, targets))
    }
  }
  const top = versions[0]?.at ?? lines.length
  const writePlain = (from: number, to: number, mayBeLines: boolean) => {
    const own = lines.slice(from, to)
    const raws = own.map(({ raw }) => raw)
    const isAsWritten = (at: number) => own[at] !== undefined && isVerbatim(own[at])
    const body = [...markdownLines(raws, headingOf, mayBeLines, isAsWritten)].map((text, at) =>
      isAsWritten(at) ? text : inlineOf(text, targets),
    )
    written.push(...(mayBeLines ? withItemsFirst(body) : body))
  }
  if (isPlain) writePlain(0, top, false)
  else write(0, top)
  for (const { at, form, level, heading, from, to } of parts) {
    starts.push({ at, level, heading })
    while (written.length < from) written.push('')
    if (isPlain) writePlain(from, to, true)
    else write(from, to, form === 'item')
  }
  return { text: written.join('\n'), starts, isPlain }
}

const isVerbatim = ({ kind }: Line): boolean => kind === 'code' || kind === 'directive'

function markdownLine(line: Line, isMarkdown: boolean): string {
  const { kind, raw, text, level, isUnderlined, margin } = line
  if (kind === 'blank') return ''
  if (kind === 'heading' && (isMarkdown || !isUnderlined))
    return isUnderlined || MARKDOWN_HEADING.test(raw) ? raw : `${'#'.repeat(level)} ${text}`
  if (kind === 'heading') return `${'#'.repeat(level)} ${text.trim()}`
  if (kind === 'rule' && !isMarkdown) return ''
  if (kind === 'item' && !MARKDOWN_ITEM.test(raw))
    return `${' '.repeat(line.indent - margin)}${line.mark} ${text}`
  return margin === 0 ? raw : dedentLine(raw, margin)
}

const MARKDOWN_HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
const MARKDOWN_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/

/** Without the indentation that all lines of an item have. */
function dedented(lines: readonly Line[]): Line[] {
  const least = Math.min(...lines.filter(({ kind }) => kind !== 'blank').map(({ indent }) => indent), 8)
  return lines.map((line) => ({ ...line, raw: dedentLine(line.raw, least), indent: line.indent - least }))
}
