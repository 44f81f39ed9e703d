import { Option } from '@commander-js/extra-typings'
import { besideDatabase, type Config, readConfig, readSetting, type Sources } from '../config/config.ts'
import { SETTINGS, type Setting, shownDefault } from '../config/settings.ts'
import { CONFIG_VARIABLE } from './config-file.ts'
import type { Context } from './context.ts'
import { COMMON_OPTIONS } from './help/help.ts'

/** Settings as options: those of `flags`, or all except `--db`. */
export const settingOptions = (flags?: readonly string[]): Option[] =>
  settingsWithFlag()
    .filter(({ flag }) => (flags ? flags.includes(flag) : flag !== SETTINGS.database.flag))
    .map(asOption)

export const configOption = () =>
  new Option(
    '--config <file>',
    `file with settings, as NAME=value lines (env: ${CONFIG_VARIABLE})`,
  ).helpGroup(COMMON_OPTIONS)

/** Throws a `ConfigError`. */
export const databaseFrom = (context: Context, db: string | undefined): string =>
  readSetting('database', sourcesFrom(context, { db }))

/** The directory for deleted records. Throws a `ConfigError`. */
export const trashDirectoryFrom = (context: Context, database: string): string =>
  readSetting('trashDirectory', sourcesFrom(context, {})) ||
  besideDatabase(database, context.configFile(), 'trash')

/** The most bytes of pictures of a product. Throws a `ConfigError`. */
export const picturesMaxFrom = (context: Context): number =>
  readSetting('picturesMaxBytes', sourcesFrom(context, {}))

/** Meaning, default and variable of a setting. */
export function describeSetting(setting: Setting): string {
  const variables = setting.secret ? `${setting.name} or ${setting.name}_FILE` : setting.name
  const standard = shownDefault(setting)
  return `${setting.meaning} (${standard ? `default: ${standard}, ` : ''}env: ${variables})`
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

function asOption(setting: SettingWithFlag): Option {
  // A switch needs no value.
  const { value = 'true|false', isOptional = setting.value === undefined } = setting
  const shown = isOptional ? `[${value.toLowerCase()}]` : `<${value.toLowerCase()}>`
  return new Option(`--${setting.flag} ${shown}`, describeSetting(setting))
}
