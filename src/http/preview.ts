import type { Config } from '../config/config.ts'
import { teamPagePath } from '../domain/addresses/paths.ts'
import type { Team } from '../domain/records.ts'
import { mapReads, withReads } from '../store/queries/reads.ts'
import type { Grant, Store } from '../store/store.ts'
import { createEntrance, PRIVATE } from './entrance.ts'
import { createHandler, type Logger } from './handler.ts'
import type { Handler } from './request/context.ts'
import { withHeaders } from './request/json-response.ts'

export interface Preview {
  /** A new address, which works once, for ten minutes. */
  newUrl(): string
  stop(): Promise<void>
}

/**
 * Serves the pages of a team as if everything in it were public, on a free port of this machine. Other users can
 * connect to the port too: only the browser that first opens an address gets the pages. Closes the store when it
 * stops.
 */
export function startPreview(
  config: Config,
  store: Store,
  team: Pick<Team, 'id' | 'slug'>,
  path: string,
  logger: Logger,
): Preview {
  const handle = createPreviewHandler(config, previewStore(store, team), logger)
  const entrance = createEntrance('preview', { path: teamPagePath(team.slug), leadsTo: path })
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    reusePort: false,
    development: false,
    fetch: async (request, server) => {
      const entered = entrance.enter(request, new URL(request.url).pathname)
      if (entered) return entered
      if (!entrance.knows(request))
        return new Response('This preview address is wrong, or was already used.\n', {
          status: 403,
          headers: PRIVATE,
        })
      return withHeaders(await handle(request, () => server.requestIP(request) ?? undefined), PRIVATE)
    },
  })
  return {
    newUrl: () => server.url.origin + entrance.open(),
    stop: async () => {
      await server.stop(true)
      store.close()
    },
  }
}

/** The handler of the server, without limits, lists and its log. Its pictures are at this path of the same server. */
export const createPreviewHandler = (config: Config, store: Store, logger: Logger, base = ''): Handler =>
  createHandler({ config: previewConfig(config, base), store, logger, address: () => base })

const previewConfig = (config: Config, publicUrl: string): Config => ({
  ...config,
  ...{ publicUrl, pages: 'unlisted', homePage: '', mcp: false, gate: null, logRequests: 'off', hsts: 'off' },
  ...{ rateLimitBurst: 1_000_000, rateLimitPerMinute: 1_000_000, rateLimitUrl: '' },
})

/** A store that shows the public as much as a key of the team. */
export function previewStore(store: Store, team: Pick<Team, 'id' | 'slug'>): Store {
  const grant: Grant = {
    ...{ keyId: '', teamId: team.id, teamSlug: team.slug, kind: 'FULL' },
    ...{ products: new Set(), expiresAt: null },
  }
  const asGranted = <Given extends unknown[]>([first, ...rest]: Given) =>
    [first === 'public' ? grant : first, ...rest] as Given
  return withReads(store, (reads) => mapReads((name, given) => reads[name](...asGranted(given))))
}
