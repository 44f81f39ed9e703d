import { comparedTags } from '../../comparison.ts'

/** Where the code of a product is, and how its host addresses what a text refers to. */
export interface Repository {
  /** Without a slash at the end. */
  readonly url: string
  readonly origin: string
  /** Owner and name, such as `acme/rocket`. */
  readonly path: string
  readonly host: 'github' | 'gitlab' | 'other'
}

/** Hosts whose addresses are understood wherever they stand. */
const KNOWN_ORIGINS = new Set(['https://github.com', 'https://gitlab.com', 'https://codeberg.org'])

/** The repository at an address; null if it is not one of an owner and a name on the web. */
export function parseRepository(address: string): Repository | null {
  const url = URL.parse(address)
  const path = url?.pathname.replace(/^\/|(?:\.git)?\/?$/g, '') ?? ''
  if (!url || !/^https?:$/.test(url.protocol) || !/^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path)) return null
  const { origin } = url
  const host = (['github', 'gitlab'] as const).find((name) => url.hostname.includes(name)) ?? 'other'
  return { url: `${origin}/${path}`, origin, path, host }
}

export const issueUrl = ({ origin, path, host }: Repository, number: string, other = path): string =>
  `${origin}/${other}/${infix(host)}issues/${number}`

export const mergeRequestUrl = ({ url }: Repository, number: string): string =>
  `${url}/-/merge_requests/${number}`

export const commitUrl = ({ url, host }: Repository, hash: string): string =>
  `${url}/${infix(host)}commit/${hash}`

const infix = (host: Repository['host']): string => (host === 'gitlab' ? '-/' : '')

/** On GitHub, bots are apps, and names have neither dots nor underscores. Null if nobody has such a name. */
export function personUrl({ origin, host }: Repository, name: string): string | null {
  const bot = /^(.*)\[bot\]$/.exec(name)?.[1]
  if (bot !== undefined) return host === 'github' ? `${origin}/apps/${bot}` : null
  return host === 'github' && /[._]|--/.test(name) ? null : `${origin}/${name}`
}

const OWNER = /^\/(?<name>[\w.-]+)\/?$/
const PLACE =
  /^\/(?<path>[\w.-]+(?:\/[\w.-]+)+?)\/(?:-\/)?(?<kind>issues|pulls?|discussions|merge_requests|commit|compare)\/(?<rest>.+?)\/?$/

/** The short form of an address: `#12`, `@alice`, `2.8.0…2.9.0`. Null for any other address. */
export function shortName(repository: Repository, address: string): string | null {
  const url = URL.parse(address)
  if (url?.search !== '' || !(url.origin === repository.origin || KNOWN_ORIGINS.has(url.origin))) return null
  const owner = OWNER.exec(url.pathname)?.groups
  if (owner) return url.hash === '' ? `@${owner.name}` : null
  const { path = '', kind = '', rest = '' } = PLACE.exec(url.pathname)?.groups ?? {}
  const isOwn = url.origin === repository.origin && path.toLowerCase() === repository.path.toLowerCase()
  if (!['commit', 'compare'].includes(kind) && /^\d+$/.test(rest)) {
    const mark = kind === 'merge_requests' ? '!' : '#'
    return `${isOwn ? '' : path}${mark}${rest}${url.hash === '' ? '' : ' (comment)'}`
  }
  if (url.hash !== '') return null
  if (kind === 'commit' && /^[0-9a-f]{7,64}$/.test(rest))
    return `${isOwn ? '' : `${path}@`}${rest.slice(0, 7)}`
  const range = kind === 'compare' ? comparedTags(url.pathname) : null
  return range && `${isOwn ? '' : `${path}@`}${range}`
}
