import { escapeInline } from '../keepachangelog/markdown/inline.ts'
import { isBlank, normalise, width } from '../keepachangelog/markdown/lines.ts'
import { MarkdownDocument, MarkdownSource } from '../keepachangelog/markdown/source.ts'
import { asParagraph } from '../keepachangelog/titles.ts'
import { withoutAnchors } from '../keepachangelog/versions/anchors.ts'
import { readVersionBody, type VersionBody } from '../keepachangelog/versions/body.ts'
import { pointsIn, type TextStyle } from './points.ts'

export interface PlainHeadings {
  /** A line as a markdown heading, by the next line, the first text below it and the line above; null if it is none. */
  headingOf(line: string, next: string, below: string, above: string): string | null
  /** A heading above all others, or empty. */
  above: string
  /** How texts without bullets are written in the file; null if they are no changes. */
  style: TextStyle | null
}

/**
 * Reads the text of a version in a plain file like markdown. It is translated line by line, so that warnings name the
 * author's lines: all kinds of bullets become markdown's, and other markup is escaped. `line` is that of the version.
 */
export function readPlainBody(lines: readonly string[], line: number, headings: PlainHeadings): VersionBody {
  const text = [headings.above, ...markdownLines(lines, headings)].join('\n')
  const source = new MarkdownSource(new MarkdownDocument(normalise(text), { firstLine: line }))
  return readVersionBody(withoutAnchors(source.nodes), source)
}

export function* markdownLines(
  lines: readonly string[],
  { headingOf, style }: Omit<PlainHeadings, 'above'>,
): Generator<string> {
  /** The columns of the enclosing bullets, outermost first. */
  let columns: number[] = []
  const headingAt = (at: number) =>
    headingOf(
      lines[at] ?? '',
      lines[at + 1] ?? '',
      lines[at + 2] || (lines[at + 3] ?? ''),
      lines[at - 1] ?? '',
    )
  const pointAt = pointsIn(lines, (at) => headingAt(at) !== null, style)
  for (const [at, line] of lines.entries()) {
    if (isBlank(line) || isRule(line)) {
      yield ''
      continue
    }
    const isInside = width(/^[ \t]*/.exec(line)?.[0] ?? '') > (columns.at(-1) ?? Number.POSITIVE_INFINITY)
    const heading = isInside && !isBlank(lines[at - 1] ?? '') ? null : headingAt(at)
    if (heading !== null) {
      columns = []
      yield heading
      continue
    }
    const { indent = /^[ \t]*/.exec(line)?.[0] ?? '', bullet, text = line.trim() } = pointAt(at) ?? {}
    const column = width(indent)
    columns = columns.filter((outer) => outer < column)
    const mark = bullet === undefined ? '' : '- '
    yield '  '.repeat(columns.length) + mark + plainLine(text)
    if (bullet !== undefined) columns.push(column)
  }
}

export const isRule = (line: string): boolean => /^[ \t]*([-=*~_#^"+])\1{2,}[ \t]*$/.test(line)

/** Code and addresses are not escaped. */
const AS_IT_IS = /(`[^`\s][^`]*`|\bhttps?:\/\/[^\s<>]+)/

export function escapePlain(text: string): string {
  return text
    .split(AS_IT_IS)
    .map((part, at) => (at % 2 === 1 ? part : escapeInline(part)))
    .join('')
}

function plainLine(text: string): string {
  const escaped = asParagraph(escapePlain(text.trimEnd()))
  return /^=+$/.test(escaped) ? `\\${escaped}` : escaped
}

/**
 * Sections are starred or bracketed in plain texts: `** Bug fixes`, `[Bug fixes]`, `changes:` of YAML. More stars
 * are deeper; above another line with as many, a starred line is an item.
 */
export function headingOf(line: string, next: string, below: string, above: string): string | null {
  const { stars = '', starred } = /^(?<stars>\*{2,4}) (?<starred>\S[^.]{0,60})$/.exec(line)?.groups ?? {}
  const grouped = /^\s*\[(?<name>[^[\]#:]{1,60})\]\s*$/.exec(line)?.groups?.name
  const { indent = '', keyed } = /^(?<indent>[ \t]{1,8})(?<keyed>\p{Ll}+):$/u.exec(line)?.groups ?? {}
  const isSentence = above.startsWith(indent) && /^\p{L}[^:]*$/u.test(above.slice(indent.length))
  const hasText = isBlank(next) && (/^\*{1,4}(?= )/.exec(below)?.[0].length ?? 5) > stars.length
  const name =
    (starred && hasText && !isBlank(below) ? starred : null) ??
    grouped ??
    (keyed && !isSentence && /^\s*[-*]\s/.test(next) ? keyed : null)
  const depth = starred === undefined ? 3 : stars.length + 1
  return name ? `${'#'.repeat(depth)} ${escapePlain(name.trim().replace(/:$/, ''))}` : null
}
