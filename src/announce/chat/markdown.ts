import { withoutControls } from '../../domain/text/controls.ts'
import { cut } from '../../domain/text/cut.ts'
import { type Inline, type Mark, plainInline, readInline } from '../../notes/inline.ts'

/** How a chat writes the markdown of authors. `text` and `code` get it as it is, the others their inner text as written. */
export interface Dialect extends Record<Exclude<Mark, 'a'> | 'text', (inner: string) => string> {
  a(inner: string, url: string): string
}

/** The Markdown of Discord, and of authors. */
export const MARKDOWN: Dialect = {
  text: (plain) => plain.replace(/[\\`*_{}[\]()<>#+\-.!|~:@]/g, '\\$&'),
  strong: (inner) => `**${inner}**`,
  em: (inner) => `*${inner}*`,
  del: (inner) => `~~${inner}~~`,
  code: (plain) => `\`${plain.replaceAll('`', "'")}\``,
  a: (inner, url) => `[${inner}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`,
}

/** Longer texts are cut, and lose their marks then; so do those that long links make long. */
const LINE_LENGTH = 500
const MARKED_LENGTH = 800
/** The most characters of a text that are read. */
const MOST_READ = 2_000

/** A title or a paragraph for a chat, in one line. */
export function writeLine(source: string, dialect: Dialect): string {
  const parts = read(source)
  const [plain, marked] = [plainInline(parts), write(parts, dialect)]
  const isLong = plain.length > LINE_LENGTH || marked.length > MARKED_LENGTH
  return isLong ? dialect.text(cut(plain, LINE_LENGTH)) : marked
}

/** Plain text without marks. */
export const plainLine = (source: string): string => cut(plainInline(read(source)), LINE_LENGTH)

/** False for `---` or an image: nothing is left of it, and chats refuse an empty block. */
export const isVisible = (source: string): boolean =>
  /[[\p{L}\p{N}\p{P}\p{S}]--[#*_=\-]]/v.test(plainInline(read(source)))

const read = (source: string): Inline[] =>
  readInline(withoutControls(source.slice(0, MOST_READ)).replace(/\s+/g, ' ').trim())

const write = (parts: readonly Inline[], dialect: Dialect): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return dialect.text(part)
      const { mark, href, content } = part
      if (mark === 'code') return dialect.code(plainInline(content))
      const inner = write(content, dialect)
      return mark === 'a' ? dialect.a(inner, href) : dialect[mark](inner)
    })
    .join('')

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Text in which a chat without an escape for names notifies nobody: a space without width follows each @. */
export const unnamed = (text: string): string => text.replace(/(?<![a-z0-9])@(?=\w)/gi, '@\u200B')

/** Writes an address for a link with a syntax that has these characters. */
export const encoded = (url: string, characters: RegExp): string =>
  url.replace(characters, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`)

const lengthOf = (line: string): number => line.length

/** As many lines as fit into so many characters, or bytes. */
export function upTo(limit: number, lines: readonly string[], sizeOf = lengthOf): string {
  let room = limit - sizeOf('\n…')
  const end = lines.findIndex((line) => {
    room -= sizeOf(line) + 1
    return room < 0
  })
  return end === -1 ? lines.join('\n') : [...lines.slice(0, end), '…'].join('\n')
}
