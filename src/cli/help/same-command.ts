import { hasPassword } from '../../domain/addresses/database.ts'
import type { Hint } from '../../domain/refusal.ts'
import { shellWord } from '../../domain/text/shell.ts'
import { flagOn } from '../config-file.ts'
import type { Context } from '../context.ts'

/** Completes the commands of hints: they are about the database and the settings of this command. */
export function completing(args: readonly string[]): Context['complete'] {
  return function complete(hint): Hint {
    const { command, or, ...rest } = hint
    if (!command?.startsWith('changelogd ')) return hint
    const own = ['--db', '--config'].reduce((line, flag) => withFlag(line, flag, args), command)
    return { ...rest, command: own, ...(or && { or: complete(or) }) }
  }
}

function withFlag(command: string, flag: string, args: readonly string[]): string {
  const value = flagOn(args, flag)
  return value === undefined || hasPassword(value) || command.includes(flag)
    ? command
    : `${command} ${flag} ${shellWord(value)}`
}
