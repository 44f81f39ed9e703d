import { accessSync, constants, statSync } from 'node:fs'
import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { type Config, readConfig, readDatabase, readTrashDirectory, type Sources } from '../config/config.ts'
import { type ConfigFile, readConfigFile } from '../config/file.ts'
import { PACKAGE } from '../config/package.ts'
import { SETTINGS, type Setting, shownDefault } from '../config/settings.ts'
import { codeOf } from '../domain/errors.ts'
import { Refusal } from '../domain/refusal.ts'
import { commandWords } from '../domain/text/shell.ts'
import { isReadableByAll, userName } from '../files/access.ts'
import type { Context } from './context.ts'
import { COMMON_OPTIONS } from './help/help.ts'

/** Settings as options: those of `flags`, or all except `--db`. `meanings` replaces descriptions, by flag. */
export const settingOptions = (
  flags?: readonly string[],
  meanings: Readonly<Record<string, string>> = {},
): Option[] =>
  settingsWithFlag()
    .filter(({ flag }) => (flags ? flags.includes(flag) : flag !== SETTINGS.database.flag))
    .map((setting) => asOption(setting, meanings[setting.flag]))

/** The value of an option such as `--db` on a command line, the last one if it is repeated. */
export function flagOn(args: readonly string[], flag: string): string | undefined {
  const at = args.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`))
  const word = args[at]
  return word === flag ? args[at + 1] : word?.slice(flag.length + 1)
}

const CONFIG_VARIABLE = 'CHANGELOGD_CONFIG'

export const configOption = () =>
  new Option(
    '--config <file>',
    `file with settings, as lines NAME=value (env: ${CONFIG_VARIABLE})`,
  ).helpGroup(COMMON_OPTIONS)

/**
 * Reads the configuration file named on the command line or in the environment, on demand. Without one, the program of
 * a package reads the settings of its service, unless the database is named; it refuses a user who may not read them.
 */
export function configFileOf(
  args: readonly string[],
  { env, isPackaged }: Pick<Context, 'env' | 'isPackaged'>,
): () => ConfigFile | null {
  const read = () => {
    const flag = flagOn(args, '--config')
    const path = flag ?? env[CONFIG_VARIABLE]
    if (path) return readConfigFile(path, flag === undefined ? CONFIG_VARIABLE : '--config')
    const { name } = SETTINGS.database
    const namesDatabase = flagOn(args, '--db') !== undefined || env[name] || env[`${name}_FILE`]
    return isPackaged && path === undefined && !namesDatabase ? readServiceSettings(args) : null
  }
  let file: ConfigFile | null | undefined
  return () => {
    file ??= read()
    return file
  }
}

function readServiceSettings(args: readonly string[]): ConfigFile {
  const { settings, directory, database } = PACKAGE
  try {
    accessSync(settings, constants.R_OK)
  } catch (error) {
    if (codeOf(error) === 'EACCES') throw notReadable(args)
  }
  return { ...readConfigFile(settings, 'The default of --config'), service: { directory, database } }
}

function notReadable(args: readonly string[]): Refusal {
  const { settings, user } = PACKAGE
  const self = userName(process.geteuid?.() ?? -1)
  return new Refusal(`The settings of the service are in ${settings}, which user ${self} may not read.`, {
    hint:
      self === user
        ? `To change that: sudo chown root:${user} ${settings} && sudo chmod 640 ${settings}`
        : `To run this as the user of the service: sudo -u ${user} changelogd …${fromInput(args)}`,
  })
}

/** The redirection that lets another user import a file that only this one may open. */
function fromInput([command = '', ...words]: readonly string[]): string {
  const isRead = (word: string, at: number) =>
    !word.startsWith('-') && (['import', 'apply'].includes(command) || words[at - 1] === '--description-file')
  const file = words.find(
    (word, at) =>
      isRead(word, at) && statSync(word, { throwIfNoEntry: false })?.isFile() && !isReadableByAll(word),
  )
  return file === undefined ? '' : ` < ${commandWords([file])}`
}

/** Throws a `ConfigError`. */
export const databaseFrom = (context: Context, flag: string | undefined): string =>
  readDatabase(flag, context.env, context.configFile())

/** Where deleted records are kept. Throws a `ConfigError`. */
export const trashDirectoryFrom = (context: Context, database: string): string =>
  readTrashDirectory(database, context.env, context.configFile())

/** Flags of earlier versions, and their replacements. */
const REMOVED_FLAGS = {
  'password-protection-password': 'set PASSWORD_PROTECTION_PASSWORD or PASSWORD_PROTECTION_PASSWORD_FILE',
}

/** Names the replacement of a removed flag, without its value. */
export function refuseRemovedFlags(command: CommandUnknownOpts): void {
  for (const [flag, replacement] of Object.entries(REMOVED_FLAGS))
    command
      .addOption(new Option(`--${flag} [value]`).hideHelp())
      .on(`option:${flag}`, () => command.error(`error: --${flag} has been removed: ${replacement}`))
}

/** Meaning, default and variable of a setting. */
export function describeSetting(setting: Setting, meaning: string = setting.meaning): string {
  const variables = setting.secret ? `${setting.name} or ${setting.name}_FILE` : setting.name
  const standard = shownDefault(setting)
  return standard ? `${meaning} (default: ${standard}, env: ${variables})` : `${meaning} (env: ${variables})`
}

/** Throws a `ConfigError`. */
export function configFrom(context: Context, options: object): Config {
  const { flags, env, file } = sourcesFrom(context, options)
  return readConfig(flags, env, file)
}

export function sourcesFrom(context: Context, options: object): Sources {
  const values: Record<string, unknown> = { ...options }
  const flags: Record<string, string> = {}
  for (const setting of settingsWithFlag()) {
    const value = values[asOption(setting).attributeName()]
    if (value !== undefined) flags[setting.flag] = String(value)
  }
  return { flags, env: context.env, file: context.configFile() }
}

type SettingWithFlag = Setting & { readonly flag: string }

const settingsWithFlag = (): SettingWithFlag[] =>
  Object.values<Setting>(SETTINGS).filter((setting) => setting.flag !== undefined) as SettingWithFlag[]

function asOption(setting: SettingWithFlag, meaning?: string): Option {
  // A switch needs no value.
  const { value = 'true|false', isOptional = setting.value === undefined } = setting
  const shown = isOptional ? `[${value.toLowerCase()}]` : `<${value.toLowerCase()}>`
  return new Option(`--${setting.flag} ${shown}`, describeSetting(setting, meaning))
}
