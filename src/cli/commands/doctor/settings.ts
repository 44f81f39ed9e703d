import { totalmem } from 'node:os'
import { type Config, ConfigError, SETTINGS, type Setting } from '../../../config.ts'
import { type Address, type Cidr, inCidr, isV4, parseAddress } from '../../../domain/address.ts'
import { attempt, type Finding } from '../../../domain/finding.ts'
import { shellWord } from '../../../domain/shell.ts'
import { size } from '../../../domain/size.ts'
import { fileAt } from '../../../store/sqlite/files.ts'
import type { Context } from '../../context.ts'
import { configFrom, settingOptions } from '../../settings.ts'

/** What is wrong with the settings, each by itself and together. */

/** Beyond these a limit on public requests is hardly meant: more than a client can use, less than a page needs. */
const HIGH_LIMIT = 10_000
const LOW_LIMIT = 10

/** The widest networks that are somebody's own: 10.0.0.0/8, which is /104 of 128 bits, and fc00::/7. */
const WIDEST_OWN = { v4: 96 + 8, v6: 7 }

/** 0.0.0.0, and where only this machine listens: 127.0.0.0/8 and ::1. */
const ANY_V4: Address = [0, 0, 0xffff, 0]
const LOOPBACK: readonly Cidr[] = [
  { network: [0, 0, 0xffff, 0x7f000000], bits: 96 + 8 },
  { network: [0, 0, 0, 1], bits: 128 },
]

export function settingFindings(context: Context, options: object): Finding[] {
  const findings = attempt('settings', () => {
    try {
      const config = configFrom(context, options)
      return [
        ...gateFindings(context, options, config),
        ...proxyFindings(config),
        ...limitFindings(config),
        ...cacheFindings(config),
      ]
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return error.problems.map((problem) => wrong(problem, 'Correct it: serve does not start.'))
    }
  })
  findings.push(...attempt('settings', () => secretFindings(context)))
  return findings.length > 0 ? findings : [{ state: 'ok', check: 'settings', message: 'no contradictions' }]
}

function gateFindings(context: Context, options: object, config: Config): Finding[] {
  if (config.gate) return []
  const given = secrets().filter(
    ({ name, flag }) =>
      context.env[name] ||
      context.env[`${name}_FILE`] ||
      settingOptions([flag]).some((option) => option.attributeName() in options),
  )
  if (given.length === 0) return []
  return [
    wrong(
      `PASSWORD_PROTECTION is false, so nobody is asked for ${given.map(({ name }) => name).join(' and ')}`,
      'Set it to true, or take the rest away.',
    ),
  ]
}

function proxyFindings({ host, trustedProxies }: Config): Finding[] {
  if (trustedProxies.some(trustsStrangers))
    return [
      wrong(
        'TRUSTED_PROXIES trusts strangers: any client can pass for another, and no limit holds',
        'Name only the addresses of your own proxies.',
      ),
    ]
  if (trustedProxies.length > 0 || isLoopback(host)) return []
  return [
    warn(
      `HOST is ${host}, open to other machines, and TRUSTED_PROXIES is empty`,
      'Right if clients come directly. Behind a proxy they would all share one limit: name it in TRUSTED_PROXIES.',
    ),
  ]
}

function limitFindings({ rateLimit }: Config): Finding[] {
  const limits = { RATE_LIMIT_BURST: rateLimit.burst, RATE_LIMIT_PER_MINUTE: rateLimit.perMinute }
  return Object.entries(limits).flatMap(([name, value]) => {
    if (value > HIGH_LIMIT)
      return [
        warn(
          `${name} is ${value}, which hardly limits anybody`,
          `Set at most ${HIGH_LIMIT}, if that is not meant.`,
        ),
      ]
    if (value < LOW_LIMIT)
      return [
        warn(
          `${name} is ${value}, which refuses ordinary readers`,
          `Set at least ${LOW_LIMIT}, if that is not meant.`,
        ),
      ]
    return []
  })
}

function cacheFindings({ cacheMaxBytes }: Config): Finding[] {
  const memory = totalmem()
  if (cacheMaxBytes <= memory) return []
  return [
    wrong(
      `CACHE_MAX_BYTES is ${size(cacheMaxBytes)}, more than the ${size(memory)} of memory here`,
      'Set it to what the server may use.',
    ),
  ]
}

/** Only a warning: in a container, secrets are often mounted for everybody, and nobody else is there. */
function secretFindings(context: Context): Finding[] {
  return secrets().flatMap(({ name }) => {
    const path = context.env[`${name}_FILE`]
    const found = path ? fileAt(path) : undefined
    if (!path || !found || (found.mode & 0o077) === 0) return []
    return [
      warn(
        `${name}_FILE is ${path}, which others than its owner may use`,
        `To change that: chmod 600 ${shellWord(path)}`,
      ),
    ]
  })
}

const secrets = (): Setting[] => SETTINGS.filter((setting: Setting) => setting.secret)

const trustsStrangers = ({ network, bits }: Cidr): boolean =>
  bits < WIDEST_OWN.v6 || (bits < WIDEST_OWN.v4 && (isV4(network) || inCidr(ANY_V4, { network, bits })))

function isLoopback(host: string): boolean {
  const address = parseAddress(host)
  if (!address) return host === 'localhost'
  return LOOPBACK.some((cidr) => inCidr(address, cidr))
}

const wrong = (message: string, remedy: string): Finding => ({
  state: 'wrong',
  check: 'settings',
  message,
  remedy,
})
const warn = (message: string, remedy: string): Finding => ({
  state: 'warn',
  check: 'settings',
  message,
  remedy,
})
