import { type Hint, hintText, toRun } from '../../domain/refusal.ts'
import { plain } from '../../domain/text/controls.ts'
import { plural } from '../../domain/text/plural.ts'
import { commandLine } from '../../domain/text/shell.ts'
import type { Holdings } from '../../store/records/types.ts'
import type { Kept } from '../../transfer/undo/keep.ts'
import type { Context } from '../context.ts'

export { plain }

export const plainLines = (text: string): string => text.split('\n').map(plain).join('\n')

/** One line with a capital letter, and a full stop unless it ends with a command to copy. */
export const sentence = (phrase: string): string =>
  plain(
    phrase.charAt(0).toUpperCase() + phrase.slice(1) + (/[.?!]$|: changelogd .*$/.test(phrase) ? '' : '.'),
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

export type Contents = Record<'teams' | 'products' | 'versions' | 'keys', number>

/** `1 team, 2 products, 41 versions, 2 keys` */
export const contentsText = (contents: Contents): string =>
  (['team', 'product', 'version', 'key'] as const)
    .map((noun) => plural(contents[`${noun}s`], noun))
    .join(', ')

/** `This deletes team acme and everything in it: 3 products, 41 versions, 2 keys.` */
export function deletionText(what: string, held: Partial<Holdings>): string {
  const contents = holdingsText(held)
  return `This deletes ${what}${contents && ` and everything in it: ${contents}`}.`
}

/** `3 products, 41 versions, 2 keys`, or nothing. */
export const holdingsText = (held: Partial<Holdings>): string =>
  (['product', 'version', 'change', 'key'] as const)
    .filter((noun) => held[`${noun}s`])
    .map((noun) => plural(held[`${noun}s`] ?? 0, noun))
    .join(', ')

/** A message for people, on standard error: a text, which may have several lines, or one that ends with a command to copy. */
export type Message = string | Hint

/** How to restore what a command has deleted. */
export const keptNote = ({ id }: Kept): Hint => toRun('To undo', 'undo', [id])

export const commandToUndo = ({ id }: Kept, { db = null }: { db?: string | null | undefined }): string =>
  commandLine({ name: 'undo', args: [id], options: { db } })

export const keptJson = (kept: Kept | null, options: Parameters<typeof commandToUndo>[1]) =>
  kept && { kept: kept.id, undo: commandToUndo(kept, options) }

/** What helps, as a line with a complete command. */
export const remedyText = ({ complete }: Pick<Context, 'complete'>, remedy: string | Hint): string =>
  hintText(typeof remedy === 'string' ? remedy : complete(remedy))

/** Writes a message, wrapped between words at the width of the terminal; the command stays on one line. */
export async function say(context: Speaking, message: Message): Promise<void> {
  const { text, command, or } = context.complete(typeof message === 'string' ? { text: message } : message)
  const lines = (command === undefined ? text : `${text}:`).split('\n')
  for (const [at, line] of lines.entries()) {
    const [, indent = '', words = ''] = /^(\s*)(.*)$/.exec(line) ?? []
    const isLast = command !== undefined && at === lines.length - 1
    const width = context.messageWidth() - indent.length
    const wrapped = wrap([...words.split(' '), ...(isLast ? [commandLine(command)] : [])], width)
    await context.stderr(`${wrapped.map((part) => indent + part).join('\n')}\n`)
  }
  // Completing a complete command adds nothing.
  if (or) await say(context, { ...or, text: `  ${or.text}` })
}

type Speaking = Pick<Context, 'stderr' | 'messageWidth' | 'complete'>
