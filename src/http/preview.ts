import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { teamPagePath } from '../domain/addresses/paths.ts'
import type { Team } from '../domain/records.ts'
import { mapReads, withReads } from '../store/queries/reads.ts'
import type { Grant, Store } from '../store/store.ts'
import { createHandler, type Logger } from './handler.ts'
import { withHeaders } from './request/json-response.ts'

export interface Preview {
  /** Works once. */
  url: string
  stop(): Promise<void>
}

const ENTRANCE = '/preview/'

/**
 * Serves the pages of a team as if everything in it were public, on a free port of this machine. Other users can
 * connect to the port too: only the browser that first opens the address gets the pages. Closes the store when it
 * stops.
 */
export function startPreview(
  config: Config,
  store: Store,
  team: Pick<Team, 'id' | 'slug'>,
  path: string,
  logger: Logger,
): Preview {
  const handle = createHandler({ config: previewConfig(config), store: previewStore(store, team), logger })
  const token = randomToken()
  const session = randomToken()
  // Browsers send a cookie to every port: the name is for other previews, the path for other servers.
  const name = `changelogd-preview-${randomToken()}`
  let isUsed = false
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    reusePort: false,
    development: false,
    fetch: async (request, server) => {
      const { pathname } = new URL(request.url)
      if (!isUsed && request.method === 'GET' && isEqual(pathname, ENTRANCE + token)) {
        isUsed = true
        const cookie = `${name}=${session}; Path=${teamPagePath(team.slug)}; HttpOnly; SameSite=Strict`
        return new Response(null, {
          status: 303,
          headers: { location: path, 'set-cookie': cookie, ...PRIVATE },
        })
      }
      if (!isEqual(cookieOf(request, name), session))
        return new Response('This preview address is wrong, or was already used.\n', {
          status: 403,
          headers: PRIVATE,
        })
      return withHeaders(await handle(request, () => server.requestIP(request) ?? undefined), PRIVATE)
    },
  })
  return {
    url: `${server.url.origin}${ENTRANCE}${token}`,
    stop: async () => {
      await server.stop(true)
      store.close()
    },
  }
}

/** No cache keeps a preview, and no linked page learns its address. */
const PRIVATE = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const previewConfig = (config: Config): Config => ({
  ...config,
  ...{ pages: 'unlisted', homePage: '', mcp: false, gate: null, logRequests: 'off', hsts: 'off' },
  ...{ rateLimitBurst: 1_000_000, rateLimitPerMinute: 1_000_000, rateLimitUrl: '' },
})

/** A store that shows the public as much as a key of the team. */
function previewStore(store: Store, team: Pick<Team, 'id' | 'slug'>): Store {
  const grant: Grant = {
    ...{ keyId: '', teamId: team.id, teamSlug: team.slug, kind: 'FULL' },
    ...{ products: new Set(), expiresAt: null },
  }
  const asGranted = <Given extends unknown[]>([first, ...rest]: Given) =>
    [first === 'public' ? grant : first, ...rest] as Given
  return withReads(store, (reads) => mapReads((name, given) => reads[name](...asGranted(given))))
}

const randomToken = (): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')

const cookieOf = (request: Request, name: string): string =>
  new Bun.CookieMap(request.headers.get('cookie') ?? '').get(name) ?? ''

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
