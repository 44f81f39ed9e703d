import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { hasPassword, isPostgres } from '../domain/addresses/database.ts'
import { parseAddress } from '../domain/addresses/ip-address.ts'
import { socketPath } from '../domain/addresses/paths.ts'
import { Refusal } from '../domain/refusal.ts'
import { resolvedPath } from '../files/lookup.ts'
import { type ConfigFile, unreadable } from './file.ts'
import { SETTINGS, type Setting } from './settings.ts'
import { isPem } from './values.ts'

type Settings = typeof SETTINGS
type Values = { readonly [Key in keyof Settings]: NonNullable<ReturnType<Settings[Key]['parse']>> }
type GateSetting = Extract<keyof Values, `passwordProtection${string}`>

/** All settings, read once at the start. */
export interface Config extends Omit<Values, GateSetting> {
  /** The credential of the gate, or null if it is off. */
  readonly gate: { readonly user: string; readonly password: string } | null
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Problems with settings. Each names the setting, its value and the allowed values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/** Where the texts of settings come from. A flag takes precedence over a variable, that over the file. */
export interface Sources {
  readonly flags: Environment
  readonly env: Environment
  readonly file: ConfigFile | null
}

/** Throws a `ConfigError` with every problem, those of the file included. */
export const readConfig = (flags: Environment, env: Environment, file: ConfigFile | null = null): Config =>
  configOf(readSettings({ flags, env, file }))

export function configOf({ settings, problems }: ReadSettings): Config {
  if (problems.length > 0) throw new ConfigError(problems)
  const read = Object.fromEntries(settings.map(({ key, value }) => [key, value]))
  const { passwordProtection, passwordProtectionUser, passwordProtectionPassword, ...values } = read as Values
  const credential = { user: passwordProtectionUser, password: passwordProtectionPassword }
  return deepFreeze({ ...values, gate: passwordProtection ? credential : null })
}

export interface ReadSetting {
  readonly key: keyof Settings
  readonly setting: Setting
  /** Null if the file with it cannot be read. */
  readonly given: Given | null
  /** Undefined if it is not allowed, or not used because its switch is off. */
  readonly value: unknown
}

export interface ReadSettings {
  readonly settings: readonly ReadSetting[]
  readonly problems: readonly string[]
}

/** Every setting in the order of the table, whether or not it is allowed, and all problems. */
export function readSettings(sources: Sources): ReadSettings {
  const problems = [...(sources.file?.problems ?? [])]
  const switchedOn = new Set<string>()
  const settings = Object.entries<Setting>(SETTINGS).map(([key, setting]): ReadSetting => {
    const isUsed = setting.requiredBy === undefined || switchedOn.has(setting.requiredBy)
    let given: Given | null = null
    let value: unknown
    try {
      given = givenText(setting, sources, isUsed)
      if (isUsed) value = parsedValue(setting, given)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      if (isUsed) problems.push(...error.problems)
    }
    if (value === true) switchedOn.add(setting.name)
    return { key: key as keyof Settings, setting, given, value }
  })
  const values = Object.fromEntries(settings.map(({ key, value }) => [key, value])) as Partial<Values>
  // Problems between settings that are each allowed.
  problems.push(...tlsConflicts(values), ...portConflicts(values), ...mailConflicts(values))
  return { settings, problems }
}

function tlsConflicts({ host = '', tlsCert, tlsKey }: Partial<Values>): string[] {
  if (tlsCert === undefined || tlsKey === undefined) return []
  const { tlsCert: cert, tlsKey: key } = SETTINGS
  if ((tlsCert === '') !== (tlsKey === '')) {
    const [given, missing] = tlsCert === '' ? [key.name, cert.name] : [cert.name, key.name]
    return [`${given} is set, but ${missing} is not; HTTPS needs both`]
  }
  if (tlsCert !== '' && socketPath(host) !== null)
    return [`${cert.name} is set, but HOST is a unix socket without TLS; remove one of them`]
  return []
}

/** Refuses one port for both: the server would say that another program uses its port. */
function portConflicts({ host = '', port, metricsHost = '', metricsPort }: Partial<Values>): string[] {
  if (port === undefined || port === 0 || port !== metricsPort || areApart(host, metricsHost)) return []
  return [
    `${SETTINGS.metricsPort.name} and ${SETTINGS.port.name} are both ${port}; metrics need a separate port`,
  ]
}

/** True for a socket, and for two addresses that do not mean all of them. A name may be any address. */
const areApart = (host: string, other: string): boolean =>
  socketPath(host) !== null || (host !== other && [host, other].every((each) => parseAddress(each)?.[3]))

function mailConflicts({ smtpUrl = '', smtpPassword, mailFrom }: Partial<Values>): string[] {
  const { smtpUrl: url, smtpPassword: password, mailFrom: from } = SETTINGS
  const hasUser = URL.parse(smtpUrl)?.username
  return [
    ...(smtpUrl !== '' && mailFrom === ''
      ? [`${url.name} is set, but ${from.name} is not; mail needs a sender`]
      : []),
    ...(hasUser && smtpPassword === ''
      ? [`${url.name} has a user, but ${password.name} is not set; set it or ${password.name}_FILE`]
      : []),
  ]
}

/** Reads only the format of the log, for errors about settings. Settings in the file may be wrong too. */
export function readLogFormat(flag: string | undefined, env: Environment, file: () => ConfigFile | null) {
  const { logFormat } = SETTINGS
  try {
    const sources = { flags: { [logFormat.flag]: flag }, env, file: file() }
    return parsedValue(logFormat, givenText(logFormat, sources, true))
  } catch (error) {
    if (error instanceof ConfigError || error instanceof Refusal) return 'text'
    throw error
  }
}

/** The default directory for deleted records or mirrors: next to the real path of the database. */
export const besideDatabase = (
  database: string,
  file: ConfigFile | null,
  name: 'trash' | 'mirrors',
): string =>
  isPostgres(database)
    ? resolve(file?.service?.directory ?? '.', 'data', name)
    : join(dirname(existsSync(database) ? resolvedPath(database) : database), name)

/** How to reach the buckets of backups. Settings that are missing come from the variables of Amazon's own programs. */
export function readBucketSettings(sources: Sources) {
  const { env } = sources
  const read = (key: `s3${string}` & keyof Values, instead: string) =>
    readSetting(key, sources) || (env[instead] ?? '')
  const isRegionGiven = env[SETTINGS.s3Region.name] !== undefined
  return {
    endpoint: read('s3Endpoint', 'AWS_ENDPOINT_URL_S3'),
    region: (isRegionGiven ? '' : env.AWS_REGION) || read('s3Region', 'AWS_REGION'),
    accessKeyId: read('s3AccessKeyId', 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: read('s3SecretAccessKey', 'AWS_SECRET_ACCESS_KEY'),
    sessionToken: read('s3SessionToken', 'AWS_SESSION_TOKEN'),
  }
}

/** Reads one setting, for commands that need no others. Throws a `ConfigError` like `readConfig`. */
export function readSetting<Key extends keyof Values>(key: Key, sources: Sources): Values[Key] {
  if (sources.file && sources.file.problems.length > 0) throw new ConfigError(sources.file.problems)
  const setting: Setting = SETTINGS[key]
  return parsedValue(setting, givenText(setting, sources, true)) as Values[Key]
}

/** Throws a `ConfigError` if the text is missing or not allowed. */
function parsedValue<Value>(setting: Setting<Value>, { text, source, directory }: Given): Value {
  const { name, requiredBy, allowed } = setting
  if (text === '' && requiredBy !== undefined)
    throw new ConfigError([`${name} is not set, but ${requiredBy} is true; set it or ${name}_FILE`])
  const value = setting.parse(text, directory)
  if (value !== null) return value
  throw new ConfigError([
    isHidden(setting, text)
      ? `${source} must be ${allowed}`
      : `${source} is ${JSON.stringify(text)}, but must be ${allowed}`,
  ])
}

export const isHidden = ({ secret }: Setting, text: string): boolean =>
  isPem(text) || (typeof secret === 'function' ? secret(text) : secret === true)

export interface Given {
  readonly text: string
  /** The source in errors: `--port`, `PORT`, or `FILE:12: PORT`. */
  readonly source: string
  readonly from: 'flag' | 'environment' | 'config file' | 'default'
  readonly line?: number
  /** The file with the text, if a variable with `_FILE` names one. */
  readonly secretFile?: string
  /** The base of a relative path; by default the working directory. */
  readonly directory?: string
}

/** A file with the text is read only if the setting is used. */
function givenText(setting: Setting, { flags, env, file }: Sources, isUsed: boolean): Given {
  const { name, flag, secret } = setting
  const fromFlag = flag === undefined ? undefined : flags[flag]
  if (fromFlag !== undefined) {
    const names = secret ? `${name} or ${name}_FILE` : name
    if (hasPassword(fromFlag))
      throw new ConfigError([`--${flag} has a password that other users can see; set ${names} instead`])
    return { source: `--${flag}`, text: fromFlag, from: 'flag' }
  }
  const fromEnvironment = givenBy(setting, isUsed, (variable) => env[variable])
  if (fromEnvironment) return { ...fromEnvironment, from: 'environment' }
  const { entries, service } = file ?? {}
  const fromFile = givenBy(
    setting,
    isUsed,
    (variable) => entries?.get(variable)?.text,
    (variable) => `${file?.path}:${entries?.get(variable)?.line}: ${variable}`,
  )
  if (fromFile) {
    const line = entries?.get(fromFile.secretFile === undefined ? name : `${name}_FILE`)?.line ?? 0
    return { ...fromFile, from: 'config file', line, ...(service && { directory: service.directory }) }
  }
  const standard = service && setting.name === SETTINGS.database.name ? service.database : setting.default
  return { source: name, text: standard ?? '', from: 'default' }
}

/** The text from one source, by the variable or by the file that the one with `_FILE` names. */
function givenBy(
  { name, secret }: Setting,
  isUsed: boolean,
  read: (variable: string) => string | undefined,
  sourceOf = (variable: string): string => variable,
): Omit<Given, 'from'> | null {
  const variable = `${name}_FILE`
  // An empty variable counts as not set: templates leave unfilled variables empty.
  const text = read(name)
  const secretFile = secret ? read(variable) : undefined
  if (text && secretFile)
    throw new ConfigError([`${sourceOf(name)} and ${variable} are both set; set one of them`])
  if (secretFile) {
    const source = sourceOf(variable)
    return { source, text: isUsed ? readSecret(source, secretFile) : '', secretFile }
  }
  return text ? { source: sourceOf(name), text } : null
}

function readSecret(source: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new ConfigError([unreadable(source, path, error)])
  }
}

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) if (inner !== null && typeof inner === 'object') deepFreeze(inner)
  return Object.freeze(value)
}
