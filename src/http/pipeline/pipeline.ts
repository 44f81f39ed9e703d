import type { Address, Cidr } from '../../domain/addresses/ip-address.ts'
import {
  createNotFound,
  errorResponse,
  noSuchRoute,
  notFoundResponse,
  type Refuse,
  unauthorized,
} from '../errors.ts'
import { type HeaderFields, NO_SNIFFING } from '../json-response.ts'
import type { Mcp } from '../mcp/endpoint.ts'
import type { Reduce } from '../parameters.ts'
import type { PlainReads } from '../plain-reads.ts'
import { send } from '../responses/cached-response.ts'
import { type Asking, CLIENT_HEADER, CONNECTION_HEADER } from '../responses/respond.ts'
import type { Responder } from '../responses/responder.ts'
import { asMarkdown, isText, type Surface, surfaceOf } from '../routes.ts'
import { whenReady } from '../when-ready.ts'
import { prefersMarkdown } from './accept.ts'
import { createAsked } from './asked.ts'
import type { Auth } from './auth.ts'
import { clientAddress } from './client.ts'
import type { Gate } from './gate.ts'
import { isHost } from './host.ts'
import { nameOf, type Rate } from './limits/limiter.ts'
import type { Limits } from './limits/limits.ts'
import type { Trace } from './trace.ts'

/** Handles a request. `trace` records what happened, for the access log and metrics. */
export type Handler = (request: Request, peer: Peer, trace?: Trace) => Answer

/** A promise only if it must wait: Bun drops requests that are pipelined behind one. */
type Answer = Response | Promise<Response>

/** The other end of the connection. Called only if needed: it takes Bun a microsecond. */
export type Peer = () => { address: string; port: number } | undefined

export interface PipelineParts {
  gate: Gate | null
  limits: Pick<Limits, 'requests' | 'failedLogins'>
  trustedProxies: readonly Cidr[]
  auth: Auth
  responder: Responder
  /** For all public responses of the API. */
  publicHeaders: HeaderFields
  /** Null if there are no pages. */
  pages: PageStyles | null
  /** Null if it is off. */
  mcp: Mcp | null
  /** Everything after it uses the reduced target. */
  reduce: Reduce
  /** Null for what the routes must handle. */
  readPlain: PlainReads
  /** The routes get only requests that passed the pipeline: as GET, with a normalized URL. */
  app: (request: Request) => Answer
}

/** Form of errors and common headers of public responses. */
export interface ResponseStyle {
  refuse: Refuse
  headers: HeaderFields
}

export interface PageStyles {
  html: ResponseStyle
  markdown: ResponseStyle
}

/** No response depends on the `Host` header, so the routes do not get it. */
const ORIGIN = 'http://changelogd.internal'

const CORS_PERMISSIONS: HeaderFields = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

/**
 * Every request passes the check of its `Host`, the gate, if public the limiter, the cache, and on a miss the routes.
 */
