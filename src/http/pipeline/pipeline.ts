import type { Address, Cidr } from '../../domain/ip-address.ts'
import { isProbe, isPublic, isRoutable, KEYED_PREFIX, targetOf } from '../paths.ts'
import { send } from '../responses/cached-response.ts'
import { errorResponse, noSuchRoute, unauthorized } from '../responses/errors.ts'
import type { HeaderFields } from '../responses/json.ts'
import type { Responder } from '../responses/responder.ts'
import type { Auth } from './auth.ts'
import { clientAddress } from './client.ts'
import type { Gate } from './gate.ts'
import { isHost } from './host.ts'
import type { Rate } from './limits/limiter.ts'
import type { Limits } from './limits/limits.ts'

/** Handles a request. `peer` gives the address of the other end of the connection, where it is known. */
export type Handler = (request: Request, peer: Peer) => Answer

/** A promise only where something has to be waited for: Bun drops requests that are pipelined behind one. */
type Answer = Response | Promise<Response>

/** Called only where it is needed: it takes Bun a microsecond. */
export type Peer = () => string | undefined

export interface PipelineParts {
  gate: Gate | null
  limits: Pick<Limits, 'requests' | 'failedLogins'>
  trustedProxies: readonly Cidr[]
  auth: Auth
  responder: Responder
  /** The headers of every public response. */
  publicHeaders: HeaderFields
  /** The routes. They get only what has passed the pipeline: as GET, with a normalized URL. */
  app: (request: Request) => Answer
}

/** No response depends on the `Host` header, so the routes do not get it. */
const ORIGIN = 'http://changelogd.internal'

const CORS_PERMISSIONS: HeaderFields = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

/**
 * What every request passes, in this order: the check of its `Host`; the gate; on public routes the limiter; the
 * cache; and if the response is not cached, the routes.
 */
