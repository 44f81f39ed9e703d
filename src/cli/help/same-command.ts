import type { Environment } from '../../config/config.ts'
import type { ConfigFile } from '../../config/file.ts'
import { PACKAGE } from '../../config/package.ts'
import { commandWords } from '../../domain/text/shell.ts'
import { OWNER_ADVICE, userName } from '../../files/access.ts'
import { plain } from '../terminal/text.ts'

/** The commands in messages that are this one again: as another user, or with what it reads from standard input. */

/** Where a message has `changelogd …`, for this command: as which user, and what it reads if that is not its file. */
const AGAIN =
  /(?:curl -fsSL (.+) \| |(sudo (?:--preserve-env=\S+ )?(?:-u \S+ )?)|: )changelogd …(?: < (.+))?$/m

/** The text with the arguments of this command in place of the ellipsis, and `-` in place of what comes from standard input. */
export const withArguments = (text: string, args: readonly string[], env: Environment): string =>
  text.replace(AGAIN, (again, address?: string, user?: string, file?: string) => {
    const source = address ?? file
    const words = args.map((word) => (isInput(word, source) ? fromInput(word) : word))
    const command = again.replace('…', () => plain(commandWords(words)))
    return user === undefined && source ? command.replace('changelogd', `${sudoOf(env)}changelogd`) : command
  })

/** How this user was become, if through sudo. */
function sudoOf({ SUDO_USER }: Environment): string {
  if (!SUDO_USER) return ''
  const user = userName(process.geteuid?.() ?? 0)
  return user === 'root' ? 'sudo ' : `sudo -u ${user} `
}

/** Whether a word of a command line is the file, which is quoted for a shell, or an option with it. */
const isInput = (word: string, file?: string): boolean => commandWords([fileOf(word)]) === file

const fromInput = (word: string): string => `${word.slice(0, word.length - fileOf(word).length)}-`

const fileOf = (word: string): string => word.replace(/^--[a-z-]+=/, '')

/**
 * The text for a command with the settings of a service, which its user and root may read: the owner of a file could not run
 * it.
 */
export const withoutOwner = (text: string, configFile: () => ConfigFile | null): string =>
  OWNER_ADVICE.test(text) && configFile()?.service
    ? text.replace(
        OWNER_ADVICE,
        `Name a file that user ${PACKAGE.user} may use, such as one in ${PACKAGE.directory}, or run this as root: sudo changelogd …`,
      )
    : text
