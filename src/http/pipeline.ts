import type { Cidr } from '../domain/addresses/ip-address.ts'
import { send } from './answers/cached-response.ts'
import type { Responder } from './answers/responder.ts'
import type { Routed } from './app.ts'
import { type Rate, rateHeaders, rateText } from './limits/limiter.ts'
import type { Limits } from './limits/limits.ts'
import type { Mcp } from './mcp/endpoint.ts'
import type { Counters } from './metrics/counters.ts'
import type { ErrorForm } from './pages/errors.ts'
import { prefersMarkdown } from './request/accept.ts'
import type { Auth } from './request/auth.ts'
import { clientAddress } from './request/client.ts'
import { type Answer, type Context, type Handler, type Peer, whenReady } from './request/context.ts'
import {
  badHost,
  errorResponse,
  noSuchRoute,
  notAllowed,
  notFoundResponse,
  type Refuse,
  siteUnauthorized,
  tooMany,
} from './request/errors.ts'
import type { Gate } from './request/gate.ts'
import { isHost } from './request/host.ts'
import { type HeaderFields, NO_SNIFFING, withHeaders } from './request/json-response.ts'
import type { Surface, Trace } from './request/trace.ts'
import { type Match, type Matcher, paramsOf } from './routes.ts'
import { pathOf, reducedTarget, targetOf } from './target.ts'

interface PipelineParts {
  gate: Gate | null
  limits: Pick<Limits, 'requests' | 'failedLogins'>
  counters: Counters | null
  trustedProxies: readonly Cidr[]
  auth: Auth
  responder: Responder
  /** Null if there are no pages. */
  pages: PageParts | null
  /** Null if it is off. */
  mcp: Mcp | null
  match: Matcher
  /** The routes get only requests that passed the pipeline. */
  routes: () => (routed: Routed) => Answer
}

/** Builds errors as pages. That of the gate is for browsers that did not pass it. */
type PageParts = Readonly<Record<ErrorForm, Refuse>>

/** A request and its context. */
interface PipelineContext extends Context {
  readonly request: Request
  readonly match: Match
  readonly surface: Surface
  /** Common headers of public responses. Null if the limiter does not count the surface. */
  readonly headers: HeaderFields | null
}

/** A picture costs a tenth of a request, because one page may show many. */
const PICTURE_TOKENS = 0.1

const API = /^\/api(?:\/|$)/

/** No response depends on other headers, so the routes do not get them. */
const NO_HEADERS = new Headers()

/**
 * Every request passes the check of its `Host`. Probes then go to their routes. All others pass the gate and, if public, the
 * limiter. Requests to `/mcp` then go to its endpoint, and the rest passes the cache, and on a miss goes to the routes.
 */
