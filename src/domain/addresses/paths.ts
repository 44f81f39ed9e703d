import { PICTURES, pictureAddress, pictureFile } from '../pictures.ts'
import { dayIn } from '../time/date-forms.ts'

/** Where the API and the pages are. The server routes by these paths, and the command line prints them. */

const API = '/api/v1'
export const PUBLIC_API = `${API}/public` as const

export const publicChangelogPath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${PUBLIC_API}/teams/${team}/products/${product}/changelog` as const

export const keyedChangelogPath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${API}/teams/${team}/products/${product}/changelog` as const

export const PAGES = '/changelog'

export const teamPagePath = <Team extends string>(team: Team) => `${PAGES}/${team}` as const

export const changelogPagePath = <Team extends string, Product extends string>(
  team: Team,
  product: Product,
) => `${PAGES}/${team}/${product}` as const

/** The names under a changelog that are not versions. */
export const FEEDS = { atom: 'feed.atom', rss: 'feed.rss', json: 'feed.json' } as const
export const MARKDOWN = 'CHANGELOG.md'
export const BADGE = 'badge.svg'
/** The index for programs that read: see llmstxt.org. */
export const LLMS = 'llms.txt'
/** The name of the newest published version. It wins over a label. */
export const LATEST = 'latest'

const NAMES: ReadonlySet<string> = new Set([...Object.values(FEEDS), MARKDOWN, BADGE, LLMS, LATEST, PICTURES])

/** True if a label leads to its version: `latest` and the names of feeds do not. */
export const isOwnName = (label: string): boolean => !NAMES.has(label) && label !== '.' && label !== '..'

/** The name of a version in a path: its label, the day that this is, or its id if the label is taken or, as `..`, not possible. */
export const versionName = ({ id, label }: { id: string; label: string }): string =>
  isOwnName(label) ? encodeURIComponent(dayIn(label) ?? label) : id

export const versionPagePath = (
  team: string,
  product: string,
  version: { id: string; label: string },
): string => `${changelogPagePath(team, product)}/${versionName(version)}`

export const picturePath = (team: string, product: string, id: string): string =>
  `${changelogPagePath(team, product)}/${pictureAddress(id)}`

const PICTURE_PATH = new RegExp(`^${PAGES}/[^/]+/[^/]+/${PICTURES}/([^/#]+)(?:#[\\w-]+)?$`)

/** The picture that a path of this site leads to; null for other addresses. */
export const pictureAt = (path: string): ReturnType<typeof pictureFile> =>
  pictureFile(PICTURE_PATH.exec(path)?.[1] ?? '')

/** Ends the address of a page as Markdown. A label that ends with it takes precedence. */
const MARKDOWN_SUFFIX = '.md'
export const HOME_AS_MARKDOWN = '/index.md'

/** The address of a page as Markdown. */
export function markdownAddress(href: string): string {
  const [path = '', ...query] = href.split(/(?=\?)/)
  return [path === SITE.home ? HOME_AS_MARKDOWN : path + MARKDOWN_SUFFIX, ...query].join('')
}

/** A name in the address of a page as Markdown; null if it is no such address. */
export const withoutSuffix = (name: string): string | null =>
  name.endsWith(MARKDOWN_SUFFIX) ? name.slice(0, -MARKDOWN_SUFFIX.length) : null

/** Addresses that pages, documents and errors name. */
export const SITE = {
  home: '/',
  openapi: '/openapi.json',
  docsStyle: '/docs/reference.css',
  docsScript: '/docs/reference.js',
  mcp: '/mcp',
  sitemap: '/sitemap.xml',
  /** The query names one of the files that the sitemap lists. */
  sitemapFile: '/sitemap-pages.xml',
} as const

export interface Listening {
  readonly host: string
  readonly port: number
  /** Empty without TLS. */
  readonly tlsCert: string
}

/** Null if the host is not a unix socket. */
export const socketPath = (host: string): string | null =>
  host.startsWith(UNIX) ? host.slice(UNIX.length) : null

export const UNIX = 'unix:'

/** The base URL for clients on this machine: a wildcard address is not a destination, and a unix socket takes any host. */
export function reachableUrl({ host, port, tlsCert }: Listening): string {
  if (socketPath(host) !== null) return 'http://localhost'
  const place = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `${tlsCert === '' ? 'http' : 'https'}://${place.includes(':') ? `[${place}]` : place}:${port}`
}

/** The base URL for people: the configured one, else that of the listener. */
export const publicBase = (config: Listening & { readonly publicUrl: string }): string =>
  config.publicUrl || reachableUrl(config)

/** An address as people read it. */
export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '')
