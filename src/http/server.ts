import type { Config } from '../config/config.ts'
import { reachableUrl, socketPath } from '../domain/addresses/paths.ts'
import { Notice } from '../domain/notice.ts'
import { pause } from '../domain/time/waiting.ts'
import type { Store } from '../store/store.ts'
import { createHandler, type Logger, rateLimitOf } from './handler.ts'
import { type LimiterShare, ownLimits, redisNotice, sharedLimits } from './limits/limits.ts'
import { cannotListen } from './listening/listen-error.ts'
import type { ClaimedSocket } from './listening/unix-socket.ts'
import type { Counters } from './metrics/counters.ts'
import { UNIX_PEER } from './request/client.ts'
import { type Peer, whenReady } from './request/context.ts'
import { internalError } from './request/errors.ts'
import { withHeaders } from './request/json-response.ts'

export interface RunningServer {
  /** With the actual port if the configured one is 0; or `unix:` and a path. */
  url: string
  /** Tells clients to leave, accepts no more connections, finishes the requests in flight, and closes the store. */
  stop(): Promise<void>
  /** Rejects with a `Refusal` once it can no longer serve, and has stopped. */
  readonly failed: Promise<never>
}

export interface ServerOptions {
  /** How long `stop` waits for requests in flight. */
  graceMs?: number
  /** Shares the limiter with other threads. */
  part?: LimiterShare
  /** Other threads listen on the same port. */
  reusePort?: boolean
  /** Called when Redis stops working, and when it works again; by default a notice is reported. */
  reportRedis?: (event: string, works: boolean) => void
  counters?: Counters | null
}

const GRACE_MS = 10_000

/**
 * Clients on open connections are told to leave: for so long, or until no request has come for a while. Bun then closes
 * connections without a request at once.
 */
const LEAVING_MS = 1_000
const QUIET_MS = 100

/** Longer than proxies keep an idle connection: if the server closed it first, a request on its way would be lost. */
const IDLE_SECONDS = 75

/** For TLS 1.2: forward secrecy and authenticated encryption. TLS 1.3 has no others. */
const CIPHERS = 'ECDHE+AESGCM:ECDHE+CHACHA20'

/** Serves the store and closes it at the end. Throws a `Refusal` if it cannot listen. */
export async function startServer(
  config: Config,
  store: Store,
  logger: Logger,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const rule = rateLimitOf(config)
  const { rateLimitUrl } = config
  const { graceMs = GRACE_MS, part, reusePort = false, counters = null } = options
  const report = (event: string, works: boolean) => logger.report(redisNotice(event, works))
  const limits =
    rateLimitUrl === ''
      ? ownLimits(rule, part)
      : await sharedLimits(rule, rateLimitUrl, options.reportRedis ?? report, { part })
  let claimed: ClaimedSocket | undefined
  let isStopping = false
  let lastRequestAt = 0
  try {
    const address = () => reachableUrl({ ...config, port: server.port ?? config.port })
    const handle = createHandler({ config, store, logger, limits, address, counters })
    const path = socketPath(config.host)
    if (path !== null) claimed = await (await import('./listening/unix-socket.ts')).claimSocket(path)
    const tls =
      config.tlsCert === ''
        ? {}
        : { tls: { ...(await import('../config/certificate.ts')).readCertificate(config), ciphers: CIPHERS } }
    // Otherwise a second server could share the port, and every client would have two buckets.
    const place =
      path === null
        ? { hostname: config.host, port: config.port, reusePort, idleTimeout: IDLE_SECONDS }
        : { unix: path }
    const start = () =>
      Bun.serve({
        ...place,
        ...tls,
        development: false,
        // Only a short one is ever read, so its size does not matter.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        fetch: (request, server) => {
          let known: ReturnType<Peer>
          const peer = path === null ? () => (known ??= server.requestIP(request) ?? undefined) : unixPeer
          const handled = handle(request, peer)
          lastRequestAt = performance.now()
          return whenReady(request.method === 'HEAD' ? withDate(handled) : handled, (response) =>
            // The client must not use this connection again.
            isStopping ? withHeaders(response, { connection: 'close' }) : response,
          )
        },
        error: (error) => {
          logger.report(error)
          return internalError()
        },
      })
    const server = claimed ? claimed.listen(start) : start()
    const endSampling = counters?.sample()
    if (!config.worker) setTimeout(() => void reportWork(store, logger), REPORT_MS).unref()
    return {
      url: path === null ? server.url.origin : config.host,
      stop: async () => {
        isStopping = true
        const until = performance.now() + LEAVING_MS
        while (performance.now() < Math.min(until, lastRequestAt + QUIET_MS)) await pause(5)
        const finished = server.stop()
        await Promise.race([finished, idle(server), pause(graceMs)])
        await server.stop(true)
        claimed?.release()
        endSampling?.()
        limits.close()
        store.close()
      },
      failed: new Promise(() => {}),
    }
  } catch (error) {
    claimed?.release()
    limits.close()
    store.close()
    throw cannotListen(config, error)
  }
}

/** The first responses come before it. */
const REPORT_MS = 1_000

const NO_WORKER =
  'Sources or hooks need a worker, and this server has none. Unless one runs elsewhere, start one: changelogd serve --worker'

/** A store that fails will be reported by requests. */
async function reportWork(store: Store, { report }: Logger): Promise<void> {
  const work = await (async () => store.readWork())().catch(() => null)
  if (work?.value) report(new Notice('worker_missing', NO_WORKER))
}

const unixPeer = () => ({ address: UNIX_PEER, port: 0 })

/** Bun adds a `Date` to every response except those to HEAD. */
const withDate = async (response: Response | Promise<Response>): Promise<Response> =>
  withHeaders(await response, { date: new Date().toUTCString() })

/** Resolves when no request is in flight, even if connections are open. */
async function idle(server: { pendingRequests: number }): Promise<void> {
  while (server.pendingRequests > 0) await pause(5)
}
