import type { Environment } from '../../config/config.ts'
import type { ConfigFile } from '../../config/file.ts'
import { PACKAGE } from '../../config/package.ts'
import { commandWords } from '../../domain/text/shell.ts'
import { OWNER_ADVICE, userName } from '../../files/access.ts'
import { plain } from '../terminal/text.ts'

/** `changelogd …` in a message is this command again: as another user, or reading standard input. */
const AGAIN =
  /(?:curl -fsSL (.+) \| |(sudo (?:--preserve-env=\S+ )?(?:-u \S+ )?)|: )changelogd …(?: < (.+))?$/m

/** Replaces the ellipsis by the arguments of this command, and its file by `-` if it comes from standard input. */
export const withArguments = (text: string, args: readonly string[], env: Environment): string =>
  text.replace(AGAIN, (again, address?: string, user?: string, file?: string) => {
    const source = address ?? file
    const words = args.map((word) => (isInput(word, source) ? fromInput(word) : word))
    const command = again.replace('…', () => plain(commandWords(words)))
    return user === undefined && source ? command.replace('changelogd', `${sudoOf(env)}changelogd`) : command
  })

function sudoOf({ SUDO_USER }: Environment): string {
  if (!SUDO_USER) return ''
  const user = userName(process.geteuid?.() ?? 0)
  return user === 'root' ? 'sudo ' : `sudo -u ${user} `
}

/** Whether a word is the quoted file, or an option with it. */
const isInput = (word: string, file?: string): boolean => commandWords([fileOf(word)]) === file

const fromInput = (word: string): string => `${word.slice(0, word.length - fileOf(word).length)}-`

const fileOf = (word: string): string => word.replace(/^--[a-z-]+=/, '')

/** With the settings of a service, which only its user and root may read, the owner of a file could not run it. */
export const withoutOwner = (text: string, configFile: () => ConfigFile | null): string =>
  OWNER_ADVICE.test(text) && configFile()?.service
    ? text.replace(
        OWNER_ADVICE,
        `Name a file that user ${PACKAGE.user} may use, such as one in ${PACKAGE.directory}, or run this as root: sudo changelogd …`,
      )
    : text
