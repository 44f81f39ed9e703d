import { accessSync, constants } from 'node:fs'
import { type ConfigFile, readConfigFile } from '../config/file.ts'
import { PACKAGE } from '../config/package.ts'
import { SETTINGS } from '../config/settings.ts'
import { hasPassword } from '../domain/addresses/database.ts'
import { codeOf } from '../domain/errors.ts'
import { once } from '../domain/objects.ts'
import { type Hint, Refusal } from '../domain/refusal.ts'
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
        : { text: 'To run this as the user of the service', command: `sudo -u ${user} changelogd …` },
  })
}

/** Completes the commands of hints: they are about the database and the settings of this command. */
export function completing(given: () => GivenOptions): Context['complete'] {
  return function complete(hint): Hint {
    const { command, or, ...rest } = hint
    if (typeof command !== 'object') return hint
    const { db, config } = given()
    const shown = { db: db === undefined || hasPassword(db) ? null : db, config: config ?? null }
    // Options of the command come first, and stay as they are.
    const options = { ...command.options, ...shown, ...command.options }
    return { ...rest, command: { ...command, options }, ...(or && { or: complete(or) }) }
  }
}
