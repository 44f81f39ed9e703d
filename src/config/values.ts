import { resolve } from 'node:path'
import { hasPassword, isPostgres } from '../domain/addresses/database.ts'
import { type Cidr, parseAddress, parseCidr, UNIX_PEERS } from '../domain/addresses/ip-address.ts'
import { mailboxOf } from '../domain/addresses/mail-address.ts'
import { socketPath, UNIX } from '../domain/addresses/paths.ts'
import { orNull } from '../domain/errors.ts'
import { LANGUAGES, LIMITS } from '../domain/records.ts'
import { isSlug } from '../domain/slug.ts'
import { parseDuration } from '../domain/time/time.ts'

/**
 * Kinds of values: `parse` returns the value of a text, or null if it is not allowed, `allowed` follows "must be", and
 * `value` stands for it in help. Without a default, the empty text is parsed. A relative path is relative to `directory`.
 */

export const wholeNumber = (least: number, most: number, value = 'NUMBER') => ({
  value,
  allowed: `a whole number from ${least} to ${most}`,
  parse: (text: string): number | null => {
    const number = Number(text)
    return /^\d{1,16}$/.test(text) && number >= least && number <= most ? number : null
  },
})

const oneOf = <const Word extends string>(allowed: string, ...words: Word[]) => ({
  value: words.join('|').toUpperCase(),
  allowed,
  parse: (text: string): Word | null => words.find((word) => word === text) ?? null,
})

const eitherOf = (yes: string, no: string) => ({
  allowed: `${yes} or ${no}`,
  parse: (text: string): boolean | null => (text === yes ? true : text === no ? false : null),
})

/** A switch: its flag needs no value. */
export const trueOrFalse = eitherOf('true', 'false')
export const onOrOff = { value: 'ON|OFF', ...eitherOf('on', 'off') }

export const portOrOff = {
  value: 'NUMBER|OFF',
  allowed: 'a whole number from 0 to 65535, or off',
  parse: (text: string): number | 'off' | null =>
    text === 'off' ? 'off' : wholeNumber(0, 65_535).parse(text),
}

const YEAR_SECONDS = 31_536_000

export const seconds = wholeNumber(0, YEAR_SECONDS, 'SECONDS')

export const hstsAge = {
  value: 'AUTO|OFF|SECONDS',
  allowed: `auto, off, or a whole number of seconds from 0 to ${2 * YEAR_SECONDS}`,
  parse: (text: string): number | 'off' | null => {
    if (text === 'auto') return YEAR_SECONDS
    return text === 'off' ? 'off' : wholeNumber(0, 2 * YEAR_SECONDS).parse(text)
  },
}

const MOST_THREADS = 64

/** `auto` is one thread per core that this process may use, where a server can have several. */
export const threadCount = {
  value: 'NUMBER',
  allowed: `a whole number from 1 to ${MOST_THREADS}, or auto`,
  parse: (text: string): number | null => {
    if (text !== 'auto') return wholeNumber(1, MOST_THREADS).parse(text)
    return process.platform === 'linux' ? Math.min(MOST_THREADS, navigator.hardwareConcurrency) : 1
  },
}

const requests = oneOf('errors, all or off', 'errors', 'all', 'off')

/** `true` and `false` are from earlier versions. */
export const loggedRequests = {
  ...requests,
  parse: (text: string) => requests.parse(text === 'true' ? 'all' : text === 'false' ? 'off' : text),
}

export const logFormat = oneOf('text or json', 'text', 'json')

/** `unlisted` has pages, but no lists of changelogs. */
export const pagesMode = oneOf('on, off or unlisted', 'on', 'off', 'unlisted')

/** The longest path of a unix socket on every system, in bytes. */
const LONGEST_SOCKET = 103

const ADDRESS = 'an address (not a link-local one such as fe80::1) or a host name, such as 127.0.0.1'

