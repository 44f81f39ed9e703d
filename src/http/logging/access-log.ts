import type { Config } from '../../config/config.ts'
import { type Address, addressText } from '../../domain/addresses/ip-address.ts'
import { jsonLine } from '../../log/report.ts'
import { clientAddress, isTrustedPeer } from '../request/client.ts'
import { type Handler, whenReady } from '../request/context.ts'
import { withHeaders } from '../request/json-response.ts'
import { Trace } from '../request/trace.ts'
import { targetOf } from '../target.ts'
import type { Mask } from './mask.ts'

/** Proxies name requests in this header, so that logs can be compared. */
const REQUEST_ID = 'x-request-id'
const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/

interface AccessLog extends Pick<Config, 'logRequests' | 'trustedProxies'> {
  mask: Mask
  write(line: string): void
}

/**
 * Writes a JSON line for each request or error, masked. Every response has the id of its request, as its line; without a log, only
 * if a trusted proxy gave it one.
 */
export function withAccessLog(
  handler: Handler,
  { logRequests, trustedProxies, mask, write }: AccessLog,
): Handler {
  const maskedHeader = (request: Request, name: string): string | undefined => {
    const value = request.headers.get(name)
    return value === null ? undefined : mask(value)
  }
  /** The id that a trusted proxy gave a request. Ignored with a secret in it, because it would be logged. */
  const givenId = (request: Request, peer: string | undefined): string | null => {
    if (trustedProxies.length === 0) return null
    const id = request.headers.get(REQUEST_ID)
    const isGiven =
      id !== null && WELL_FORMED.test(id) && mask(id) === id && isTrustedPeer(peer, trustedProxies)
    return isGiven ? id : null
  }
  const withId = (response: Response, id: string): Response => withHeaders(response, { [REQUEST_ID]: id })
  return (request, peer) => {
    if (logRequests === 'off' && !request.headers.has(REQUEST_ID)) return handler(request, peer)
    const start = performance.now()
    // Asked first: after the response the address is unknown.
    const known = peer()
    const address = known?.address
    const id = givenId(request, address) ?? (logRequests === 'off' ? null : crypto.randomUUID())
    if (id === null) return handler(request, () => known)
    const trace = new Trace()
    const finish = (response: Response): Response | Promise<Response> => {
      const { status } = response
      if (logRequests === 'off' || (logRequests === 'errors' && status < 400)) return withId(response, id)
      const bytes = knownBytes(request, response, trace)
      if (bytes === null) return measured(response).then(({ whole, size }) => written(whole, size))
      return written(response, bytes)
    }
    const written = (response: Response, bytes: number): Response => {
      const { status } = response
      const line = {
        requestId: id,
        client: clientText(clientAddress(address, request.headers, trustedProxies)),
        method: request.method,
        path: mask(pathOf(request)),
        status,
        bytes,
        ms: Math.round((performance.now() - start) * 1000) / 1000,
        cache: trace.cache,
        peer: address ?? null,
        forwardedFor: maskedHeader(request, 'x-forwarded-for'),
        userAgent: maskedHeader(request, 'user-agent'),
      }
      write(jsonLine(Date.now(), status >= 500 ? 'error' : 'info', 'request', line))
      return withId(response, id)
    }
    return whenReady(
      handler(request, () => known, trace),
      finish,
    )
  }
}

const pathOf = ({ url }: Request): string => targetOf(url).split(/[?#]/, 1)[0] ?? ''

/** Null for clients with an unknown address. */
const clientText = (client: Address): string | null =>
  client.every((word) => word === 0) ? null : addressText(client)

/** The size of the body, if it is known without reading it. */
function knownBytes(request: Request, { status }: Response, trace: Trace): number | null {
  if (request.method === 'HEAD' || status === 204 || status === 304) return 0
  return trace.bytes
}

async function measured(response: Response): Promise<{ whole: Response; size: number }> {
  const blob = await response.blob()
  return { whole: new Response(blob, response), size: blob.size }
}
