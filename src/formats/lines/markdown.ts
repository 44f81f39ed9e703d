import type { VersionLine } from '../changelog/read.ts'
import { type ReadHeading, readHeading } from '../changelog/versions/heading.ts'
import { dedentLine, width } from '../markdown/lines.ts'
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
  const hasItems = isPlain && versions.some((version) => hasFirstItem(version, lines))
  const parts = versions.map((version, index) => {
    const { at, isWithin } = version
    const beside = hasItems ? withoutItem(version, lines) : isWithin ? { item: lines[at]?.raw } : null
    const from = beside ? at : at + (lines[at + 1]?.kind === 'rule' ? 2 : 1)
    return { item: undefined, ...version, ...beside, from, to: versions[index + 1]?.at ?? lines.length }
  })
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
  const writePlain = (from: number, to: number, mayBeLines: boolean, item?: string) => {
    const own = lines.slice(from, to)
    const raws = own.map(({ raw }, at) => (at === 0 && item) || raw)
    const isAsWritten = (at: number) => own[at] !== undefined && isVerbatim(own[at])
    const body = [...markdownLines(raws, headingOf, mayBeLines, isAsWritten)].map((text, at) =>
      isAsWritten(at) ? text : inlineOf(text, targets),
    )
    written.push(...(mayBeLines ? withItemsFirst(body) : body))
  }
  if (isPlain) writePlain(0, top, false)
  else write(0, top)
  for (const { at, form, level, heading, from, to, item } of parts) {
    starts.push({ at, level, heading })
    while (written.length < from) written.push('')
    if (isPlain) writePlain(from, to, true, item)
    else write(from, to, form === 'item')
  }
  return { text: written.join('\n'), starts, isPlain }
}

/** `1.2.0  - Add a door`, above other items in the same column. */
function hasFirstItem({ at, form }: Candidate, lines: readonly Line[]): boolean {
  const [front] = form === 'line' ? (BESIDE.exec(lines[at]?.raw ?? '') ?? []) : []
  const below = lines.slice(at + 1, at + 5).find(({ kind }) => kind === 'item')
  // Markdown has tabs of four columns, and terminals of eight.
  const begins = (tab: number) => width(below?.raw.split(/\S/, 1)[0] ?? '', tab) === width(front ?? '', tab)
  return front !== undefined && below !== undefined && (begins(4) || begins(8))
}

/** The version without the item in its line, which becomes a line of its own. */
function withoutItem(
  { at, heading }: Candidate,
  lines: readonly Line[],
): { heading: ReadHeading; item: string } | null {
  const { raw = '' } = lines[at] ?? {}
  const [front] = BESIDE.exec(raw) ?? []
  const own = front === undefined ? null : readHeading(front.trim())
  if (front === undefined || own === null) return null
  const date = own.date ?? (heading.date && { ...heading.date, start: 0, end: 0 })
  return { heading: { ...own, date }, item: ' '.repeat(width(front)) + raw.slice(front.length) }
}

const BESIDE = /^\S.{0,60}?[\s:](?=[-*+][ \t]+\S)/

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
