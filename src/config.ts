import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { LogFormat } from './log-lines.ts'
import { SETTINGS, type Setting } from './settings.ts'
import { hasPassword, isPostgres } from './store/address.ts'

type Settings = typeof SETTINGS
type Values = { readonly [Key in keyof Settings]: NonNullable<ReturnType<Settings[Key]['parse']>> }
type GateSetting = Extract<keyof Values, `passwordProtection${string}`>

/** Everything that can be set, read once at the start and never changed after. */
export interface Config extends Omit<Values, GateSetting> {
  /** The credential of password protection, or null if it is off. */
  readonly gate: { readonly user: string; readonly password: string } | null
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Settings that are not allowed; each problem names the setting, its value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/**
 * The configuration from flags and environment; flags take precedence. `flags` is keyed by flag name. Throws a
 * `ConfigError` that names everything wrong at once.
 */
export function readConfig(flags: Environment, env: Environment): Config {
  const read: Record<string, unknown> = {}
  const problems: string[] = []
  const switchedOn = new Set<string>()
  for (const [key, setting] of Object.entries<Setting>(SETTINGS)) {
    if (setting.requiredBy !== undefined && !switchedOn.has(setting.requiredBy)) continue
    try {
      read[key] = readSetting(setting, flags, env)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      problems.push(...error.problems)
    }
    if (read[key] === true) switchedOn.add(setting.name)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const { passwordProtection, passwordProtectionUser, passwordProtectionPassword, ...values } = read as Values
  const credential = { user: passwordProtectionUser, password: passwordProtectionPassword }
  return deepFreeze({ ...values, gate: passwordProtection ? credential : null })
}

/** Only the database, for the commands that need nothing else. Throws a `ConfigError` like `readConfig`. */
export const readDatabase = (flag: string | undefined, env: Environment): string =>
  readSetting<string>(SETTINGS.database, { [SETTINGS.database.flag]: flag }, env)

/** Only the format of the log, for what a server says before its settings are known to be right. */
export function readLogFormat(flag: string | undefined, env: Environment): LogFormat {
  try {
    return readSetting<LogFormat>(SETTINGS.logFormat, { [SETTINGS.logFormat.flag]: flag }, env)
  } catch (error) {
    if (error instanceof ConfigError) return 'text'
    throw error
  }
}

/** Where commands keep what they delete: next to the database, if the setting does not say otherwise. */
export const readTrashDirectory = (database: string, env: Environment): string =>
  readSetting<string>(SETTINGS.trashDirectory, {}, env) ||
  (isPostgres(database) ? resolve('data/trash') : join(dirname(database), 'trash'))

/** The value of one setting. Throws a `ConfigError` if it is missing or not allowed. */
function readSetting<Value>(setting: Setting<Value>, flags: Environment, env: Environment): Value {
  const { name, requiredBy, allowed } = setting
  const { source, text } = givenText(setting, flags, env)
  if (text === '' && requiredBy !== undefined)
    throw new ConfigError([`${name} is not set, but ${requiredBy} is true: set it, or ${name}_FILE`])
  const value = setting.parse(text)
  if (value !== null) return value
  const isHidden = typeof setting.secret === 'function' ? setting.secret(text) : setting.secret
  throw new ConfigError([
    isHidden
      ? `${source} must be ${allowed}`
      : `${source} is ${JSON.stringify(text)}, but must be ${allowed}`,
  ])
}

/** The text given for a setting, and where it was given, so that an error names what the operator wrote. */
function givenText(setting: Setting, flags: Environment, env: Environment): { source: string; text: string } {
  const { name, flag } = setting
  const fromFlag = flag === undefined ? undefined : flags[flag]
  if (fromFlag !== undefined) {
    if (hasPassword(fromFlag))
      throw new ConfigError([
        `--${flag} has a password, which other users can see: set ${name} or ${name}_FILE instead`,
      ])
    return { source: `--${flag}`, text: fromFlag }
  }
  // An empty variable counts as not set: templates leave it where nothing was filled in.
  const fromVariable = env[name]
  const file = setting.secret ? env[`${name}_FILE`] : undefined
  if (fromVariable && file) throw new ConfigError([`${name} and ${name}_FILE are both set: set one of them`])
  if (file) return { source: `${name}_FILE`, text: readSecret(`${name}_FILE`, file) }
  return { source: name, text: fromVariable || (setting.default ?? '') }
}

function readSecret(source: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`${source} is ${JSON.stringify(path)}, which cannot be read: ${reason}`])
  }
}

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) if (inner !== null && typeof inner === 'object') deepFreeze(inner)
  return Object.freeze(value)
}
