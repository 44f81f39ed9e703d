import type { ConfigFile } from '../../config/file.ts'
import { PACKAGE } from '../../config/package.ts'
import { hasPassword } from '../../domain/addresses/database.ts'
import type { Again, Hint } from '../../domain/refusal.ts'
import { commandWords, shellWord } from '../../domain/text/shell.ts'
import { userName } from '../../files/access.ts'
import { flagOn } from '../config-file.ts'
import type { Context } from '../context.ts'
import { plain } from '../terminal/text.ts'

/** Completes the commands of hints: they are about the database and the settings of this command, or are this one again. */
export function completing(
  args: readonly string[],
  { env, isPackaged }: Pick<Context, 'env' | 'isPackaged'>,
  configFile: () => ConfigFile | null,
): Context['complete'] {
  return function complete(hint): Hint {
    const { again, command, or, ...rest } = isPackaged ? forService(hint, configFile) : hint
    if (again) return { ...rest, command: runAgain(again, args, env) }
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

/** With the settings of a service, which only its user and root may read, the owner of a file could not run it. */
const forService = (hint: Hint, configFile: () => ConfigFile | null): Hint =>
  hint.again?.isOwner && configFile()?.service
    ? {
        text: `Name a file that user ${PACKAGE.user} may use, such as one in ${PACKAGE.directory}, or run this as root`,
        again: { as: null },
      }
    : hint

function runAgain(again: Again, args: readonly string[], env: Context['env']): string {
  const { as, keeps, input } = again
  const words = args.map((word) => (fileOf(word) === input ? `${word.slice(0, -input.length)}-` : word))
  const command = `changelogd ${args.some(hasPassword) ? '…' : plain(commandWords(words))}`
  const user = as === undefined && input !== undefined ? callerOf(env) : as
  const own = user === undefined ? command : `${sudo(user, keeps)} ${command}`
  if (input === undefined) return own
  const file = plain(commandWords([input]))
  return /^https?:/i.test(input) ? `curl -fsSL ${file} | ${own}` : `${own} < ${file}`
}

const sudo = (user: string | null, keeps?: string): string =>
  ['sudo', ...(keeps ? [`--preserve-env=${keeps}`] : []), ...(user ? ['-u', user] : [])].join(' ')

/** Who runs this by sudo. */
function callerOf({ SUDO_USER }: Context['env']): string | null | undefined {
  if (!SUDO_USER) return undefined
  const user = userName(process.geteuid?.() ?? 0)
  return user === 'root' ? null : user
}

/** Without the option that it is given with. */
const fileOf = (word: string): string => word.replace(/^--[a-z-]+=/, '')
