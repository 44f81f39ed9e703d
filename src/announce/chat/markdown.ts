import { withoutControls } from '../../domain/text/controls.ts'
import { cut } from '../../domain/text/cut.ts'

/** How a chat writes what authors write in markdown. `text` escapes; the others get what is escaped already. */
export interface Dialect {
  text(plain: string): string
  strong(inner: string): string
  emphasis(inner: string): string
  struck(inner: string): string
  code(inner: string): string
  link(inner: string, url: string): string
}

/** Stands for the backslash of an escape, which a chat that knows code does not need there. No text has it. */
export const ESCAPE = '\uE000'

/** Longer lines are cut, and lose their marks then. */
const LINE_LENGTH = 300

const same = (inner: string): string => inner
const PLAIN: Dialect = { text: same, strong: same, emphasis: same, struck: same, code: same, link: same }

/** The title of a release or of a change for a chat, in one line. */
export function writeLine(source: string, dialect: Dialect): string {
  const plain = rendered(source, PLAIN)
  const line = plain.length > LINE_LENGTH ? dialect.text(cut(plain, LINE_LENGTH)) : rendered(source, dialect)
  return line.replaceAll(ESCAPE, '\\')
}

/** Without any marks. */
export const plainLine = (source: string): string => writeLine(source, PLAIN)

const rendered = (source: string, dialect: Dialect): string =>
  Bun.markdown
    .render(
      withoutControls(source).replaceAll(ESCAPE, ''),
      {
        text: (plain) => dialect.text(plain),
        strong: (inner) => dialect.strong(inner),
        emphasis: (inner) => dialect.emphasis(inner),
        strikethrough: (inner) => dialect.struck(inner),
        codespan: (inner) => dialect.code(inner),
        link: (inner, { href }) => (/^https?:\/\//i.test(href) ? dialect.link(inner, href) : inner),
      },
      { noHtmlBlocks: true, noHtmlSpans: true },
    )
    .replace(/\s+/g, ' ')
    .trim()

/** As many lines as fit into so many characters. */
export function upTo(limit: number, lines: readonly string[]): string {
  let room = limit - 2
  const end = lines.findIndex((line) => {
    room -= line.length + 1
    return room < 0
  })
  return end === -1 ? lines.join('\n') : [...lines.slice(0, end), '…'].join('\n')
}
