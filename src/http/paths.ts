import { API, keyedChangelogPath, PUBLIC_API, publicChangelogPath } from '../domain/paths.ts'

/** The routes' paths, and the prefixes by which the pipeline tells them apart before routing. */

export const HEALTH = '/healthz'
export const OPENAPI = '/openapi.json'

export const API_PREFIX = `${API}/`
export const PUBLIC_PREFIX = `${PUBLIC_API}/`
export const KEYED_PREFIX = `${API}/teams/`

export const PUBLIC_CHANGELOG = publicChangelogPath(':teamSlug', ':productSlug')
export const KEYED_CHANGELOG = keyedChangelogPath(':teamSlug', ':productSlug')
/** Under either changelog. */
export const VERSION = '/versions/:versionId'

/** Whether a request target could be one of the routes'. */
export const isRoutable = (target: string): boolean =>
  target.startsWith(PUBLIC_PREFIX) ||
  target.startsWith(KEYED_PREFIX) ||
  target.startsWith(HEALTH) ||
  target.startsWith(OPENAPI)

/** Path and query of a URL, as the client wrote them; the whole text if it has no host. */
export function targetOf(url: string): string {
  const start = url.indexOf('/', url.startsWith('http://') ? 7 : url.startsWith('https://') ? 8 : 0)
  return start <= 0 ? url : url.slice(start)
}
