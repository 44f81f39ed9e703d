import { accessSync, constants } from 'node:fs'
import { type ConfigFile, readConfigFile } from '../config/file.ts'
import { PACKAGE } from '../config/package.ts'
import { SETTINGS } from '../config/settings.ts'
import { hasPassword } from '../domain/addresses/database.ts'
import { codeOf } from '../domain/errors.ts'
import { once } from '../domain/objects.ts'
import { type Hint, Refusal, toRun } from '../domain/refusal.ts'
import { shellWord } from '../domain/text/shell.ts'
import { userName } from '../files/access.ts'
import type { Context } from './context.ts'

export const CONFIG_VARIABLE = 'CHANGELOGD_CONFIG'

/**
 * Reads the configuration file named on the command line or in the environment, on demand. Without one, the program of
 * a package reads the settings of its service, unless the database is named; it refuses a user who may not read them.
 */
export function configFileOf(
  args: readonly string[],
  { env, isPackaged }: Pick<Context, 'env' | 'isPackaged'>,
): () => ConfigFile | null {
  return once(() => {
    const flag = flagOn(args, '--config')
    const path = flag ?? env[CONFIG_VARIABLE]
    if (path) return readConfigFile(path, flag === undefined ? CONFIG_VARIABLE : '--config')
    const { name } = SETTINGS.database
    const namesDatabase = flagOn(args, '--db') !== undefined || env[name] || env[`${name}_FILE`]
    return isPackaged && path === undefined && !namesDatabase ? readServiceSettings() : null
  })
}

function readServiceSettings(): ConfigFile {
  const { settings, directory, database } = PACKAGE
  try {
    accessSync(settings, constants.R_OK)
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw notReadable()
  }
  return { ...readConfigFile(settings, 'The default of --config'), service: { directory, database } }
}

function notReadable(): Refusal {
  const { settings, user } = PACKAGE
  const self = userName(process.geteuid?.() ?? -1)
  return new Refusal(`User ${self} cannot read the settings of the service in ${settings}.`, {
    hint:
      self === user
        ? `To fix it: sudo chown root:${user} ${settings} && sudo chmod 640 ${settings}`
        : toRun('To run this as the user of the service', `sudo -u ${user} changelogd …`),
  })
}

/** The value of an option such as `--db` on a command line, the last one if it is repeated. */
export function flagOn(args: readonly string[], flag: string): string | undefined {
  const at = args.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = args[at]
  return word === flag ? args[at + 1] : word?.slice(flag.length + 1)
}

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
