import { resolve } from 'node:path'
import { hasPassword, isPostgres } from '../domain/addresses/database.ts'
import { type Cidr, parseAddress, parseCidr, UNIX_PEERS } from '../domain/addresses/ip-address.ts'
import { socketPath, UNIX } from '../domain/addresses/paths.ts'
import { LANGUAGES, type Language, LIMITS } from '../domain/records.ts'
import { isSlug } from '../domain/slug.ts'
import { DURATION_RULE, parseDuration } from '../domain/time/time.ts'
import type { LogFormat } from '../log/lines.ts'

/**
 * Kinds of values: `parse` returns the value of a text, or null if it is not allowed, and `allowed` follows "must be".
 * Without a default, the empty text is parsed. A relative path is relative to `directory`.
 */

export const wholeNumber = (least: number, most: number) => ({
  allowed: `a whole number from ${least} to ${most}`,
  parse: (text: string): number | null => {
    const number = Number(text)
    return /^\d{1,16}$/.test(text) && number >= least && number <= most ? number : null
  },
})

/** One of a few words, each with its value. */
const oneOf = <T>(allowed: string, values: Readonly<Record<string, T>>) => ({
  allowed,
  parse: (text: string): T | null => (Object.hasOwn(values, text) ? (values[text] ?? null) : null),
})

export const portOrOff = {
  allowed: 'a whole number from 0 to 65535, or off',
  parse: (text: string): number | 'off' | null =>
    text === 'off' ? 'off' : wholeNumber(0, 65_535).parse(text),
}

const YEAR_SECONDS = 31_536_000

export const hstsAge = {
  allowed: `auto, off, or a whole number of seconds from 0 to ${2 * YEAR_SECONDS}`,
  parse: (text: string): number | 'off' | null => {
    if (text === 'auto') return YEAR_SECONDS
    return text === 'off' ? 'off' : wholeNumber(0, 2 * YEAR_SECONDS).parse(text)
  },
}

const MOST_THREADS = 64

/** `auto` is one thread per core that this process may use, where a server can have several. */
export const threadCount = {
  allowed: `a whole number from 1 to ${MOST_THREADS}, or auto`,
  parse: (text: string): number | null => {
    if (text !== 'auto') return wholeNumber(1, MOST_THREADS).parse(text)
    return process.platform === 'linux' ? Math.min(MOST_THREADS, navigator.hardwareConcurrency) : 1
  },
}

export const onOrOff = oneOf<boolean>('true or false', { true: true, false: false })

export type LoggedRequests = 'errors' | 'all' | 'off'

/** `true` and `false` are from earlier versions. */
export const loggedRequests = oneOf<LoggedRequests>('errors, all or off', {
  errors: 'errors',
  all: 'all',
  off: 'off',
  true: 'all',
  false: 'off',
})

export const logFormat = oneOf<LogFormat>('text or json', { text: 'text', json: 'json' })

/** The longest path of a unix socket on every system, in bytes. */
const LONGEST_SOCKET = 103

/** An address, a host name, or a unix socket with an absolute path. What looks like an address must be one. */
export const hostOrAddress = {
  allowed: `an address or a host name, such as 127.0.0.1 or ::, or a unix socket, such as unix:/run/changelogd.sock, with at most ${LONGEST_SOCKET} bytes in its path`,
  parse: (text: string, directory = '.'): string | null => {
    const path = socketPath(text)
    if (path !== null) {
      const whole = resolve(directory, path)
      const isFile = path !== '' && !path.endsWith('/') && !path.includes('\0')
      return isFile && Buffer.byteLength(whole) <= LONGEST_SOCKET ? UNIX + whole : null
    }
    const isName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text)
    return parseAddress(text) || (isName && !/^[\d.]+$/.test(text)) ? text : null
  },
}

/** A host with a port, so no unix socket. */
export const portHost = {
  allowed: 'an address or a host name, such as 127.0.0.1 or ::',
  parse: (text: string): string | null => (socketPath(text) === null ? hostOrAddress.parse(text) : null),
}

export const networks = {
  allowed:
    'addresses or networks separated by commas, such as 10.0.0.0/8,::1, or unix for the peers of a unix socket',
  parse: (text: string): readonly Cidr[] | null => {
    const parsed = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry) => (entry === 'unix' ? UNIX_PEERS : parseCidr(entry)))
    return parsed.includes(null) ? null : (parsed as Cidr[])
  },
}

