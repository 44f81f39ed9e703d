import type { Hint } from '../../domain/refusal.ts'
import type { Kept } from '../../transfer/trash.ts'
import type { Context } from '../context.ts'
import { wrap } from './text.ts'

/** For people, on standard error: a text, which may have several lines, or one that ends with a command to copy. */
export type Message = string | Hint

/** How to restore what a command has deleted. */
export const keptNote = ({ undo }: Kept): Hint => ({ text: 'To bring it back', command: undo })

/** Writes a message, wrapped between words at the width of the terminal; the command stays on one line. */
export async function say(context: Speaking, message: Message): Promise<void> {
  const { text, command, or } = context.complete(typeof message === 'string' ? { text: message } : message)
  const lines = (command === undefined ? text : `${text}:`).split('\n')
  for (const [at, line] of lines.entries()) {
    const [, indent = '', words = ''] = /^(\s*)(.*)$/.exec(line) ?? []
    const isLast = command !== undefined && at === lines.length - 1
    const width = context.messageWidth() - indent.length
    const wrapped = wrap([...words.split(' '), ...(isLast ? [command] : [])], width)
    await context.stderr(`${wrapped.map((part) => indent + part).join('\n')}\n`)
  }
  // It is complete already, and nothing is added twice.
  if (or) await say(context, { ...or, text: `  ${or.text}` })
}

type Speaking = Pick<Context, 'stderr' | 'messageWidth' | 'complete'>
