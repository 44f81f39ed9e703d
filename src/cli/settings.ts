import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { type Config, readConfig } from '../config.ts'
import { SETTINGS, type Setting } from '../settings.ts'
import type { Context } from './context.ts'

/**
 * Settings as options, each with its variable and default: those of `flags`, or all except `--db`. `meanings` has
 * the descriptions, by flag, of those that mean something else to a command than to `serve`.
 */
export const settingOptions = (
  flags?: readonly string[],
  meanings: Readonly<Record<string, string>> = {},
): Option[] =>
  settingsWithFlag()
    .filter(({ flag }) => (flags ? flags.includes(flag) : flag !== SETTINGS.database.flag))
    .map((setting) => asOption(setting, meanings[setting.flag]))

/** The value of `--db` on a command line, if it is given. */
export function databaseFlag(args: readonly string[]): string | undefined {
  const at = args.findIndex((word) => word === '--db' || word.startsWith('--db='))
  const word = args[at]
  return word === '--db' ? args[at + 1] : word?.slice('--db='.length)
}

/** Flags that earlier versions had, and what to use instead. */
const REMOVED_FLAGS = {
  'password-protection-password': 'set PASSWORD_PROTECTION_PASSWORD or PASSWORD_PROTECTION_PASSWORD_FILE',
}

/** Makes a command that takes all settings name the replacement of a removed flag, without its value. */
export function refuseRemovedFlags(command: CommandUnknownOpts): void {
  for (const [flag, replacement] of Object.entries(REMOVED_FLAGS))
    command
      .addOption(new Option(`--${flag} [value]`).hideHelp())
      .on(`option:${flag}`, () => command.error(`error: --${flag} has been removed: ${replacement}`))
}

/** What help says of a setting: what it means, its default and its variable. */
export function describeSetting(setting: Setting, meaning: string = setting.meaning): string {
  const variables = setting.secret ? `${setting.name} or ${setting.name}_FILE` : setting.name
  return setting.default
    ? `${meaning} (default: ${setting.default}, env: ${variables})`
    : `${meaning} (env: ${variables})`
}

/** The configuration from a command's options and the environment. Throws a `ConfigError`. */
export function configFrom(context: Context, options: object): Config {
  const values: Record<string, unknown> = { ...options }
  const flags: Record<string, string> = {}
  for (const setting of settingsWithFlag()) {
    const value = values[asOption(setting).attributeName()]
    if (value !== undefined) flags[setting.flag] = String(value)
  }
  return readConfig(flags, context.env)
}

type SettingWithFlag = Setting & { readonly flag: string }

const settingsWithFlag = (): SettingWithFlag[] =>
  Object.values<Setting>(SETTINGS).filter((setting) => setting.flag !== undefined) as SettingWithFlag[]

function asOption(setting: SettingWithFlag, meaning?: string): Option {
  // A flag that is true or false needs no value.
  const { value = 'true|false', isOptional = setting.value === undefined } = setting
  const shown = isOptional ? `[${value.toLowerCase()}]` : `<${value.toLowerCase()}>`
  return new Option(`--${setting.flag} ${shown}`, describeSetting(setting, meaning))
}
