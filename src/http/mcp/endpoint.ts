import { inTime } from '../../domain/time/waiting.ts'
import type { Audience } from '../../store/store.ts'
import type { Auth } from '../request/auth.ts'
import type { Context } from '../request/context.ts'
import { ApiError, errorResponse, respondToError } from '../request/errors.ts'
import { type HeaderFields, NO_SNIFFING, withHeaders } from '../request/json-response.ts'
import type { McpParts, ServeMcp } from './server.ts'

/** Responds to a request for `/mcp` that passed the gate and, without a key, the limiter. */
export type Mcp = ReturnType<typeof createMcp>

interface McpContext extends Pick<Context, 'address'> {
  request: Request
}

interface EndpointParts extends McpParts {
  auth: Auth
  /** Origins of web pages that may use it. */
  origins: readonly string[]
}

/** Tools take names and numbers. */
const MAX_BODY_BYTES = 64 * 1024
/** For all of a body: no client needs longer for so little. */
const BODY_MS = 10_000

const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'

export function createMcp({ auth, origins, ...parts }: EndpointParts) {
  let loading: Promise<ServeMcp> | undefined
  /** Loaded with the first message: a server without agents starts as fast without it, and needs no memory for it. */
  const load = (): Promise<ServeMcp> => {
    loading ??= import('./server.ts').then(({ createServer }) => createServer(parts))
    return loading
  }

  /** A page of another site must not ask in the name of its visitors. */
  const isAllowed = (origin: string | null): boolean => origin === null || origins.includes(origin)

  const headersFor = (origin: string | null): HeaderFields =>
    origin === null
      ? { vary: 'Origin' }
      : { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }

  const preflight = (origin: string | null): Response =>
    new Response(null, {
      status: 204,
      headers: {
        ...headersFor(origin),
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': '*, Authorization',
        'access-control-max-age': '86400',
      },
    })

  const respond = async (
    { request, address }: McpContext,
    authorization: string | null,
  ): Promise<Response> => {
    if (request.method !== 'POST')
      return errorResponse('method_not_allowed', 'Send messages to this address with POST.', {
        allow: 'POST, OPTIONS',
      })
    const audience: Audience = authorization === null ? 'public' : await auth.authenticate(authorization)
    const body = await readBody(request)
    if (body === null) return rpcError(413, -32_600, `The message is larger than ${MAX_BODY_BYTES} bytes.`)
    const message = parsed(body)
    if (message === undefined) return rpcError(400, -32_700, 'The message is not JSON.')
    if (Array.isArray(message))
      return rpcError(400, -32_600, 'Send one message at a time. Batches are not supported.')
    const serve = await load()
    return serve(request, message, { audience, address, signal: request.signal })
  }

  /** Clients take turns. */
  return async (context: McpContext, authorization: string | null): Promise<Response> => {
    const { request } = context
    const origin = request.headers.get('origin')
    if (!isAllowed(origin))
      return errorResponse('forbidden', 'Pages of this origin are not allowed to use this address.')
    if (request.method === 'OPTIONS') return preflight(origin)
    const response = await respond(context, authorization).catch((error) =>
      respondToError(error, parts.report, errorResponse),
    )
    return withHeaders(response, { ...NO_SNIFFING, 'cache-control': 'no-store', ...headersFor(origin) })
  }
}

/** The body; null for one that is too long. Throws `bad_request` if it does not arrive in time. */
async function readBody(request: Request): Promise<string | null> {
  const stated = request.headers.get('content-length')
  if (Number(stated) > MAX_BODY_BYTES) return null
  // A body with a stated length has no more, and is faster as a whole.
  const body = stated === null ? readChunks(request) : request.text()
  return inTime(BODY_MS, body, () => new ApiError('bad_request', LATE))
}

async function readChunks({ body }: Request): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const LATE = 'The message did not arrive in time.'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const rpcError = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
