import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Cidr, parseAddress, parseCidr } from './domain/address.ts'

/** Everything that can be set, read once at the start and never changed after. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The SQLite file, as an absolute path. */
  readonly database: string
  /** The one credential of the gate, or null if the gate is open. */
  readonly gate: { readonly user: string; readonly password: string } | null
  readonly rateLimit: { readonly burst: number; readonly perMinute: number }
  readonly trustedProxies: readonly Cidr[]
  readonly publicMaxAge: number
  readonly cacheMaxBytes: number
  readonly logRequests: boolean
}

/** One setting as an operator meets it: an environment variable, and a flag of `serve`. */
export interface Setting {
  readonly name: string
  readonly flag: string
  /** How the value is shown in help; without it the flag alone means `true`. */
  readonly value?: string
  readonly default?: string
  readonly meaning: string
  /** Whether the value may stand in a file instead, named by the variable with `_FILE` after it. */
  readonly secret?: true
}

export const SETTINGS = [
  { name: 'HOST', flag: 'host', value: 'ADDRESS', default: '127.0.0.1', meaning: 'address to listen on' },
  {
    name: 'PORT',
    flag: 'port',
    value: 'NUMBER',
    default: '3000',
    meaning: 'port to listen on; 0 takes a free one',
  },
  {
    name: 'DATABASE_URL',
    flag: 'db',
    value: 'FILE',
    default: 'file:data/changelogd.db',
    meaning: 'the SQLite file, as a path or a file: address',
  },
  {
    name: 'PASSWORD_PROTECTION',
    flag: 'password-protection',
    default: 'false',
    meaning: 'whether everything but /healthz asks for HTTP Basic credentials',
  },
  {
    name: 'PASSWORD_PROTECTION_USER',
    flag: 'password-protection-user',
    value: 'NAME',
    secret: true,
    meaning: 'the user name it asks for',
  },
  {
    name: 'PASSWORD_PROTECTION_PASSWORD',
    flag: 'password-protection-password',
    value: 'PASSWORD',
    secret: true,
    meaning: 'the password it asks for',
  },
  {
    name: 'RATE_LIMIT_BURST',
    flag: 'rate-limit-burst',
    value: 'NUMBER',
    default: '60',
    meaning: 'public requests one client may make at once',
  },
  {
    name: 'RATE_LIMIT_PER_MINUTE',
    flag: 'rate-limit-per-minute',
    value: 'NUMBER',
    default: '60',
    meaning: 'public requests one client wins back each minute',
  },
  {
    name: 'TRUSTED_PROXIES',
    flag: 'trusted-proxies',
    value: 'CIDRS',
    meaning: 'addresses and networks, separated by commas, whose X-Forwarded-For counts',
  },
  {
    name: 'PUBLIC_MAX_AGE',
    flag: 'public-max-age',
    value: 'SECONDS',
    default: '60',
    meaning: 'how long others may keep a public answer (Cache-Control)',
  },
  {
    name: 'CACHE_MAX_BYTES',
    flag: 'cache-max-bytes',
    value: 'BYTES',
    default: '67108864',
    meaning: 'memory for remembered answers; 0 remembers none',
  },
  {
    name: 'LOG_REQUESTS',
    flag: 'log-requests',
    default: 'false',
    meaning: 'whether to print one JSON line for each request',
  },
] as const satisfies readonly Setting[]

type Name = (typeof SETTINGS)[number]['name']
export type Environment = Readonly<Record<string, string | undefined>>

/** Settings that do not make sense; the message names each one, its value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/**
 * The configuration that flags and environment ask for, a flag before its variable. `flags` is keyed by flag
 * name. Throws a `ConfigError` that names everything wrong at once.
 */
export function readConfig(flags: Environment, env: Environment): Config {
  const read = new Reading(flags, env)
  const config: Config = {
    host: read.parsed('HOST', 'an address or the name of a host, such as 127.0.0.1 or ::', host),
    port: read.integer('PORT', 0, 65_535),
    database: read.parsed(
      'DATABASE_URL',
      'a file, such as data/changelogd.db or file:data/changelogd.db',
      databaseFile,
    ),
    gate: read.gate(),
    rateLimit: {
      burst: read.integer('RATE_LIMIT_BURST', 1, 1_000_000),
      perMinute: read.integer('RATE_LIMIT_PER_MINUTE', 1, 1_000_000),
    },
    trustedProxies: read.parsed(
      'TRUSTED_PROXIES',
      'addresses or networks separated by commas, such as 10.0.0.0/8,::1',
      cidrs,
    ),
    publicMaxAge: read.integer('PUBLIC_MAX_AGE', 0, 31_536_000),
    cacheMaxBytes: read.integer('CACHE_MAX_BYTES', 0, Number.MAX_SAFE_INTEGER),
    logRequests: read.boolean('LOG_REQUESTS'),
  }
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  return deepFreeze(config)
}