export function createPipeline(parts: PipelineParts): Handler {
  const { gate, limits, trustedProxies, auth, responder, publicHeaders, app } = parts
  const { requests, failedLogins } = limits
  const preflightHeaders = { ...publicHeaders, ...CORS_PERMISSIONS }
  /** The last `Host` that was allowed: almost all requests have the same. */
  let knownHost: string | null = null

  return (request, peer) => {
    const host = request.headers.get('host')
    if (host !== knownHost) {
      if (host !== null && !isHost(host)) return badHost()
      knownHost = host
    }
    const target = targetOf(request.url)
    if (isProbe(target)) return isRead(request) ? route(request, target, null) : notAllowed()
    if (gate) return passGate(gate, request, target, clientOf(request, peer))
    if (isPublic(target)) return limit(request, target, clientOf(request, peer))
    return readKeyed(request, target, request.headers.get('authorization'))
  }

  /**
   * What comes after the gate; or the error response, which costs a public request, except to a preflight. A wrong password is charged in the
   * step that tells whether the client is blocked: so guesses that come at once are counted one by one, and to a
   * blocked client the right one is like any other.
   */
  function passGate(gate: Gate, request: Request, target: string, client: Address): Answer {
    const { admitted, attempted, authorization } = gate(request.headers)
    const logins = attempted && !admitted ? failedLogins.take(client) : failedLogins.check(client)
    return after(logins, (rate) => {
      if (!rate.allowed) return tooMany(rate)
      if (!admitted)
        return isPreflight(request) ? siteUnauthorized() : after(requests.take(client), notAdmitted)
      return isPublic(target) ? limit(request, target, client) : readKeyed(request, target, authorization)
    })
  }

  function notAdmitted(rate: Rate): Response {
    if (!rate.allowed) return tooMany(rate)
    return withHeaders(siteUnauthorized(), rateHeaders(rate))
  }

  /** A preflight costs nothing, as browsers send it before the request that counts. They never send it a password. */
  function limit(request: Request, target: string, client: Address): Answer {
    if (!isRead(request) && isPreflight(request))
      return new Response(null, { status: 204, headers: preflightHeaders })
    const rate = requests.take(client)
    return rate instanceof Promise
      ? respondLater(request, target, rate)
      : respondPublic(request, target, rate)
  }

  async function respondLater(request: Request, target: string, rate: Promise<Rate>): Promise<Response> {
    return respondPublic(request, target, await rate)
  }

  function respondPublic(request: Request, target: string, rate: Rate): Answer {
    const isReading = isRead(request)
    if (!rate.allowed) return withHeaders(tooMany(rate), publicHeaders)
    if (isReading) {
      const cached = responder.cachedResponse('public', target, request.headers)
      if (cached) return send(cached, request.headers, rateText(rate))
    }
    const headers = { ...publicHeaders, ratelimit: rateText(rate) }
    if (isReading) return route(request, target, null).then((response) => withHeaders(response, headers))
    if (request.method !== 'OPTIONS') return withHeaders(notAllowed(', OPTIONS'), headers)
    return new Response(null, { status: 204, headers: { ...preflightHeaders, ...headers } })
  }

  /**
   * A cached response is sent without `authorize`. It needs none: the cache key names the API key and the target,
   * only the routes add entries, and they do so after `authorize` has passed for that key and that target. A change
   * of the data, such as detaching a product, drops every entry. See `cacheKey` in `responses/responder.ts`.
   */
  function readKeyed(request: Request, target: string, authorization: string | null): Answer {
    if (!isRead(request)) return notAllowed()
    const grant = target.startsWith(KEYED_PREFIX) ? auth.cachedGrant(authorization) : null
    const cached = grant && responder.cachedResponse(grant, target, request.headers)
    return cached ? send(cached, request.headers) : route(request, target, authorization)
  }

  /** Passes the request on to the routes. A URL that is not normalized, or not of a known kind, is not found. */
  async function route(request: Request, target: string, authorization: string | null): Promise<Response> {
    const headers = new Headers()
    for (const name of ['accept-encoding', 'if-none-match']) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    if (authorization !== null) headers.set('authorization', authorization)
    const clean = new Request(ORIGIN + target, { headers })
    // The checks above went by this text, so the routes must go by the same one.
    if (clean.url !== ORIGIN + target || !isRoutable(target)) return noSuchRoute()
    return app(clean)
  }

  function clientOf(request: Request, peer: Peer): Address {
    return clientAddress(peer(), request.headers, trustedProxies)
  }

  function rateHeaders(rate: Rate): HeaderFields {
    return { 'ratelimit-policy': requests.policy, ratelimit: rateText(rate) }
  }

  function tooMany(rate: Rate): Response {
    const wait = rate.retryAfter === 1 ? '1 second' : `${rate.retryAfter} seconds`
    return errorResponse('rate_limited', `Too many requests from this address: try again in ${wait}.`, {
      ...rateHeaders(rate),
      'retry-after': String(rate.retryAfter),
    })
  }
}

/** What follows from a value, at once if it is there. */
const after = <Value>(value: Value | Promise<Value>, next: (value: Value) => Answer): Answer =>
  value instanceof Promise ? value.then(next) : next(value)

const rateText = ({ remaining, reset }: Rate): string => `"public";r=${remaining};t=${reset}`

const isRead = (request: Request): boolean => request.method === 'GET' || request.method === 'HEAD'

/** Whether a browser asks if it may send a request. */
const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method')

const siteUnauthorized = (): Response =>
  unauthorized('Basic', 'This site requires a user name and a password.')

const badHost = (): Response =>
  errorResponse(
    'bad_request',
    'The Host header must name one host: a name or an address, and a port if need be.',
  )

const notAllowed = (more = ''): Response =>
  errorResponse('method_not_allowed', 'This API is read-only: use GET or HEAD.', {
    allow: `GET, HEAD${more}`,
  })

function withHeaders(response: Response, headers: HeaderFields): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
