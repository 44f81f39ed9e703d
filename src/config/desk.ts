import { type Cidr, isThisMachine, isV4 } from '../domain/addresses/ip-address.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Config } from './config.ts'
import { SETTINGS } from './settings.ts'

/** Who may write at the desk: whoever has a one-time address, or whom a proxy has signed in. */
export type Access =
  | { kind: 'local' }
  | {
      kind: 'proxy'
      origin: string
      header: string
      /** Empty without groups. */
      groupsHeader: string
      proxies: readonly Cidr[]
    }

export interface DeskSettings {
  host: string
  /** 0 for a free one. */
  port: number
  access: Access
  /** Whose changelogs somebody in these groups may write; null for all. */
  teamsOf(groups: readonly string[]): ReadonlySet<string> | null
  /** False for somebody who only writes drafts. */
  mayPublish(name: string | null, groups: readonly string[]): boolean
}

const { deskUrl, deskHost, deskPort, deskUserHeader, deskProxies, deskTeams, port } = SETTINGS
const { deskGroupsHeader, deskPublishers } = SETTINGS

/** The settings of the desk. Throws a `Refusal` unless they say exactly who may write. */
export function deskSettings(config: Config): DeskSettings {
  const given = { host: config.deskHost, port: config.deskPort }
  // Whatever the hosts: the server may listen on all of them.
  if (given.port !== 0 && given.port === config.port)
    throw new Refusal(`${deskPort.name} and ${port.name} are both ${given.port}.`, {
      hint: `The desk needs a port of its own. Set another ${deskPort.name}.`,
    })
  const { deskTeams: teams, deskPublishers: publishers } = config
  if (config.deskGroupsHeader === '' && [...teams.values()].some((groups) => groups !== null))
    throw new Refusal(`${deskTeams.name} names groups, but ${deskGroupsHeader.name} is not set.`, {
      hint: 'Name the header in which your proxy sends the groups of a user, such as X-Forwarded-Groups.',
    })
  return {
    ...given,
    access: config.deskUserHeader === '' ? localAccess(config) : proxyAccess(config),
    teamsOf: (groups) => {
      const own = [...teams].filter(([, of]) => of === null || of.some((group) => groups.includes(group)))
      const slugs = new Set(own.map(([team]) => team))
      return slugs.has('*') || teams.size === 0 ? null : slugs
    },
    mayPublish: (name, groups) => {
      // Somebody may have chosen the name of a group.
      const known = config.deskGroupsHeader === '' ? [name] : groups
      return publishers.length === 0 || known.some((each) => each !== null && publishers.includes(each))
    },
  }
}

function localAccess(config: Config): Access {
  const others = [
    ...(config.deskUrl === '' ? [] : [deskUrl.name]),
    ...(config.deskProxies.length === 0 ? [] : [deskProxies.name]),
    ...(config.deskGroupsHeader === '' ? [] : [deskGroupsHeader.name]),
    ...(config.deskPublishers.length === 0 ? [] : [deskPublishers.name]),
  ]
  if (others.length > 0)
    throw new Refusal(
      `${others.join(' and ')} ${others.length > 1 ? 'need' : 'needs'} ${deskUserHeader.name}.`,
      {
        hint: 'Behind a proxy, the desk must know the header with the name of the user, such as X-Forwarded-User.',
      },
    )
  if (!isThisMachine(config.deskHost))
    throw new Refusal(
      `${deskHost.name} is ${config.deskHost}, but without ${deskUserHeader.name} the desk listens only on this machine.`,
      { hint: `Leave out ${deskHost.name}, or run the desk behind a proxy that signs people in.` },
    )
  return { kind: 'local' }
}

/**
 * Headers that browsers, proxies and CDNs send with every request, whoever is signed in. Names are in lower case. Some of
 * these proxies sign people in, and name them in one of their own.
 */
const FROM_CLIENTS = new RegExp(
  `^(?:${[
    'accept.*|access-control-.*|content-.*|if-.*|proxy-.*|sec-.*|upgrade.*|authorization|cookie2?|host|origin|age|link',
    'referer|from|user-agent|connection|keep-alive|te|trailer|transfer-encoding|expect|range|date|dnt|priority|purpose',
    'cache-control|pragma|via|forwarded|early-data|last-event-id|service-worker|signature.*|http2-settings|alt-used',
    'save-data|device-memory|dpr|width|viewport-width|downlink|rtt|ect|max-forwards|warning|baggage|b3|sentry-trace',
    'traceparent|tracestate|x-forwarded|x-forwarded-(?!user|email|preferred-username|login|name|groups$).*|x-(?:real|original)-.*',
    'x-(?:requested-with|host|scheme|varnish|wap-profile|moz|purpose|http-method.*|cache.*|request.*|correlation-id)',
    '(?:x-)?(?:true-|cluster-)*client-ip|(?:x-)?(?:b3|envoy|fastly|akamai|cdn|vercel|nf|fly|azure|fd|arr|appengine|cloud)-.*',
    'cf-(?!access-authenticated-user-email$).*|cdn-loop|cloudfront-.*|x-amz-.*|x-amzn-(?!oidc-identity$).*',
    'x-goog-(?!authenticated-user-).*|x-ms-(?!client-principal-name$).*',
  ].join('|')})$`,
)

function proxyAccess(config: Config): Access {
  const missing = [
    ...(config.deskUrl === '' ? [deskUrl.name] : []),
    ...(config.deskProxies.length === 0 ? [deskProxies.name] : []),
    ...(config.deskTeams.size === 0 ? [deskTeams.name] : []),
    ...(config.deskPort === 0 ? [deskPort.name] : []),
  ]
  if (missing.length > 0)
    throw new Refusal(
      `${deskUserHeader.name} is set, but ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not.`,
      { hint: 'Behind a proxy, the desk needs all of them.' },
    )
  const {
    deskUrl: origin,
    deskUserHeader: header,
    deskGroupsHeader: groupsHeader,
    deskProxies: proxies,
  } = config
  for (const [{ name }, given] of [
    [deskUserHeader, header],
    [deskGroupsHeader, groupsHeader],
  ] as const)
    if (FROM_CLIENTS.test(given))
      throw new Refusal(`${name} is ${given}, which clients send by themselves.`, {
        hint: 'Anybody could sign in with it. Name a header that only your proxy sets, such as X-Forwarded-User.',
      })
  if (header === groupsHeader)
    throw new Refusal(`${deskUserHeader.name} and ${deskGroupsHeader.name} are both ${header}.`, {
      hint: 'The name of a user is no group.',
    })
  for (const { network, bits } of config.deskProxies) {
    const [least, written] = isV4(network) ? [120, 24] : [64, 64]
    if (bits < least)
      throw new Refusal(`${deskProxies.name} has a network that is wider than /${written}.`, {
        hint: 'Everyone in it could write as anybody. Name the addresses of your proxies.',
      })
  }
  return { kind: 'proxy', origin, header, groupsHeader, proxies }
}
