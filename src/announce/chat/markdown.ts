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

/** That of Discord, and of authors. */
export const MARKDOWN: Dialect = {
  text: (plain) => plain.replace(/[\\`*_{}[\]()<>#+\-.!|~:@]/g, `${ESCAPE}$&`),
  strong: (inner) => `**${inner}**`,
  emphasis: (inner) => `*${inner}*`,
  struck: (inner) => `~~${inner}~~`,
  code: (inner) => `\`${inner.replaceAll(ESCAPE, '').replaceAll('`', "'")}\``,
  link: (inner, url) => `[${inner}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`,
}

/** Longer texts are cut, and lose their marks then; so do those that long links make long. */
const LINE_LENGTH = 500
const MARKED_LENGTH = 800

const same = (inner: string): string => inner
const PLAIN: Dialect = { text: same, strong: same, emphasis: same, struck: same, code: same, link: same }

/** A title or a paragraph for a chat, in one line. */
export function writeLine(source: string, dialect: Dialect): string {
  const [plain, marked] = [rendered(source, PLAIN), rendered(source, dialect)]
  const isLong = plain.length > LINE_LENGTH || marked.length > MARKED_LENGTH
  return (isLong ? dialect.text(cut(plain, LINE_LENGTH)) : marked).replaceAll(ESCAPE, '\\')
}

/** Without any marks. */
export const plainLine = (source: string): string => writeLine(source, PLAIN)

/** Whether anything is left of it. Not of `---` or an image; and chats refuse an empty block. */
export const isVisible = (source: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(rendered(source, PLAIN))

/** The first paragraph of a description, in markdown with its links; null if none is near its beginning. */
export function firstParagraph(source: string): string | null {
  const found: string[] = []
  rendered(source.slice(0, 10_000), MARKDOWN, found)
  return found.map((each) => each.replaceAll(ESCAPE, '\\')).find(isVisible) ?? null
}

/** In one line. Tags are text, but in a text with paragraphs, which are added, blocks of HTML are left out. */
const rendered = (source: string, dialect: Dialect, paragraphs?: string[]): string =>
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
        paragraph: (inner) => {
          paragraphs?.push(inner)
          return inner
        },
      },
      { noHtmlBlocks: !paragraphs, noHtmlSpans: true },
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
