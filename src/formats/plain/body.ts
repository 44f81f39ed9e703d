import { escapeInline } from '../keepachangelog/markdown/inline.ts'
import { isBlank, normalise, width } from '../keepachangelog/markdown/lines.ts'
import { MarkdownDocument, MarkdownSource } from '../keepachangelog/markdown/source.ts'
import { asParagraph } from '../keepachangelog/titles.ts'
import { readVersionBody, type VersionBody } from '../keepachangelog/versions/body.ts'
import { withoutAnchors } from '../keepachangelog/versions/find.ts'

export interface PlainHeadings {
  /** A line as a markdown heading, by the next line and the first text below it; null if it is none. */
  headingOf(line: string, next: string, below: string): string | null
  /** A heading above all others, or empty. */
  above: string
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

const BULLET = /^(?<indent>[ \t]*)(?<bullet>[-*+•·□☆▪■●○◦‣]|\*{2,4}|\*\)|o(?=[ \t]))[ \t]+(?<text>\S.*)$/

export function* markdownLines(
  lines: readonly string[],
  { headingOf }: Pick<PlainHeadings, 'headingOf'>,
): Generator<string> {
  /** The columns of the enclosing bullets, outermost first. */
  let columns: number[] = []
  const points = lines.some((line) => BULLET.test(line)) ? null : new NumberedPoints()
  for (const [at, line] of lines.entries()) {
    if (isBlank(line)) {
      yield ''
      continue
    }
    const isInside = width(/^[ \t]*/.exec(line)?.[0] ?? '') > (columns.at(-1) ?? Number.POSITIVE_INFINITY)
    const continues = isInside && !isBlank(lines[at - 1] ?? '')
    const [next = '', below = ''] = [lines[at + 1], lines[at + 2] || lines[at + 3]]
    const heading = continues ? null : headingOf(line, next, below)
    if (heading !== null) {
      columns = []
      yield heading
      continue
    }
    const {
      indent = /^[ \t]*/.exec(line)?.[0] ?? '',
      bullet,
      text = line.trim(),
    } = (points === null ? BULLET.exec(line)?.groups : points.next(line)) ?? {}
    const column = width(indent)
    columns = columns.filter((outer) => outer < column)
    const markdown = '  '.repeat(columns.length) + (bullet === undefined ? '' : '- ') + plainLine(text)
    if (bullet !== undefined) columns.push(column)
    yield markdown
  }
}

const POINT = /^(?<indent>[ \t]*)(?<bullet>\(?(?<number>\d{1,3})[.)])[ \t]+(?<text>\S.*)$/

/** The items of a text that has only numbered ones: `1.` or `1)`, and each following number. */
class NumberedPoints {
  #last = 0

  next(line: string): Record<string, string | undefined> | undefined {
    const groups = POINT.exec(line)?.groups
    const number = Number(groups?.number)
    if (!(number <= 1 || number === this.#last + 1)) return undefined
    this.#last = number
    return groups
  }
}

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
