/** Where the API and the pages are. The server routes by these paths, and the command line prints them. */

export const API = '/api/v1'
export const PUBLIC_API = `${API}/public` as const

/** The public path of a product's changelog. */
export const publicChangelogPath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${PUBLIC_API}/teams/${team}/products/${product}/changelog` as const

/** The path of a product's changelog for API-key holders. */
export const keyedChangelogPath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${API}/teams/${team}/products/${product}/changelog` as const

/** Where the pages of teams, changelogs and versions are. */
export const PAGES = '/changelog'

/** The path of the page with a team's changelogs. */
export const teamPagePath = <Team extends string>(team: Team) => `${PAGES}/${team}` as const

/** The path of the page with a product's changelog. */
export const changelogPagePath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${PAGES}/${team}/${product}` as const

/** The names under a changelog that are not versions. */
export const FEEDS = { atom: 'feed.atom', rss: 'feed.rss', json: 'feed.json' } as const
export const MARKDOWN = 'CHANGELOG.md'
/** The name of the newest published version. It wins over a label. */
export const LATEST = 'latest'

const NAMES: ReadonlySet<string> = new Set([...Object.values(FEEDS), MARKDOWN, LATEST])

/** Whether a version is found by this label. */
export const isOwnName = (label: string): boolean => !NAMES.has(label) && label !== '.' && label !== '..'

/** A version in a path: its label, unless that is taken or, as `..`, cannot be in one. */
export const versionName = ({ id, label }: { id: string; label: string }): string =>
  isOwnName(label) ? encodeURIComponent(label) : id

/** The path of a version's page. */
export const versionPagePath = (
  team: string,
  product: string,
  version: { id: string; label: string },
): string => `${changelogPagePath(team, product)}/${versionName(version)}`

/** Where a server listens. */
export interface Listening {
  readonly host: string
  readonly port: number
  /** Empty without TLS. */
  readonly tlsCert: string
}

/** The path of a unix socket, if a host is one; otherwise null. */
export const socketPath = (host: string): string | null =>
  host.startsWith(UNIX) ? host.slice(UNIX.length) : null

export const UNIX = 'unix:'

/**
 * The base URL at which a server that listens there can be reached: a wildcard address is not a destination. On a unix
 * socket that is the one to which clients of such sockets send their requests.
 */
export function reachableUrl({ host, port, tlsCert }: Listening): string {
  if (socketPath(host) !== null) return 'http://localhost'
  const place = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${tlsCert === '' ? 'http' : 'https'}://${place.includes(':') ? `[${place}]` : place}:${port}`
}

/** The base URL that people are given: the one that is set, or else that of the listener. */
export const publicBase = (config: Listening & { readonly publicUrl: string }): string =>
  config.publicUrl || reachableUrl(config)