export const databaseAddress = {
  allowed:
    'a file, such as data/changelogd.db or file:data/changelogd.db, or a URL such as postgres://user@host/name',
  parse: (text: string, directory = '.'): string | null => {
    if (isPostgres(text)) return isPostgresUrl(text) ? text : null
    if (text === '' || text.includes('\0') || text.includes(':memory:')) return null
    if (text.startsWith('file:')) {
      const path = text.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, '')
      if (path === '' || path.startsWith('//') || /[?#]/.test(path)) return null
      try {
        return resolve(directory, decodeURIComponent(path))
      } catch {
        return null
      }
    }
    // A URL with a misspelled scheme or in quotes must not become a file with a password in its name.
    return /^[a-z][a-z0-9+.-]*:|:\/\//i.test(text) || hasPassword(text) ? null : resolve(directory, text)
  },
}

const pathOf = (what: string) => ({
  allowed: `the path of a ${what}`,
  parse: (text: string, directory = '.'): string | null =>
    text.includes('\0') || /^[a-z][a-z0-9+.-]*:/i.test(text) ? null : text && resolve(directory, text),
})

export const directory = pathOf('directory')
export const filePath = pathOf('file')
const pemPath = pathOf('file in PEM format')
export const pemFile = {
  ...pemPath,
  parse: (text: string, directory = '.'): string | null =>
    isPem(text) ? null : pemPath.parse(text, directory),
}

/** Whether a text is the content of a PEM file, perhaps in base64: a private key in place of its path. */
export const isPem = (text: string): boolean => /-----BEGIN|LS0tLS1CRUdJTi/.test(text)

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^\w+:\/\//.test(text)) return false
  try {
    // The client decodes them.
    for (const part of [url.username, url.password, url.hostname, url.pathname]) decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

export const redisUrl = {
  allowed: 'the URL of a Redis, such as redis://127.0.0.1:6379 or redis://:PASSWORD@redis.internal/0',
  parse: (text: string): string | null => {
    if (text === '') return text
    const url = URL.parse(text)
    const isRedis = url?.protocol === 'redis:' || url?.protocol === 'rediss:'
    return url && isRedis && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname) ? text : null
  },
}

export const onOff = oneOf<boolean>('on or off', { on: true, off: false })

/** Whether there are pages, and lists of changelogs. */
export type PagesMode = 'on' | 'off' | 'unlisted'

export const pagesMode = oneOf<PagesMode>('on, off or unlisted', {
  on: 'on',
  off: 'off',
  unlisted: 'unlisted',
})

export const teamAndProduct = {
  allowed: 'a team and a product, such as acme/app',
  parse: (text: string): string | null => {
    const names = text.split('/')
    return text === '' || (names.length === 2 && names.every(isSlug)) ? text : null
  },
}

/** The origin of a URL, without a slash at its end; or empty. */
export const origin = {
  allowed: 'an http or https URL without a path, such as https://changelog.example.com',
  parse: (text: string): string | null => {
    if (text === '') return ''
    const url = URL.parse(text)
    const isOrigin = url?.pathname === '/' && !/[?#@]/.test(text)
    return isOrigin && /^https?:$/.test(url.protocol) ? url.origin : null
  },
}

/** Several, separated by commas. */
export const origins = {
  allowed: 'origins separated by commas, such as https://app.example.com,http://localhost:6274',
  parse: (text: string): readonly string[] | null => {
    const parsed = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(origin.parse)
    return parsed.includes(null) ? null : (parsed as string[])
  },
}

export const httpsUrl = {
  allowed: 'an https URL, such as https://example.com/logo.svg',
  parse: (text: string): string | null => {
    if (text === '') return ''
    const url = URL.parse(text)
    return url?.protocol === 'https:' ? url.href : null
  },
}

export const oneLine = {
  allowed: `one line of at most ${LIMITS.name} characters`,
  parse: (text: string): string | null =>
    text.length <= LIMITS.name && !/\p{Cc}/u.test(text) ? text.trim() : null,
}

/** A duration, in milliseconds. */
export const atLeast = (least: number) => ({
  allowed: `${DURATION_RULE}, at least ${least / 3_600_000} hour`,
  parse: (text: string): number | null => {
    const length = parseDuration(text)
    return length !== null && length >= least ? length : null
  },
})

export const language = {
  allowed: `one of ${LANGUAGES.join(', ')}`,
  parse: (text: string): Language | null => LANGUAGES.find((each) => each === text) ?? null,
}

export const token = {
  allowed: 'a token: one word of visible ASCII characters',
  parse: (text: string): string | null => (/^[!-~]{0,4096}$/.test(text) ? text : null),
}

/** As `#` and six lowercase hexadecimal digits. */
export const color = {
  allowed: 'a color such as #3b5bdb or #36c',
  parse: (text: string): string | null => {
    const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text)?.[1]?.toLowerCase()
    if (digits === undefined) return null
    return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
  },
}