export function createPipeline(parts: PipelineParts): Handler {
  const { gate, limits, trustedProxies, auth, responder, publicHeaders, pages, mcp, reduce, readPlain, app } =
    parts
  const { requests } = limits
  const askedBy = createAsked(reduce)
  const api: ResponseStyle = { refuse: errorResponse, headers: publicHeaders }
  const apiNotFound = createNotFound(publicHeaders)
  /** For surfaces that the limiter counts. */
  const styles: Partial<Record<Surface, ResponseStyle | null>> = {
    public: api,
    docs: api,
    pages: pages?.html ?? null,
    feeds: pages?.html ?? null,
  }
  const styleOf = (surface: Surface, target: string) =>
    pages && isText(target, surface) ? pages.markdown : styles[surface]
  const preflightHeaders = { ...publicHeaders, ...CORS_PERMISSIONS, ...NO_SNIFFING }
  /** The last valid `Host`: almost all requests have the same. */
  let knownHost: string | null = null
  let unknownConnections = 65_536

  return (request, peer, trace) => {
    const host = request.headers.get('host')
    if (host !== knownHost) {
      if (host !== null && !isHost(host)) return badHost()
      knownHost = host
    }
    const asked = askedBy(request.url)
    if (trace) trace.target = asked.target
    const { reduced, surface } = asked
    const isPreferred = surface === 'pages' && prefersMarkdown(request.headers.get('accept'))
    const target = isPreferred ? asMarkdown(reduced) : reduced
    if (surface === 'probes')
      return isRead(request) ? route(request, target, {}, errorResponse, peer) : notAllowed()
    if (gate) return passGate(gate, request, target, peer, trace)
    const style = styleOf(surface, target)
    if (style) return limit(request, target, clientOf(request, peer), style, peer, trace)
    const authorization = request.headers.get('authorization')
    if (mcp && surface === 'mcp') return askMcp(mcp, request, clientOf(request, peer), authorization, peer)
    return readKeyed(request, target, authorization, peer, trace)
  }

  /**
   * Continues after the gate, or responds with an error, which costs a public request. A wrong password is charged in
   * the same step that tells whether the client is blocked: parallel guesses are counted one by one, and for a blocked
   * client the right password is like any other.
   */
  function passGate(gate: Gate, request: Request, target: string, peer: Peer, trace?: Trace): Answer {
    const client = clientOf(request, peer)
    const { admitted, attempted, authorization } = gate(request.headers)
    const { failedLogins } = limits
    const logins = attempted && !admitted ? failedLogins.take(client) : failedLogins.check(client)
    return whenReady(logins, (rate) => {
      if (!rate.allowed) return tooMany(rate)
      if (!admitted)
        return isPreflight(request) ? siteUnauthorized() : whenReady(requests.take(client), notAdmitted)
      const surface = surfaceOf(target)
      const style = styleOf(surface, target)
      if (style) return limit(request, target, client, style, peer, trace)
      if (mcp && surface === 'mcp') return askMcp(mcp, request, client, authorization, peer)
      return readKeyed(request, target, authorization, peer, trace)
    })
  }

  function notAdmitted(rate: Rate): Response {
    if (!rate.allowed) return tooMany(rate)
    return withHeaders(siteUnauthorized(), rateHeaders(rate))
  }

  /** Preflights are free: browsers send them, without a password, before the request that counts. */
  function limit(
    request: Request,
    target: string,
    client: Address,
    style: ResponseStyle,
    peer: Peer,
    trace?: Trace,
  ): Answer {
    if (!isRead(request) && isPreflight(request))
      return new Response(null, { status: 204, headers: preflightHeaders })
    return whenReady(requests.take(client), (rate) =>
      respondPublic(request, target, client, rate, style, peer, trace),
    )
  }

  function respondPublic(
    request: Request,
    target: string,
    client: Address,
    rate: Rate,
    style: ResponseStyle,
    peer: Peer,
    trace?: Trace,
  ): Answer {
    const { refuse, headers: common } = style
    const isReading = isRead(request)
    if (!rate.allowed) return withHeaders(tooMany(rate, refuse), common)
    if (isReading) {
      const cached = responder.cachedResponse('public', target, request.headers)
      if (cached) {
        trace?.hit(cached)
        return send(cached, request.headers, rateText(rate))
      }
    }
    const ratelimit = rateText(rate)
    const notFound = () =>
      style === api ? apiNotFound(ratelimit) : withHeaders(notFoundResponse(refuse), { ...common, ratelimit })
    if (isReading && responder.isNotFound(target)) {
      trace?.hit()
      return notFound()
    }
    const plain = isReading && readPlain(target, () => asking(request, target, client, peer), notFound)
    if (plain)
      return whenReady(plain, (response) => {
        trace?.missed(response)
        response.headers.set('ratelimit', ratelimit)
        // Others have the common ones.
        return response.status >= 500 ? withHeaders(response, common) : response
      })
    const headers = { ...common, ratelimit }
    if (isReading)
      return route(request, target, { [CLIENT_HEADER]: nameOf(client) }, refuse, peer).then((response) => {
        if (trace && surfaceOf(target) !== 'docs') trace.missed(response)
        return withHeaders(response, headers)
      })
    if (request.method !== 'OPTIONS') return withHeaders(notAllowed(refuse, ', OPTIONS'), headers)
    return new Response(null, { status: 204, headers: { ...preflightHeaders, ...headers } })
  }

  /** Without a key it is a public request, and costs as much. Preflights are free. */
  function askMcp(
    mcp: Mcp,
    request: Request,
    client: Address,
    authorization: string | null,
    peer: Peer,
  ): Answer {
    const own = { [CLIENT_HEADER]: nameOf(client), [CONNECTION_HEADER]: connectionOf(peer) }
    if (authorization !== null || isPreflight(request)) return mcp(request, authorization, own)
    return whenReady(requests.take(client), (rate) =>
      rate.allowed
        ? mcp(request, null, own).then((response) => withHeaders(response, rateHeaders(rate)))
        : tooMany(rate),
    )
  }

  /**
   * Sends a cached response without `authorize`: the cache key names the API key and the target, and only the routes
   * add entries, after `authorize` has passed for both. A change of the data, such as detaching a product, drops every
   * entry. See `cacheKey` in `responses/respond.ts`.
   */
  function readKeyed(
    request: Request,
    target: string,
    authorization: string | null,
    peer: Peer,
    trace?: Trace,
  ): Answer {
    if (!isRead(request)) return notAllowed()
    const isKeyed = surfaceOf(target) === 'keyed'
    const grant = isKeyed ? auth.cachedGrant(authorization) : null
    const cached = grant && responder.cachedResponse(grant, target, request.headers)
    if (cached) {
      trace?.hit(cached)
      return send(cached, request.headers)
    }
    // A person who mistyped an address gets a page.
    const refuse = pages && !isUnderApi(target) && acceptsPages(request) ? pages.html.refuse : errorResponse
    const response = route(request, target, authorization === null ? {} : { authorization }, refuse, peer)
    if (!trace || !isKeyed) return response
    return response.then((response) => {
      trace.missed(response)
      return response
    })
  }

  /** Passes the request on to the routes, with `own` headers. Dot segments and unknown kinds of paths are not found. */
  async function route(
    request: Request,
    target: string,
    own: HeaderFields,
    refuse: Refuse,
    peer: Peer,
  ): Promise<Response> {
    const headers = new Headers(own)
    headers.set(CONNECTION_HEADER, connectionOf(peer))
    for (const name of ['accept-encoding', 'if-none-match']) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    const clean = new Request(ORIGIN + target, { headers, signal: request.signal })
    // The checks above used this text, so the routes must use it too.
    if (clean.url !== ORIGIN + target || surfaceOf(target) === 'other') return noSuchRoute(refuse)
    return app(clean)
  }

  /** What the routes would get, without a `Request` for it. */
  function asking(request: Request, target: string, client: Address, peer: Peer): Asking {
    return {
      url: ORIGIN + target,
      headers: request.headers,
      // Bun creates it when it is first asked for.
      get signal() {
        return request.signal
      },
      client: nameOf(client),
      connection: connectionOf(peer),
    }
  }

  /** Where there is no port, as on a unix socket, none is pipelined. */
  function connectionOf(peer: Peer): string {
    return String(peer()?.port || ++unknownConnections)
  }

  function clientOf(request: Request, peer: Peer): Address {
    return clientAddress(peer()?.address, request.headers, trustedProxies)
  }

  function rateHeaders(rate: Rate): HeaderFields {
    return { 'ratelimit-policy': requests.policy, ratelimit: rateText(rate) }
  }

  function tooMany(rate: Rate, refuse: Refuse = errorResponse): Response {
    const wait = rate.retryAfter === 1 ? '1 second' : `${rate.retryAfter} seconds`
    return refuse('rate_limited', `Too many requests from this address: try again in ${wait}.`, {
      ...rateHeaders(rate),
      'retry-after': String(rate.retryAfter),
    })
  }
}

const rateText = ({ remaining, reset }: Rate): string => `"public";r=${remaining};t=${reset}`

const isRead = (request: Request): boolean => request.method === 'GET' || request.method === 'HEAD'

/** Whether a target is under the API prefix, where every response is JSON. */
const isUnderApi = (target: string): boolean => target === '/api' || target.startsWith('/api/')

const acceptsPages = (request: Request): boolean =>
  request.headers.get('accept')?.includes('text/html') ?? false

const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method')

const siteUnauthorized = (): Response =>
  unauthorized('Basic', 'This site requires a user name and a password.')

const badHost = (): Response =>
  errorResponse(
    'bad_request',
    'The Host header must name one host: a name or an address, and a port if need be.',
  )

const notAllowed = (refuse: Refuse = errorResponse, more = ''): Response =>
  refuse('method_not_allowed', 'This API is read-only: use GET or HEAD.', {
    allow: `GET, HEAD${more}`,
  })

function withHeaders(response: Response, headers: HeaderFields): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