/** An address, a host name, or a unix socket with an absolute path. A text that looks like an address must be one. */
export const hostOrAddress = {
  value: 'ADDRESS',
  allowed: `${ADDRESS}, or a unix socket, such as unix:/run/changelogd.sock (at most ${LONGEST_SOCKET} bytes)`,
  parse: (text: string, directory = '.'): string | null => {
    const path = socketPath(text)
    if (path !== null) {
      const whole = resolve(directory, path)
      const isFile = path !== '' && !path.endsWith('/') && !path.includes('\0')
      return isFile && Buffer.byteLength(whole) <= LONGEST_SOCKET ? UNIX + whole : null
    }
    // A link-local address needs a zone, as in fe80::1%eth0, and Bun has no URL for a server with one.
    if (/^fe[89ab][0-9a-f]:|%/i.test(text)) return null
    const isName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text)
    return parseAddress(text) || (isName && !/^[\d.]+$/.test(text)) ? text : null
  },
}

/** A host with a port, so no unix socket. */
export const portHost = {
  value: 'ADDRESS',
  allowed: `${ADDRESS} or ::`,
  parse: (text: string): string | null => (socketPath(text) === null ? hostOrAddress.parse(text) : null),
}

const listOf = <T>(value: string, allowed: string, parse: (text: string) => T | null) => ({
  value,
  allowed,
  parse: (text: string): readonly T[] | null => {
    const entries = text.split(',').map((entry) => entry.trim())
    const parsed = entries.filter((entry) => entry !== '').map(parse)
    return parsed.includes(null) ? null : (parsed as T[])
  },
})

export const networks = listOf<Cidr>(
  'CIDRS',
  'addresses or networks separated by commas, such as 10.0.0.0/8,::1, or unix',
  (entry) => (entry === 'unix' ? UNIX_PEERS : parseCidr(entry)),
)

export const proxies = listOf<Cidr>(
  'CIDRS',
  'addresses or networks separated by commas, such as 10.0.0.2,10.0.1.0/24',
  parseCidr,
)

/** Teams by their slugs, or `*` for all; each with the groups whose people may write it, or null for everyone. */
export const teams = {
  value: 'TEAMS',
  allowed:
    'teams separated by commas, such as acme,beta, or *; or with groups, such as acme=docs,web;beta=docs',
  parse: (text: string): ReadonlyMap<string, readonly string[] | null> | null => {
    const entries = text.split(';').flatMap((part): [string, readonly string[] | null][] => {
      const [team = '', ...groups] = part.split('=')
      const names = (list: string) => list.split(',').map((name) => name.trim())
      if (groups.length > 0) return [[team.trim(), names(groups.join('='))]]
      return part.trim() === '' ? [] : names(part).map((each) => [each, null])
    })
    const isTeam = ([team, groups]: (typeof entries)[number]) =>
      (team === '*' || isSlug(team)) && !groups?.includes('')
    return entries.every(isTeam) && new Map(entries).size === entries.length ? new Map(entries) : null
  },
}

export const peopleOrGroups = listOf('NAMES', 'names separated by commas', (entry) => entry || null)

export const headerName = {
  value: 'NAME',
  allowed: 'the name of a header, such as X-Forwarded-User',
  parse: (text: string): string | null => (/^[\w-]*$/.test(text) ? text.toLowerCase() : null),
}

