import { asParagraph } from '../changelog/titles.ts'
import { escapePlain } from '../markdown/inline.ts'
import { dedentLine, isBlank, width } from '../markdown/lines.ts'
import { pointsIn } from './points.ts'

/** A line as a markdown heading, by the next line, the first text below it and the line above; null if it is none. */
type HeadingReader = (line: string, next: string, below: string, above: string) => string | null

/**
 * The text of a version in a plain file as markdown, line by line, so that warnings name the author's lines: all kinds of
 * bullets become markdown's, and other markup is escaped.
 */
export function* markdownLines(
  lines: readonly string[],
  headingOf: HeadingReader,
  /** Lines without bullets are changes, where there are no others. */
  mayBeLines = false,
  isCode: (at: number) => boolean = () => false,
): Generator<string> {
  /** The columns of the enclosing bullets, outermost first. */
  let columns: number[] = []
  const headingAt = (at: number) => {
    const [line = '', next = '', below = '', last = ''] = lines.slice(at, at + 4)
    return headingOf(line, next, below || last, lines[at - 1] ?? '')
  }
  const pointAt = pointsIn(lines, (at) => headingAt(at) !== null, mayBeLines)
  let margin = 0
  for (const [at, line] of lines.entries()) {
    const blanks = /^[ \t]*/.exec(line)?.[0] ?? ''
    if (isCode(at)) {
      if (!isCode(at - 1)) margin = width(blanks) - (/^[ \t]*(?:`{3}|~{3})/.test(line) ? 0 : 4)
      yield '  '.repeat(columns.length) + dedentLine(line, margin)
      continue
    }
    if (isBlank(line) || isRule(line)) {
      yield ''
      continue
    }
    const isInside = width(blanks) > (columns.at(-1) ?? Number.POSITIVE_INFINITY)
    const heading = isInside && !isBlank(lines[at - 1] ?? '') ? null : headingAt(at)
    if (heading !== null) {
      columns = []
      yield heading
      continue
    }
    const { indent = blanks, bullet, text: written = line.trim() } = pointAt(at) ?? {}
    // YAML: the text is in the lines below.
    const text = bullet !== undefined && /^[>|][-+]?$/.test(written) ? '' : written
    const column = width(indent)
    columns = columns.filter((outer) => outer < column)
    const mark = bullet === undefined ? '' : '- '
    yield '  '.repeat(columns.length) + mark + asParagraph(escapePlain(text.trimEnd()))
    if (bullet !== undefined) columns.push(column)
  }
}

const isRule = (line: string): boolean => /^[ \t]*([-=*~_#^"+])\1{2,}[ \t]*$/.test(line)

/**
 * Sections are starred or bracketed in plain texts: `** Bug fixes`, `[Bug fixes]`, `changes:` of YAML. More stars
 * are deeper; above another line with as many, a starred line is an item.
 */
export function headingOf(line: string, next: string, below: string, above: string): string | null {
  const { stars = '', starred } = /^(?<stars>\*{2,4}) (?<starred>\S[^.]{0,60})$/.exec(line)?.groups ?? {}
  const grouped = /^\s*\[(?<name>[^[\]#:]{1,60})\]\s*$/.exec(line)?.groups?.name
  const { indent = '', keyed } =
    /^(?<indent>[ \t]{1,8})(?<keyed>\p{Ll}+(?: \p{Ll}+)?):$/u.exec(line)?.groups ?? {}
  const isSentence = above.startsWith(indent) && /^\p{L}[^:]*$/u.test(above.slice(indent.length))
  const hasText = isBlank(next) && (/^\*{1,4}(?= )/.exec(below)?.[0].length ?? 5) > stars.length
  const name =
    (starred && hasText && !isBlank(below) ? starred : null) ??
    grouped ??
    (keyed && !isSentence && /^\s*[-*]\s/.test(next) ? keyed : null)
  const depth = starred === undefined ? 3 : stars.length + 1
  return name ? `${'#'.repeat(depth)} ${escapePlain(name.trim().replace(/:$/, ''))}` : null
}
