import { Option } from '@commander-js/extra-typings'
import { type Config, type Environment, readConfig, SETTINGS, type Setting } from '../config.ts'
import type { Context } from './context.ts'

/**
 * Settings as options, each with its variable and default: those of `flags`, or all except `--db`. `meanings` has
 * the descriptions, by flag, of those that mean something else to a command than to `serve`.
 */
export const settingOptions = (
  flags?: readonly string[],
  meanings: Readonly<Record<string, string>> = {},
): Option[] =>
  SETTINGS.filter((setting) => setting.flag !== 'db' && (flags?.includes(setting.flag) ?? true)).map(
    (setting) => asOption({ ...setting, meaning: meanings[setting.flag] ?? setting.meaning }),
  )

/** The configuration that a command's options and the environment ask for. Throws a `ConfigError`. */
export function configFrom(context: Context, options: object): Config {
  const values: Record<string, unknown> = { ...options }
  const flags: Record<string, string | undefined> = {}
  for (const setting of SETTINGS) {
    const value = values[asOption(setting).attributeName()]
    if (value !== undefined) flags[setting.flag] = String(value)
  }
  return readConfig(flags satisfies Environment, context.env)
}

/** A server's address as a reader must write it: the wildcards are places to listen, not to go to. */
export function reachable({ host, port }: Config): string {
  const place = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${place.includes(':') ? `[${place}]` : place}:${port}`
}

function asOption(setting: Setting): Option {
  // A flag that is true or false may stand without a value.
  const value = setting.value ? `<${setting.value.toLowerCase()}>` : '[true|false]'
  const start = setting.default ? `${setting.name}, or ${setting.default}` : setting.name
  return new Option(`--${setting.flag} ${value}`, `${setting.meaning} (default: ${start})`)
}