export const databaseAddress = {
  value: 'DATABASE',
  allowed:
    'a file, such as data/changelogd.db or file:data/changelogd.db, or a URL such as postgres://user@host/name',
  parse: (text: string, directory = '.'): string | null => {
    if (isPostgres(text)) return isPostgresUrl(text) ? text : null
    if (text === '' || text.includes('\0') || text.includes(':memory:')) return null
    if (text.startsWith('file:')) {
      const path = text.slice('file:'.length).replace(/^\/\/(localhost)?(?=\/)/, '')
      if (path === '' || path.startsWith('//') || /[?#]/.test(path)) return null
      return orNull(() => resolve(directory, decodeURIComponent(path)))
    }
    // A URL with a misspelled scheme or in quotes must not become a file with a password in its name.
    return /^[a-z][a-z0-9+.-]*:|:\/\//i.test(text) || hasPassword(text) ? null : resolve(directory, text)
  },
}

const pathOf = (what: string) => ({
  value: 'FILE',
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

/** True for the content of a PEM file, also in base64: a private key given in place of its path. */
export const isPem = (text: string): boolean => /-----BEGIN|LS0tLS1CRUdJTi/.test(text)

function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^\w+:\/\//.test(text)) return false
  // The client decodes them.
  const parts = [url.username, url.password, url.hostname, url.pathname]
  return orNull(() => parts.map(decodeURIComponent)) !== null
}

export const redisUrl = {
  value: 'URL',
  allowed: 'the URL of a Redis, such as redis://127.0.0.1:6379 or redis://:PASSWORD@redis.internal/0',
  parse: (text: string): string | null => {
    if (text === '') return text
    const url = URL.parse(text)
    const isRedis = url?.protocol === 'redis:' || url?.protocol === 'rediss:'
    return url && isRedis && url.hostname !== '' && /^(\/\d*)?$/.test(url.pathname) ? text : null
  },
}

export const teamAndProduct = {
  value: 'TEAM/PRODUCT',
  allowed: 'a team and a product, such as acme/app',
  parse: (text: string): string | null => {
    const names = text.split('/')
    return text === '' || (names.length === 2 && names.every(isSlug)) ? text : null
  },
}

/** The origin of a URL, without a slash at its end; or empty. */
export const origin = {
  value: 'URL',
  allowed: 'an http or https URL without a path, such as https://changelog.example.com',
  parse: (text: string): string | null => {
    if (text === '') return ''
    const url = URL.parse(text)
    const isOrigin = url?.pathname === '/' && !/[?#@]/.test(text)
    return isOrigin && /^https?:$/.test(url.protocol) ? url.origin : null
  },
}

export const origins = listOf(
  'ORIGINS',
  'origins separated by commas, such as https://app.example.com,http://localhost:6274',
  origin.parse,
)

export const httpsUrl = {
  value: 'URL',
  allowed: 'an https URL, such as https://example.com/logo.svg',
  parse: (text: string): string | null => {
    if (text === '') return ''
    const url = URL.parse(text)
    return url?.protocol === 'https:' ? url.href : null
  },
}

/** The user is percent-encoded in it; the password is a setting of its own. */
export const smtpUrl = {
  value: 'URL',
  allowed:
    'smtps://user@host:465 or smtp://user@host:587, without a password, which belongs in SMTP_PASSWORD or SMTP_PASSWORD_FILE',
  parse: (text: string): string | null => {
    if (text === '') return ''
    const url = URL.parse(text)
    const isSmtp = url?.protocol === 'smtp:' || url?.protocol === 'smtps:'
    if (!isSmtp || url.hostname === '' || url.password !== '' || /[?#]|^[^/]*$|:\/\/.*:.*@/.test(text))
      return null
    return /^\/?$/.test(url.pathname) && orNull(() => decodeURIComponent(url.username)) !== null
      ? url.href
      : null
  },
}

export const mailbox = {
  value: 'ADDRESS',
  allowed: 'an address, such as news@example.org or Acme <news@example.org>, in ASCII before the @',
  parse: (text: string): string | null => (text === '' || mailboxOf(text) ? text.trim() : null),
}

export const oneLine = {
  value: 'NAME',
  allowed: `one line of at most ${LIMITS.name} characters`,
  parse: (text: string): string | null =>
    text.length <= LIMITS.name && !/\p{Cc}/u.test(text) ? text.trim() : null,
}

/** A duration, parsed to milliseconds. */
export const hoursToYear = {
  allowed: 'a duration from 1h to 365d',
  parse: (text: string): number | null => {
    const length = parseDuration(text) ?? 0
    return length >= 3_600_000 && length <= YEAR_SECONDS * 1_000 ? length : null
  },
}

export const language = { ...oneOf(`one of ${LANGUAGES.join(', ')}`, ...LANGUAGES), value: 'CODE' }

export const token = {
  allowed: 'a token: one word of visible ASCII characters',
  parse: (text: string): string | null => (/^[!-~]{0,4096}$/.test(text) ? text : null),
}

/** A color, as `#` and six lowercase hexadecimal digits. */
export const color = {
  value: 'COLOR',
  allowed: 'a color such as #3b5bdb or #36c',
  parse: (text: string): string | null => {
    const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text)?.[1]?.toLowerCase()
    if (digits === undefined) return null
    return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
  },
}
