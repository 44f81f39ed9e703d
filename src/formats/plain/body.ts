import { escapeInline } from '../keepachangelog/markdown/inline.ts'
import { isBlank, normalise, width } from '../keepachangelog/markdown/lines.ts'
import { MarkdownDocument, MarkdownSource } from '../keepachangelog/markdown/source.ts'
import { asParagraph } from '../keepachangelog/titles.ts'
import { readVersionBody, type VersionBody } from '../keepachangelog/versions/body.ts'
import { withoutAnchors } from '../keepachangelog/versions/find.ts'
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
  const source = new MarkdownSource(new MarkdownDocument(normalise(text), line))
  return readVersionBody(withoutAnchors(source.nodes), source)
}

export function* markdownLines(
  written: readonly string[],
  { headingOf, style }: Omit<PlainHeadings, 'above'>,
): Generator<string> {
  const lines = withWideTabs(written)
  /** The columns of the enclosing bullets, outermost first. */
  let columns: number[] = []
  /** Whether a heading inside of another is above, which is the title of a text without bullets. */
  let isTitled = false
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
    const continues = isInside && !isBlank(lines[at - 1] ?? '')
    const heading = continues ? null : headingAt(at)
    if (heading !== null) {
      columns = []
      isTitled = heading.startsWith('####')
      yield heading
      continue
    }
    const { indent = /^[ \t]*/.exec(line)?.[0] ?? '', bullet, text = line.trim(), label } = pointAt(at) ?? {}
    if (label !== undefined) {
      columns = []
      yield `### ${escapePlain(label)}`
      continue
    }
    const column = width(indent)
    columns = columns.filter((outer) => outer < column)
    const isItem = bullet !== undefined && !(bullet === '' && isTitled)
    yield '  '.repeat(columns.length) + (isItem ? '- ' : '') + plainLine(text)
    if (isItem) columns.push(column)
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

/** Without the indentation that all lines have. */
export function dedented(lines: readonly string[]): string[] {
  const spaced = lines.map((line) =>
    isBlank(line) ? '' : line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length)),
  )
  const widths = spaced.filter((line) => line !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0)
  const least = Math.min(...widths, 8)
  return spaced.map((line) => line.slice(least))
}

/** Tabs are eight wide where lines are indented by eight blanks beside them, and none by four: elsewhere they are four. */
function withWideTabs(lines: readonly string[]): readonly string[] {
  const isWide =
    lines.some((line) => line.startsWith('\t')) &&
    lines.some((line) => /^ {8}/.test(line)) &&
    !lines.some((line) => /^ {4,7}\S/.test(line))
  return isWide ? lines.map((line) => line.replace(/^\t+/, (tabs) => '        '.repeat(tabs.length))) : lines
}
