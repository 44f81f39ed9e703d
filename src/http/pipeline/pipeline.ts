import type { Address, Cidr } from '../../domain/address.ts'
import { errorResponse, noSuchRoute, unauthorized } from '../responses/errors.ts'
import { type Answers, targetOf } from '../responses/responder.ts'
import { type HeaderFields, send } from '../responses/responses.ts'
import type { Auth } from './auth.ts'
import { clientAddress } from './client.ts'
import type { Gate, Passage } from './gate.ts'
import type { Limiter, Rate } from './limiter.ts'

/** Handles a request. `peer` tells the address of the other end of the connection, where it can be had. */
export type Handler = (request: Request, peer: Peer) => Response | Promise<Response>

/** Asked only where it is needed: Bun takes a microsecond to tell. */
export type Peer = () => string | undefined

export interface DoorParts {
  gate: Gate | null
  /** The buckets of public requests. */
  limiter: Limiter
  /** The buckets of wrong passwords: whoever has emptied his is not heard at the gate. */
  guesses: Limiter
  trustedProxies: readonly Cidr[]
  auth: Auth
  answers: Answers
  /** What every answer of the public surface says. */
  publicHeadings: HeaderFields
  /** The routes. They see only what the door lets through: as GET, to an address in normal form. */
  app: (request: Request) => Response | Promise<Response>
}

const HEALTH = '/healthz'
const OPENAPI = '/openapi.json'
const PUBLIC = '/api/v1/public/'
const KEYED = '/api/v1/teams/'

/** No answer depends on what the client calls this host, so the routes are not told. */
const ORIGIN = 'http://changelogd.internal'

const PREFLIGHT: HeaderFields = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
}

/**
 * The way every request comes in: the gate; for public routes the limiter; the answer, if it is remembered;
 * else the routes.
 */
export function createDoor(parts: DoorParts): Handler {
  const { gate, limiter, guesses, trustedProxies, auth, answers, publicHeadings, app } = parts

  return (request, peer) => {
    const target = targetOf(request.url)
    if (target === HEALTH || target.startsWith(`${HEALTH}?`))
      return isRead(request) ? route(request, target, null) : notAllowed()
    const passage = gate && guard(gate, request, peer)
    if (passage instanceof Response) return passage
    if (target.startsWith(PUBLIC)) return readPublic(request, target, clientOf(request, peer))
    if (!isRead(request)) return notAllowed()
    const authorization = passage ? passage.authorization : request.headers.get('authorization')
    return readKeyed(request, target, authorization)
  }

  /** Passes the gate, or gives the refusal, which costs a public request. */
  function guard(gate: Gate, request: Request, peer: Peer): Passage | Response {
    const client = clientOf(request, peer)
    if (guesses.isEmpty(client)) return tooMany(guesses.take(client))
    const passage = gate(request.headers)
    if (passage.admitted) return passage
    if (passage.attempted) guesses.take(client)
    const rate = limiter.take(client)
    if (!rate.allowed) return tooMany(rate)
    return withHeadings(
      unauthorized('Basic', 'This site asks for a user name and a password.'),
      rateHeadings(rate),
    )
  }

  function readPublic(request: Request, target: string, client: Address): Response | Promise<Response> {
    const rate = limiter.take(client)
    if (!rate.allowed) return withHeadings(tooMany(rate), publicHeadings)
    if (isRead(request)) {
      const answer = answers.recall('public', target, request.headers)
      if (answer) return send(answer, request.headers, rateText(rate))
    }
    const headings = { ...publicHeadings, ratelimit: rateText(rate) }
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { ...headings, ...PREFLIGHT } })
    if (!isRead(request)) return withHeadings(notAllowed(', OPTIONS'), headings)
    return route(request, target, null).then((response) => withHeadings(response, headings))
  }

  function readKeyed(
    request: Request,
    target: string,
    authorization: string | null,
  ): Response | Promise<Response> {
    const grant = target.startsWith(KEYED) ? auth.recall(authorization) : null
    const answer = grant && answers.recall(grant, target, request.headers)
    return answer ? send(answer, request.headers) : route(request, target, authorization)
  }

  /** Asks the routes. An address that is not in normal form, or of none of their kinds, is not theirs. */
  async function route(request: Request, target: string, authorization: string | null): Promise<Response> {
    const headers = new Headers()
    for (const name of ['accept-encoding', 'if-none-match']) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    if (authorization !== null) headers.set('authorization', authorization)
    const clean = new Request(ORIGIN + target, { headers })
    // The surface was chosen by this text: the routes must not choose by another.
    if (clean.url !== ORIGIN + target || !isRoutable(target)) return noSuchRoute()
    return app(clean)
  }

  function clientOf(request: Request, peer: Peer): Address {
    return clientAddress(peer(), request.headers, trustedProxies)
  }

  function rateHeadings(rate: Rate): HeaderFields {
    return { 'ratelimit-policy': limiter.policy, ratelimit: rateText(rate) }
  }

  function tooMany(rate: Rate): Response {
    const wait = rate.retryAfter === 1 ? '1 second' : `${rate.retryAfter} seconds`
    return errorResponse('rate_limited', `Too many requests from this address: try again in ${wait}.`, {
      ...rateHeadings(rate),
      'retry-after': String(rate.retryAfter),
    })
  }
}

const rateText = ({ remaining, reset }: Rate): string => `"public";r=${remaining};t=${reset}`

const isRead = (request: Request): boolean => request.method === 'GET' || request.method === 'HEAD'

const isRoutable = (target: string): boolean =>
  target.startsWith(PUBLIC) ||
  target.startsWith(KEYED) ||
  target.startsWith(HEALTH) ||
  target.startsWith(OPENAPI)

const notAllowed = (more = ''): Response =>
  errorResponse('method_not_allowed', 'This server only reads: use GET or HEAD.', {
    allow: `GET, HEAD${more}`,
  })

function withHeadings(response: Response, headings: HeaderFields): Response {
  for (const [name, value] of Object.entries(headings)) response.headers.set(name, value)
  return response
}
