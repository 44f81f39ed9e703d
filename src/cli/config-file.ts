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

/** Options of a command line that say where its data and settings are. */
export type GivenOptions = Partial<Record<'config' | 'db', string | undefined>>

/**
 * Reads the configuration file named on the command line or in the environment, on demand. Without one, the program of
 * a package reads the settings of its service, unless the database is named; it refuses a user who may not read them.
 */
export function configFileOf(
  given: () => GivenOptions,
  { env, isPackaged }: Pick<Context, 'env' | 'isPackaged'>,
): () => ConfigFile | null {
  return once(() => {
    const { config, db } = given()
    const path = config ?? env[CONFIG_VARIABLE]
    if (path) return readConfigFile(path, config === undefined ? CONFIG_VARIABLE : '--config')
    const { name } = SETTINGS.database
    const namesDatabase = db !== undefined || env[name] || env[`${name}_FILE`]
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

/** Completes the commands of hints: they are about the database and the settings of this command. */
export function completing(given: () => GivenOptions): Context['complete'] {
  return function complete(hint): Hint {
    const { command, or, ...rest } = hint
    if (!command?.startsWith('changelogd ')) return hint
    const { db, config } = given()
    const own = withFlag(withFlag(command, '--db', db), '--config', config)
    return { ...rest, command: own, ...(or && { or: complete(or) }) }
  }
}

function withFlag(command: string, flag: string, value: string | undefined): string {
  const [options = '', ...operands] = command.split(/(?= -- )/)
  return value === undefined || hasPassword(value) || options.includes(flag)
    ? command
    : [options, ` ${flag} ${shellWord(value)}`, ...operands].join('')
}
