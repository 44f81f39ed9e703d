import { plain } from '../../domain/text/controls.ts'
import { shellWord } from '../../domain/text/shell.ts'
import type { Holdings } from '../../store/records/types.ts'

export { plain }

export const plainLines = (text: string): string => text.split('\n').map(plain).join('\n')

/** One line with a capital letter, and a full stop unless it ends with a command to copy. */
export const sentence = (phrase: string): string =>
  plain(
    phrase.charAt(0).toUpperCase() + phrase.slice(1) + (/[.?!]$|: changelogd .*$/.test(phrase) ? '' : '.'),
  )

/** Adds an option of this command to suggested commands at the ends of lines. JSON stays as it is. */
export const withOption = (text: string, option: '--db' | '--config', value: string): string =>
  text.replace(
    new RegExp(`^(?!Usage: |\\{)((?:.*: )?changelogd (?!.*(?:${option}|\\.$)).*)$`, 'gm'),
    (_, line: string) => `${line} ${option} ${shellWord(value)}`,
  )

/** Lines of at most this width; a longer word has its own. */
export function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && Bun.stringWidth(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** Wraps lines between words. Commands to copy, tables and JSON stay as they are. */
export const wrapMessages = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => (Bun.stringWidth(line) <= width ? line : wrapMessage(line, width)))
    .join('\n')

function wrapMessage(line: string, width: number): string {
  const message = line.trimStart()
  if (/^(?:Usage: |\{)|\s\s/.test(message)) return line
  const indent = line.slice(0, line.length - message.length)
  const words = message
    .split(COMMAND)
    .flatMap((part, at) => (at % 2 === 1 ? [part] : part.split(' ')))
    .filter((word) => word !== '')
  return wrap(words, width - indent.length)
    .map((wrapped) => indent + wrapped)
    .join('\n')
}

/** A command in a message, to the end of the message or sentence. */
const COMMAND = /((?:^|(?<=: |, use ))(?:changelogd|curl|mv|sudo) .*?(?:\.(?= |$)|$))/

/** `1 version`, `3 versions` */
export const plural = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : nouns}`

/** `1 team, 2 products, 41 versions, 2 keys` */
export const contentsText = (contents: Record<'teams' | 'products' | 'versions' | 'keys', number>): string =>
  (['team', 'product', 'version', 'key'] as const)
    .map((noun) => plural(contents[`${noun}s`], noun))
    .join(', ')

/** `This deletes team acme and everything in it: 3 products, 41 versions, 2 keys.` */
export function deletionText(what: string, held: Partial<Holdings>): string {
  const contents = holdingsText(held)
  return contents === ''
    ? `This deletes ${what}, which is empty.`
    : `This deletes ${what} and everything in it: ${contents}.`
}

/** `3 products, 41 versions, 2 keys`, or nothing. */
export const holdingsText = (held: Partial<Holdings>): string =>
  (['product', 'version', 'change', 'key'] as const)
    .filter((noun) => held[`${noun}s`])
    .map((noun) => plural(held[`${noun}s`] ?? 0, noun))
    .join(', ')
