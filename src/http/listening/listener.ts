import type { Config } from '../../config/config.ts'
import { reasonOf } from '../../domain/errors.ts'
import { Notice } from '../../domain/notice.ts'
import { formatInstant } from '../../domain/time/time.ts'
import { pause } from '../../domain/time/waiting.ts'
import { createTurns } from '../../domain/turns.ts'
import { UNIX_PEER } from '../request/client.ts'
import { type Peer, whenReady } from '../request/context.ts'
import { internalError } from '../request/errors.ts'
import { withHeaders } from '../request/json-response.ts'
import type { ClaimedSocket } from './unix-socket.ts'

export interface ListenerOptions {
  handle(request: Request, peer: Peer): Response | Promise<Response>
  report(event: unknown): void
  /** Other threads listen on the same port. */
  reusePort: boolean
  claimed: ClaimedSocket | undefined
}

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

type Tls = { cert: string; key: string } | null

/** Listens as configured, with a certificate that can be replaced. */
export async function startListening(config: Config, path: string | null, options: ListenerOptions) {
  const { claimed, report } = options
  const certificates = config.tlsCert === '' ? null : await import('../../config/certificate.ts')
  let certificate = certificates?.readCertificate(config) ?? null
  const listen = (port: number, tls: Tls) => {
    const start = () => startOne({ ...config, port }, path, tls, options)
    return claimed ? claimed.listen(start) : start()
  }
  let current = listen(config.port, certificate)
  /** They finish their requests. */
  let replaced: (typeof current)[] = []
  let isStopping = false

  /** Bun cannot replace the certificate of a listener, so another listener takes its place. */
  const replace = async (): Promise<Notice> => {
    if (!certificates || !certificate) return reloaded('There is no certificate to reload.')
    const next = certificates.readCertificate(config)
    if (certificate.cert === next.cert && certificate.key === next.key)
      return reloaded('The certificate has not changed.')
    await current.leave()
    if (isStopping) return reloaded('The server is stopping.')
    const { port = config.port } = current.server
    void current.server.stop()
    replaced = [...replaced, current].filter(({ server }) => server.pendingRequests > 0)
    try {
      current = listen(port, next)
      certificate = next
    } catch (error) {
      current = listen(port, certificate)
      throw error
    }
    return reloaded(`Reloaded the certificate, which is valid until ${formatInstant(next.validTo)}.`)
  }

  const reloads = createTurns()
  return {
    server: () => current.server,
    reload: () => reloads(null, async () => report(await replace().catch(keptCertificate))),
    stop: async (graceMs: number) => {
      isStopping = true
      await current.leave()
      const servers = [...replaced, current].map(({ server }) => server)
      const finished = Promise.all(servers.map((server) => server.stop()))
      await Promise.race([finished, Promise.all(servers.map(idle)), pause(graceMs)])
      await Promise.all(servers.map((server) => server.stop(true)))
    },
  }
}

const reloaded = (message: string) => new Notice('reloaded', message)

const keptCertificate = (error: unknown) =>
  new Notice('reload_failed', `${reasonOf(error)} The old certificate stays in use.`, 'error')

function startOne(
  { host: hostname, port }: Config,
  path: string | null,
  tls: Tls,
  { handle, report, reusePort }: ListenerOptions,
) {
  let isLeaving = false
  let lastRequestAt = 0
  // Otherwise a second server could share the port, and every client would have two buckets.
  const place = path === null ? { hostname, port, reusePort, idleTimeout: IDLE_SECONDS } : { unix: path }
  const server = Bun.serve({
    ...place,
    ...(tls && { tls: { ...tls, ciphers: CIPHERS } }),
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
        isLeaving ? withHeaders(response, { connection: 'close' }) : response,
      )
    },
    error: (error) => {
      report(error)
      return internalError()
    },
  })
  const leave = async (): Promise<void> => {
    isLeaving = true
    const until = performance.now() + LEAVING_MS
    while (performance.now() < Math.min(until, lastRequestAt + QUIET_MS)) await pause(5)
  }
  return { server, leave }
}

const unixPeer = () => ({ address: UNIX_PEER, port: 0 })

/** Bun adds a `Date` to every response except those to HEAD. */
const withDate = async (response: Response | Promise<Response>): Promise<Response> =>
  withHeaders(await response, { date: new Date().toUTCString() })

/** Resolves when no request is in flight, even if connections are open. */
async function idle(server: { pendingRequests: number }): Promise<void> {
  while (server.pendingRequests > 0) await pause(5)
}
