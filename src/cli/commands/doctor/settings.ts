import { totalmem } from 'node:os'
import { readCertificate } from '../../../config/certificate.ts'
import { type Config, ConfigError, configOf, isHidden, type ReadSettings } from '../../../config/config.ts'
import type { ConfigFile } from '../../../config/file.ts'
import { SETTINGS } from '../../../config/settings.ts'
import { type Address, type Cidr, inCidr, isThisMachine, isV4 } from '../../../domain/addresses/ip-address.ts'
import { socketPath } from '../../../domain/addresses/paths.ts'
import { reasonOf } from '../../../domain/errors.ts'
import { type Check, type Result, type Results, warn, wrong } from '../../../domain/finding.ts'
import type { Instant } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { plural } from '../../../domain/text/plural.ts'
import { shellWord } from '../../../domain/text/shell.ts'
import { size } from '../../../domain/text/size.ts'
import { DAY_MS } from '../../../domain/time/time.ts'
import { fileAt } from '../../../files/lookup.ts'
import { serviceResults } from './services.ts'

/** The largest private networks: 10.0.0.0/8, which is /104 of 128 bits, and fc00::/7. */
const WIDEST_PRIVATE = { v4: 96 + 8, v6: 7 }

/** 0.0.0.0 */
const ANY_V4: Address = [0, 0, 0xffff, 0]

/** Certificates of 90 days are renewed after 60: one that expires sooner is late. */
const LEAST_DAYS = 14

const UNTIL_CORRECTED = 'Correct it: serve does not start with it.'

interface ExaminedSettings {
  read: ReadSettings
  file: ConfigFile | null
  now: Instant
}

export const SETTING_CHECKS: readonly Check<ExaminedSettings>[] = [
  { name: 'settings', run: configResults },
  {
    name: 'settings',
    run: ({ read, file }) => [secretResults(read.settings), fileResults(read.settings, file)].flat(),
  },
  { name: 'services', run: serviceResults },
]

function configResults({ read, now }: ExaminedSettings): Result[] {
  try {
    const config = configOf(read)
    return [
      gateResults(read.settings, config),
      proxyResults(config),
      cacheResults(config),
      certificateResults(config, now),
    ].flat()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) => wrong(problem, UNTIL_CORRECTED))
  }
}

function gateResults(settings: ReadSettings['settings'], config: Config): Results {
  if (config.gate) return []
  const given = settings.filter(
    ({ setting, given }) =>
      setting.requiredBy === SETTINGS.passwordProtection.name && given?.from !== 'default',
  )
  if (given.length === 0) return []
  return wrong(
    `PASSWORD_PROTECTION is false, so ${given.map(({ setting }) => setting.name).join(' and ')} has no effect`,
    'Set PASSWORD_PROTECTION=true, or remove the others.',
  )
}

function proxyResults({ host, trustedProxies }: Config): Results {
  if (trustedProxies.some(isTooWide))
    return wrong(
      'TRUSTED_PROXIES includes public networks, so clients can forge their address and evade the rate limit',
      'List only the addresses of your own proxies.',
    )
  if (trustedProxies.length === 0 && socketPath(host) !== null)
    return warn(
      'HOST is a unix socket and TRUSTED_PROXIES is empty, so all clients share one rate limit',
      'Let the proxy set X-Forwarded-For, and set TRUSTED_PROXIES=unix.',
    )
  if (trustedProxies.length > 0 || socketPath(host) !== null || isThisMachine(host)) return []
  return warn(
    `HOST is ${host}, open to other machines, and TRUSTED_PROXIES is empty`,
    'Behind a proxy, add the proxy to TRUSTED_PROXIES. Without it, all clients share one rate limit.',
  )
}

function cacheResults({ cacheMaxBytes }: Config): Results {
  const memory = totalmem()
  if (cacheMaxBytes <= memory) return []
  return wrong(
    `CACHE_MAX_BYTES is ${size(cacheMaxBytes)}, but this machine has ${size(memory)} of memory`,
    'Set it to the memory the cache may use.',
  )
}

function certificateResults(config: Config, now: Instant): Results {
  if (config.tlsCert === '') return []
  try {
    const { validTo } = readCertificate(config)
    const days = Math.floor((validTo - now) / DAY_MS)
    return [expiryResults(config.tlsCert, days), exposedResults('TLS_KEY', config.tlsKey)].flat()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return wrong(reasonOf(error), error.hint ?? UNTIL_CORRECTED)
  }
}

function expiryResults(path: string, days: number): Results {
  const renew = 'Renew it, and restart the server.'
  if (days < 0) return wrong(`TLS_CERT (${path}) has expired`, renew)
  if (days < LEAST_DAYS) return warn(`TLS_CERT (${path}) expires in ${plural(days, 'day')}`, renew)
  return []
}

const secretResults = (settings: ReadSettings['settings']): Result[] =>
  settings.flatMap(({ setting, given }) =>
    given?.secretFile === undefined ? [] : exposedResults(`${setting.name}_FILE`, given.secretFile),
  )

function fileResults(settings: ReadSettings['settings'], file: ConfigFile | null): Results {
  const hasSecret = settings.some(({ setting, given }) => {
    const isInFile = given?.from === 'config file' && given.secretFile === undefined
    return isInFile && isHidden(setting, given.text)
  })
  return file && hasSecret ? exposedResults('The configuration file with secrets', file.path) : []
}

/**
 * Warns only: in a container, secrets are often readable by every user, and there is only one. The group may read, so that a
 * service can read what root owns, such as the settings of a package.
 */
function exposedResults(what: string, path: string): Results {
  const found = fileAt(path)
  if (!found || (found.mode & 0o027) === 0) return []
  return warn(`${what} (${path}) is accessible to other users`, `To fix it: chmod 640 ${shellWord(path)}`)
}

const isTooWide = ({ network, bits }: Cidr): boolean =>
  bits < WIDEST_PRIVATE.v6 ||
  (bits < WIDEST_PRIVATE.v4 && (isV4(network) || inCidr(ANY_V4, { network, bits })))
