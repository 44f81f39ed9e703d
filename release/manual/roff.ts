import { wrap } from '../../src/cli/terminal/text.ts'

/** The few requests of the man macros that the pages use. Every text is escaped here, and nowhere else. */

export const section = (title: string): string => `.SH ${title.toUpperCase()}`

export const subsection = (title: string): string => `.SS ${quoted(title)}`

/** A paragraph of prose. */
export const paragraph = (text: string): string => `.PP\n${filled(text)}`

/** A term, which may have markup, with its description below. */
export const item = (term: string, description: string): string => `.TP\n${term}\n${filled(description)}`

/** Text whose lines stay as they are. */
export const verbatim = (text: string): string =>
  ['.PP', '.RS 4', '.EX', ...text.split('\n').map(line), '.EE', '.RE'].join('\n')

export const bold = (text: string): string => `\\fB${escaped(text)}\\fR`

export const italic = (text: string): string => `\\fI${escaped(text)}\\fR`

/** Flags or a usage: words as they are typed are bold, what stands for a value is italic. */
export const syntax = (text: string): string =>
  text
    .split(/(<[^>]*>|\[[^\]]*\]|[ ,]+)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (/^[ ,]/.test(part)) return escaped(part)
      if (part.startsWith('<')) return italic(part.slice(1, -1))
      return part.startsWith('[') ? `[${italic(part.slice(1, -1))}]` : bold(part)
    })
    .join('')
    .replaceAll('\\fR \\fB', ' ')

/** A whole page. Words are not broken, so that they can be copied, and a paragraph begins with its section. */
export const page = (name: string, date: string, version: string, parts: readonly string[]): string =>
  [
    `.TH ${quoted(name.toUpperCase())} 1 "${date}" ${quoted(version)}`,
    '.nr HY 0',
    '.nh',
    '.ad l',
    ...parts,
    '',
  ]
    .join('\n')
    .replace(/^(\.S[HS] .*)\n\.PP$/gm, '$1')

/** Also characters that would be set as typographic ones, such as the hyphen, so that what is shown can be copied. */
const escaped = (text: string): string =>
  text
    .replace(/\\/g, '\\e')
    .replace(/[-'`^~]/g, (character) => `\\${TYPED[character]}`)
    .replace(/[^\x20-\x7e]/gu, (character) => {
      const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
      return `\\[u${hex.padStart(4, '0')}]`
    })

const TYPED: Record<string, string> = { '-': '-', "'": '(aq', '`': '(ga', '^': '(ha', '~': '(ti' }

const quoted = (text: string): string => `"${escaped(text).replace(/"/g, '\\(dq')}"`

/** A line of text: a dot at its beginning would be a request. */
const line = (text: string): string => escaped(text).replace(/^\./, '\\&.')

/** Longer lines in the source are hard to read and to compare. */
const WIDTH = 78

/** Prose in lines of a bounded length, which is what `man` fills anyway. */
const filled = (text: string): string =>
  wrap(text.trim().split(/\s+/).map(escaped), WIDTH)
    .map((each) => each.replace(/^\./, '\\&.'))
    .join('\n')
