import type { Config } from '../config/config.ts'
import { reachableUrl, socketPath } from '../domain/addresses/paths.ts'
import { Notice } from '../domain/notice.ts'
import type { Store } from '../store/store.ts'
import { createHandler, type Logger, rateLimitOf } from './handler.ts'
import { type LimiterShare, ownLimits, redisNotice, sharedLimits } from './limits/limits.ts'
import { cannotListen } from './listening/listen-error.ts'
import { startListening } from './listening/listener.ts'
import type { ClaimedSocket } from './listening/unix-socket.ts'
import type { Counters } from './metrics/counters.ts'

export interface RunningServer {
  /** With the actual port if the configured one is 0; or `unix:` and a path. */
  url: string
  /**
   * Reads the certificate again, and reports what came of it. If it has changed, clients are told to leave, because a connection
   * keeps its certificate. Requests in flight are finished.
   */
  reload(): Promise<void>
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
  const reportRedis = (event: string, works: boolean) => logger.report(redisNotice(event, works))
  const limits =
    rateLimitUrl === ''
      ? ownLimits(rule, part)
      : await sharedLimits(rule, rateLimitUrl, options.reportRedis ?? reportRedis, { part })
  let claimed: ClaimedSocket | undefined
  try {
    const address = () => reachableUrl({ ...config, port: listening.server().port ?? config.port })
    const handle = createHandler({ config, store, logger, limits, address, counters })
    const path = socketPath(config.host)
    if (path !== null) claimed = await (await import('./listening/unix-socket.ts')).claimSocket(path)
    const { report } = logger
    const listening = await startListening(config, path, { handle, report, reusePort, claimed })
    const endSampling = counters?.sample()
    if (!config.worker) setTimeout(() => void reportWork(store, logger), REPORT_MS).unref()
    return {
      url: path === null ? listening.server().url.origin : config.host,
      reload: listening.reload,
      stop: async () => {
        await listening.stop(graceMs)
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
