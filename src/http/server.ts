import type { Config } from '../config.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Store } from '../store/port.ts'
import { openForServing } from '../store/sqlite/serve.ts'
import { createApp } from './app.ts'
import { logging } from './pipeline/access-log.ts'
import { createAuth } from './pipeline/auth.ts'
import { createFresh } from './pipeline/cache.ts'
import { createGate } from './pipeline/gate.ts'
import { Limiter } from './pipeline/limiter.ts'
import { createDoor, type Handler } from './pipeline/pipeline.ts'
import { internalError } from './responses/errors.ts'
import { createAnswers } from './responses/responder.ts'

/** Where the server's words go. */
export interface Voice {
  /** A line of the access log. */
  log(line: string): void
  /** A fault, for whoever runs the server. */
  report(fault: unknown): void
}

export interface RunningServer {
  /** The address it answers at, with the port it was given if it asked for any. */
  url: string
  /** Takes no more connections, finishes what is in flight, and lets go of the store. */
  stop(): Promise<void>
}

/** How long a request in flight may take before the server stops without it. */
const GRACE_MS = 10_000

/**
 * Opens the store and serves it. Throws a `Refusal` if the store cannot be opened or the address cannot be
 * listened on.
 */
export function startServer(config: Config, voice: Voice, graceMs = GRACE_MS): RunningServer {
  const store = openForServing(config.database)
  try {
    const handle = createHandler(config, store, voice)
    const server = Bun.serve({
      hostname: config.host,
      port: config.port,
      // Otherwise a second server would share the port, and every limit would count twice.
      reusePort: false,
      development: false,
      // No body is ever read; one that is announced is no reason not to answer.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: (request, server) => {
        const response = handle(request, () => server.requestIP(request)?.address)
        return request.method === 'HEAD' ? withDate(response) : response
      },
      error: (fault) => {
        voice.report(fault)
        return internalError()
      },
    })
    return {
      url: server.url.origin,
      stop: async () => {
        const finished = server.stop()
        await Promise.race([finished, idle(server), Bun.sleep(graceMs)])
        await server.stop(true)
        store.close()
      },
    }
  } catch (error) {
    store.close()
    throw cannotListen(config, error)
  }
}

/** Everything between a request and its answer, over this store. */
export function createHandler(config: Config, store: Store, voice: Voice): Handler {
  const fresh = createFresh(() => store.revision())
  const auth = createAuth(store, fresh, Date.now)
  const limiter = new Limiter(config.rateLimit, () => performance.now())
  const publicHeadings = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
    'ratelimit-policy': limiter.policy,
  }
  const { publicMaxAge, cacheMaxBytes, gate, trustedProxies } = config
  const gated = gate !== null
  const answers = createAnswers(store, fresh, { publicMaxAge, cacheMaxBytes, gated, publicHeadings })
  const app = createApp({ store, auth, answers, report: voice.report })
  const door = createDoor({
    gate: gate && createGate(gate),
    limiter,
    guesses: new Limiter(config.rateLimit, () => performance.now()),
    trustedProxies,
    auth,
    answers,
    publicHeadings,
    app: app.fetch,
  })
  return config.logRequests ? logging(door, Date.now, voice.log) : door
}

/** Bun dates every answer but those to HEAD. */
async function withDate(answer: Response | Promise<Response>): Promise<Response> {
  const response = await answer
  response.headers.set('date', new Date().toUTCString())
  return response
}

/** Resolves when no request is in flight; connections that only wait for one do not count. */
async function idle(server: { pendingRequests: number }): Promise<void> {
  while (server.pendingRequests > 0) await Bun.sleep(5)
}

function cannotListen({ host, port }: Config, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const reason =
    error.code === 'EADDRINUSE'
      ? // Bun says the same of a host that is not one of this machine's.
        'another program is using that port, or the host is not this machine. Choose another with --port or --host'
      : error.message
  return new Refusal(`Cannot listen on ${host}:${port}: ${reason}.`, { cause: error })
}
