import {
  API,
  changelogPagePath,
  keyedChangelogPath,
  PAGES,
  PUBLIC_API,
  publicChangelogPath,
  teamPagePath,
} from '../domain/addresses/paths.ts'

/** The routes' paths, and the prefixes by which the pipeline tells them apart before routing. */

/** The probes, which pass neither gate nor limiter: the process answers; the store answers, under two names. */
export const LIVE = '/livez'
export const READY = '/readyz'
export const HEALTH = '/healthz'
const PROBES = [LIVE, READY, HEALTH]
export const OPENAPI = '/openapi.json'
export const DOCS = '/docs'
export const DOCS_STYLE = `${DOCS}/reference.css`
export const DOCS_SCRIPT = `${DOCS}/reference.js`
export const WIDGET = '/widget.js'

/** Resources that are the same for everyone and never change while the server runs. */
const FIXED: readonly string[] = [OPENAPI, DOCS, DOCS_STYLE, DOCS_SCRIPT, WIDGET]

export const API_PREFIX = `${API}/`
export const PUBLIC_PREFIX = `${PUBLIC_API}/`
export const KEYED_PREFIX = `${API}/teams/`

export const PUBLIC_CHANGELOG = publicChangelogPath(':teamSlug', ':productSlug')
export const KEYED_CHANGELOG = keyedChangelogPath(':teamSlug', ':productSlug')
/** Under either changelog. */
export const VERSION = '/versions/:versionId'

export const HOME_PAGE = '/'
export const TEAM_PAGE = teamPagePath(':team')
export const CHANGELOG_PAGE = changelogPagePath(':team', ':product')
export const ROBOTS = '/robots.txt'
export const SITEMAP = '/sitemap.xml'
/** Each of the files that the sitemap lists has a query of its own. */
export const SITEMAP_FILE = '/sitemap-pages.xml'

/** Whether a request target is a page's, a feed's, or a file's for search engines. */
export const isPage = (target: string): boolean =>
  target.startsWith(`${PAGES}/`) ||
  isAt(HOME_PAGE, target) ||
  isAt(ROBOTS, target) ||
  isAt(SITEMAP, target) ||
  isAt(SITEMAP_FILE, target)

/** Whether a request target is counted by the limiter, and open to pages of every origin. */
export const isPublic = (target: string): boolean => target.startsWith(PUBLIC_PREFIX) || isFixed(target)

/** Whether a request target is a fixed resource, the same for everyone. */
export const isFixed = (target: string): boolean => FIXED.some((path) => isAt(path, target))

/** Whether a request target is under the API prefix, where every response is JSON. */
export const isUnderApi = (target: string): boolean => target === '/api' || target.startsWith('/api/')

/** Whether a request target is this path, with any query. */
export const isAt = (path: string, target: string): boolean =>
  target.startsWith(path) && (target.length === path.length || target[path.length] === '?')

export const isProbe = (target: string): boolean =>
  !target.startsWith(API_PREFIX) && PROBES.some((path) => isAt(path, target))

/** Whether a request target could be one of the routes'. */
export const isRoutable = (target: string): boolean =>
  target.startsWith(PUBLIC_PREFIX) ||
  target.startsWith(KEYED_PREFIX) ||
  isProbe(target) ||
  isFixed(target) ||
  isPage(target)

/**
 * Path and query of a URL; the whole text if it has no host. In the path, escapes of characters that need none are decoded:
 * everything has one spelling from here on.
 */
export function targetOf(url: string): string {
  const start = url.indexOf('/', url.startsWith('http://') ? 7 : url.startsWith('https://') ? 8 : 0)
  const target = start <= 0 ? url : url.slice(start)
  return target.includes('%') ? target.replace(PATH, withoutNeedlessEscapes) : target
}

const PATH = /^[^?#]*/

/** Nothing is at a path with a `%` that begins no escape. It stays as it is: decoding could make an escape of it. */
const withoutNeedlessEscapes = (path: string): string =>
  NO_ESCAPE.test(path)
    ? path
    : path.replace(NEEDLESS_ESCAPE, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

const NO_ESCAPE = /%(?![\da-f]{2})/i

/** An escape of a character that needs none in a URL (RFC 3986 calls them unreserved): `%61` for `a`. */
const NEEDLESS_ESCAPE = /%(2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/gi
