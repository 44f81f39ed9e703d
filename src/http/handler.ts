import type { Config } from '../config/config.ts'
import type { Address } from '../domain/addresses/ip-address.ts'
import { reachableUrl } from '../domain/addresses/paths.ts'
import { once } from '../domain/objects.ts'
import type { Store } from '../store/store.ts'
import { createResponseHeaders } from './answers/headers.ts'
import { createReads } from './answers/reads.ts'
import { createResponder } from './answers/responder.ts'
import { createCache } from './cache.ts'
import type { RateLimit } from './limits/limiter.ts'
import { type Limits, ownLimits } from './limits/limits.ts'
import { withAccessLog } from './logging/access-log.ts'
import { createMask } from './logging/mask.ts'
import { createRepeats } from './logging/repeats.ts'
import { createMcp } from './mcp/endpoint.ts'
import type { Counters } from './metrics/counters.ts'
import { countedHandler } from './metrics/counting.ts'
import type { ErrorForm } from './pages/errors.ts'
import { createPipeline } from './pipeline.ts'
import { createAuth } from './request/auth.ts'
import { type Handler, whenReady } from './request/context.ts'
import type { Refuse } from './request/errors.ts'
import { createGate } from './request/gate.ts'
import { withHeaders } from './request/json-response.ts'
import { compileRoutes, pages, routesFor } from './routes.ts'
import type { Tools } from './tools.ts'

export interface Logger {
  log(line: string): void
  /** Writes an error or a `Notice`. */
  report(event: unknown): void
}

export interface HandlerOptions {
  config: Config
  store: Store
  logger: Logger
  /** By default, limits of its own. */
  limits?: Limits
  /** The address that the server listens on. */
  address?: () => string
  counters?: Counters | null
}

/** The whole server without its listener. */
export function createHandler({
  config,
  store,
  logger,
  counters = null,
  address = () => reachableUrl(config),
  ...given
}: HandlerOptions): Handler {
  const limits = given.limits ?? ownLimits(rateLimitOf(config))
  const failed = () => counters?.add('storeErrors')
  const changed = () => counters?.add('revisionChanges')
  const cache = createCache(store, config.outageCacheSeconds * 1000, { changed, failed })
  if (counters) counters.usage = cache.usage
  const auth = createAuth(store, cache, Date.now, failed)
  const { publicMaxAge, cacheMaxBytes, gate, trustedProxies, publicUrl } = config
  const gated = gate !== null
  const headers = createResponseHeaders(publicMaxAge, gated, limits.requests.policy)
  const baseUrl = () => publicUrl || address()
  const responder = createResponder(store, cache, headers, cacheMaxBytes, failed)
  const report = createRepeats(logger.report, String, () => performance.now())
  const hasPages = config.pages !== 'off'
  const origins = [publicUrl, ...config.mcpOrigins].filter((origin) => origin !== '')
  const hasLists = config.pages === 'on'
  // One by one takes what is left. To take more than that at once is refused, and takes none.
  const charge = (address: Address, requests: number) => {
    for (let at = 0; at < requests; at++) void limits.requests.take(address)
  }
  const mcp = config.mcp ? createMcp({ auth, origins, responder, baseUrl, hasLists, charge, report }) : null
  const routes = routesFor(config.homePage)
  const tools: Tools = {
    config,
    responder,
    charge,
    // Loaded when needed, but not with `import`, which would delay the response.
    site: once(() => {
      const { createSite } = require('./site/site.ts') as typeof import('./site/site.ts')
      return createSite(config, baseUrl)
    }),
    baseUrl,
    ping: () => createReads(store, failed).ask('ping'),
  }
  const app = once(() => {
    const { createApp } = require('./app.ts') as typeof import('./app.ts')
    return createApp({ routes, tools, auth, report })
  })
  const refuse =
    (form: ErrorForm): Refuse =>
    (...error) =>
      pages().refuse(tools.site(), form, ...error)
  const pipeline = createPipeline({
    gate: gate && createGate(gate),
    limits,
    counters,
    trustedProxies,
    auth,
    responder,
    mcp,
    match: compileRoutes(routes),
    pages: hasPages ? { html: refuse('html'), gate: refuse('gate'), markdown: refuse('markdown') } : null,
    routes: app,
  })
  const secured = isHttps(config) && config.hsts !== 'off' ? withHsts(pipeline, config.hsts) : pipeline
  const handler = counters ? countedHandler(secured, counters) : secured
  const { logRequests } = config
  const mask = createMask(gate)
  return logRequests === 'off' && trustedProxies.length === 0
    ? handler
    : withAccessLog(handler, { logRequests, trustedProxies, mask, write: logger.log })
}

const isHttps = ({ tlsCert, publicUrl }: Config): boolean => tlsCert !== '' || publicUrl.startsWith('https:')

const withHsts =
  (handler: Handler, seconds: number): Handler =>
  (request, peer, trace) =>
    whenReady(handler(request, peer, trace), (response) =>
      withHeaders(response, { 'strict-transport-security': `max-age=${seconds}` }),
    )

export const rateLimitOf = ({ rateLimitBurst, rateLimitPerMinute }: Config): RateLimit => ({
  burst: rateLimitBurst,
  perMinute: rateLimitPerMinute,
})