/** Only where the data is, for the commands that need nothing else. Throws a `ConfigError` like `readConfig`. */
export const readDatabase = (flag: string | undefined, env: Environment): string =>
  readConfig({ db: flag }, { DATABASE_URL: env.DATABASE_URL }).database

class Reading {
  readonly problems: string[] = []

  constructor(
    private readonly flags: Environment,
    private readonly env: Environment,
  ) {}

  /** The text given for a setting and by which way, so that an error can name what the operator wrote. */
  raw(name: Name): { source: string; value: string } | undefined {
    const setting = SETTINGS.find((candidate) => candidate.name === name) as Setting
    const flag = this.flags[setting.flag]
    if (flag !== undefined) return { source: `--${setting.flag}`, value: flag }
    // An empty variable is what a template leaves behind where nothing was filled in.
    const variable = this.env[name]
    const file = setting.secret ? this.env[`${name}_FILE`] : undefined
    if (variable && file) this.problems.push(`${name} and ${name}_FILE are both set: set one of them`)
    if (variable) return { source: name, value: variable }
    if (file) return this.contents(`${name}_FILE`, file)
    return setting.default === undefined ? undefined : { source: name, value: setting.default }
  }

  text(name: Name): string {
    return this.raw(name)?.value ?? ''
  }

  integer(name: Name, least: number, most: number): number {
    return this.parsed(name, `a whole number from ${least} to ${most}`, (text) => {
      const number = Number(text)
      return /^\d{1,16}$/.test(text) && number >= least && number <= most ? number : null
    })
  }

  boolean(name: Name): boolean {
    return this.parsed(name, 'true or false', (text) =>
      text === 'true' ? true : text === 'false' ? false : null,
    )
  }

  /** The setting's value, or a problem noted. What is returned then is never used: the start stops. */
  parsed<T>(name: Name, allowed: string, parse: (text: string) => T | null): T {
    const given = this.raw(name)
    const value = parse(given?.value ?? '')
    if (value === null)
      this.problems.push(
        `${given?.source ?? name} is ${JSON.stringify(given?.value ?? '')}, but must be ${allowed}`,
      )
    return value as T
  }

  gate(): Config['gate'] {
    if (!this.boolean('PASSWORD_PROTECTION')) return null
    const user = this.credential('PASSWORD_PROTECTION_USER')
    const password = this.credential('PASSWORD_PROTECTION_PASSWORD')
    if (user.includes(':'))
      this.problems.push(
        'PASSWORD_PROTECTION_USER contains a colon, which HTTP Basic cannot carry in a user name',
      )
    return { user, password }
  }

  private credential(name: Name): string {
    const before = this.problems.length
    const value = this.text(name)
    if (value === '' && this.problems.length === before)
      this.problems.push(`${name} is not set, but PASSWORD_PROTECTION is true: set it, or ${name}_FILE`)
    return value
  }

  private contents(source: string, path: string): { source: string; value: string } | undefined {
    try {
      return { source, value: readFileSync(path, 'utf8').replace(/\r?\n$/, '') }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.problems.push(`${source} is ${JSON.stringify(path)}, which cannot be read: ${reason}`)
      return undefined
    }
  }
}

/** An address, or a name by which one could be found; what looks like an address must be one. */
function host(text: string): string | null {
  const isName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text)
  return parseAddress(text) || (isName && !/^[\d.]+$/.test(text)) ? text : null
}

function databaseFile(text: string): string | null {
  if (text === '' || text.includes('\0') || text.includes(':memory:')) return null
  if (text.startsWith('file:')) {
    const path = text.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, '')
    if (path === '' || path.startsWith('//') || /[?#]/.test(path)) return null
    try {
      return resolve(decodeURIComponent(path))
    } catch {
      return null
    }
  }
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? null : resolve(text)
}

function cidrs(text: string): Cidr[] | null {
  const parsed = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseCidr)
  return parsed.includes(null) ? null : (parsed as Cidr[])
}

function deepFreeze<T extends object>(value: T): Readonly<T> {
  for (const inner of Object.values(value)) if (inner !== null && typeof inner === 'object') deepFreeze(inner)
  return Object.freeze(value)
}