export function createPipeline({
  gate,
  limits,
  counters,
  trustedProxies,
  auth,
  responder,
  pages,
  mcp,
  match,
  routes,
}: PipelineParts): Handler {
  const { requests } = limits
  const { everyPublic, everyPage } = responder.headers
  const ofPages = pages && everyPage
  /** For surfaces that the limiter counts. */
  const headersOf: Partial<Record<Surface, HeaderFields | null>> = {
    public: everyPublic,
    docs: everyPublic,
    pages: ofPages,
    feeds: ofPages,
    // The API names them too, so they are there without pages.
    pictures: everyPublic,
  }
  /** The last valid `Host`: almost all requests have the same. */
  let knownHost: string | null = null
  /** The last address: many requests in a row have the same. Its target is without unknown parameters. */
  let last: { url: string; target: string; match: Match } | undefined
  const preflightHeaders = {
    ...everyPublic,
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': '*',
    'access-control-max-age': '86400',
    ...NO_SNIFFING,
  }

  return (request, peer, trace) => {
    const host = request.headers.get('host')
    if (host !== knownHost) {
      if (host !== null && !isHost(host)) return badHost()
      knownHost = host
    }
    const context = contextFor(request, peer, trace)
    if (context.surface === 'probes') return isRead(request) ? route(context) : notAllowed()
    return gate ? passGate(gate, context) : admit(context, request.headers.get('authorization'))
  }

  function addressOf(url: string) {
    if (url === last?.url) return last
    const given = targetOf(url)
    const path = pathOf(given)
    const found = match(path)
    last = {
      url,
      match: found,
      target: path === given ? path : reducedTarget(given, found.route?.known ?? []),
    }
    return last
  }

  function contextFor(request: Request, peer: Peer, trace: Trace | undefined): PipelineContext {
    const { target, match } = addressOf(request.url)
    const { surface, isPage, isText } = match
    if (trace) trace.surface = surface
    const asMarkdown = isPage && prefersMarkdown(request.headers.get('accept'))
    const headers = headersOf[surface] ?? null
    const page = headers && pages?.[asMarkdown || isText ? 'markdown' : 'html']
    // A person who mistyped an address gets a page.
    const refuse = headers === everyPublic ? errorResponse : (page ?? pagesFor(target, request)?.html)
    return {
      request,
      target,
      match,
      asMarkdown,
      surface,
      headers,
      trace,
      refuse: refuse ?? errorResponse,
      address: () => clientAddress(peer()?.address, request.headers, trustedProxies),
    }
  }

  /** Null under the API prefix, where every response is JSON, and for clients other than browsers. */
  function pagesFor(target: string, { headers }: Request): PageParts | null {
    return API.test(target) || !headers.get('accept')?.includes('text/html') ? null : pages
  }

  /**
   * Continues after the gate, or responds with an error, which costs a public request. A wrong password is charged in
   * the same step that tells whether the client is blocked: parallel guesses are counted one by one, and for a blocked
   * client the right password is like any other.
   */
  function passGate(gate: Gate, context: PipelineContext): Answer {
    const { request } = context
    const forPerson = () => pagesFor(context.target, request)
    const address = context.address()
    const { admitted, attempted, authorization } = gate(request.headers)
    const { failedLogins } = limits
    const isFailed = attempted && !admitted
    if (isFailed) counters?.add('failedLogins')
    return whenReady(isFailed ? failedLogins.take(address) : failedLogins.check(address), (rate) => {
      if (!rate.allowed) return limited('limitedLogins', rate, forPerson()?.gate)
      if (admitted) return admit(context, authorization)
      if (isPreflight(request)) return siteUnauthorized()
      return whenReady(requests.take(address), (rate) =>
        rate.allowed
          ? withHeaders(siteUnauthorized(forPerson()?.gate), rateHeaders(rate, requests))
          : limited('limitedRequests', rate, forPerson()?.html),
      )
    })
  }

  function admit(context: PipelineContext, authorization: string | null): Answer {
    if (context.headers) return limit(context, context.headers)
    if (mcp && context.surface === 'mcp') return askMcp(mcp, context, authorization)
    return readKeyed(context, authorization)
  }

  /** Preflights are free: browsers send them, without a password, before the request that counts. */
  function limit(context: PipelineContext, common: HeaderFields): Answer {
    const { request } = context
    if (isPreflight(request)) return new Response(null, { status: 204, headers: preflightHeaders })
    const tokens = context.surface === 'pictures' ? PICTURE_TOKENS : 1
    return whenReady(requests.take(context.address(), tokens), (rate) => respondPublic(context, common, rate))
  }

  function respondPublic(context: PipelineContext, common: HeaderFields, rate: Rate): Answer {
    const { request, target, trace, refuse } = context
    if (!rate.allowed) return withHeaders(limited('limitedRequests', rate, refuse), common)
    const ratelimit = rateText(rate)
    const cached = isRead(request) && responder.cachedResponse('public', context)
    if (cached) {
      trace?.hit(cached.body)
      return send(cached, request.headers, ratelimit)
    }
    const headers = { ...common, ratelimit }
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { ...preflightHeaders, ...headers } })
    if (!isRead(request)) return withHeaders(notAllowed(refuse, ', OPTIONS'), headers)
    if (responder.isNotFound(target)) {
      trace?.hit(null)
      return common === everyPublic ? responder.apiNotFound(ratelimit) : notFoundResponse(refuse, headers)
    }
    return route(context).then((response) => {
      if (context.surface !== 'docs') trace?.missed(response)
      // What the responder sends has the others.
      return withHeaders(response, response.headers.has('ratelimit-policy') ? { ratelimit } : headers)
    })
  }

  function limited(by: 'limitedRequests' | 'limitedLogins', rate: Rate, refuse?: Refuse): Response {
    counters?.add(by)
    return tooMany(rate, requests, refuse)
  }

  /** Without a key it is a public request, and costs as much. Preflights are free. */
  function askMcp(mcp: Mcp, context: PipelineContext, authorization: string | null): Answer {
    if (authorization !== null || isPreflight(context.request)) return mcp(context, authorization)
    return whenReady(requests.take(context.address()), (rate) =>
      rate.allowed
        ? mcp(context, null).then((response) => withHeaders(response, rateHeaders(rate, requests)))
        : limited('limitedRequests', rate),
    )
  }

  /**
   * Sends a cached response without `authorize`: the cache key names the API key and the target, and only the routes
   * add entries or renew them, after `authorize` has passed for both. After a change of the data, such as detaching a
   * product, no entry is as good as new. See `keyOf` in `answers/responder.ts`.
   */
  function readKeyed(context: PipelineContext, authorization: string | null): Answer {
    const { request, trace } = context
    if (!isRead(request)) return notAllowed()
    const isKeyed = context.surface === 'keyed'
    const grant = isKeyed ? auth.cachedGrant(authorization) : null
    const cached = grant && responder.cachedResponse(grant, context)
    if (cached) {
      trace?.hit(cached.body)
      return send(cached, request.headers)
    }
    const headers = authorization === null ? NO_HEADERS : new Headers({ authorization })
    return route(context, headers).then((response) => {
      if (isKeyed) trace?.missed(response)
      return response
    })
  }

  /** Passes the request on to its route, if there is one. */
  async function route(context: PipelineContext, headers = NO_HEADERS): Promise<Response> {
    const { match, surface, refuse } = context
    const isOff = !pages && (surface === 'pages' || surface === 'feeds')
    if (!match.route?.respond || isOff) return noSuchRoute(refuse)
    return routes()({ route: match.route, params: paramsOf(match), context, headers })
  }
}

const isRead = (request: Request): boolean => request.method === 'GET' || request.method === 'HEAD'

const isPreflight = (request: Request): boolean =>
  request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
