import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import type { AnyElysia } from 'elysia'
import { API_PREFIX, PUBLIC_PREFIX } from '../paths.ts'
import { ERRORS } from '../responses/errors.ts'
import { DOCUMENTATION, OPERATIONS, type Operation } from './operations.ts'
import { ErrorEnvelope } from './response-schemas.ts'

/** What a header of an answer means, by its name. */
const HEADERS = {
  ETag: 'Names this answer; send it back as `If-None-Match`.',
  'Cache-Control': 'Who may keep the answer, and for how long.',
  Link: 'The address of the next page, with `rel="next"`; absent on the last one and without `limit`.',
  'RateLimit-Policy': 'The limit on public requests: how many (`q`) in how many seconds (`w`).',
  RateLimit: 'How many public requests are left (`r`), and in how many seconds all are back (`t`).',
  'Retry-After': 'In how many seconds to try again.',
  'WWW-Authenticate': 'The scheme of the credential that is missing.',
  Allow: 'The methods that are allowed.',
} as const

type HeaderName = keyof typeof HEADERS

/** The headers that come with a status beside those of its surface. */
const BY_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  '401': ['WWW-Authenticate'],
  '405': ['Allow'],
  '429': ['Retry-After'],
  '503': ['Retry-After'],
}

interface Reply {
  description: string
  content?: { 'application/json': { schema: object } }
  headers?: Record<string, { description: string; schema: { type: 'string' } }>
}

/** The OpenAPI document of an application: what its routes take by their own schemas, the rest by their names. */
export function describeApi(app: AnyElysia) {
  const { paths, components } = toOpenAPISchema(app)
  for (const [path, item] of Object.entries(paths)) {
    if (!item?.get) continue
    const { answer, errors, ...operation } = OPERATIONS[item.get.operationId as Operation]
    const replies: Record<string, Reply> = { '200': reply(answer) }
    for (const code of errors) replies[ERRORS[code].status] = reply(ErrorEnvelope(code))
    describeReplies(path, replies)
    Object.assign(item.get, operation, { responses: replies })
  }
  return {
    openapi: '3.1.2',
    ...DOCUMENTATION,
    paths,
    components: { ...DOCUMENTATION.components, ...components },
  }
}

const reply = (schema: { description?: string }): Reply => ({
  description: schema.description ?? '',
  content: { 'application/json': { schema } },
})

/** What no schema says: the headers of each answer, and the answer that is only headers. */
function describeReplies(path: string, replies: Record<string, Reply>): void {
  const limits: HeaderName[] = path.startsWith(PUBLIC_PREFIX) ? ['RateLimit-Policy', 'RateLimit'] : []
  if (path.startsWith(API_PREFIX)) {
    const kept: HeaderName[] = [
      'ETag',
      'Cache-Control',
      ...(path.endsWith('/changelog') ? ['Link' as const] : []),
    ]
    replies['304'] = { description: 'The answer is the one that `If-None-Match` names.' }
    for (const status of ['200', '304']) Object.assign(replies[status] ?? {}, { headers: headersOf(kept) })
  }
  for (const [status, reply] of Object.entries(replies))
    reply.headers = { ...reply.headers, ...headersOf([...(BY_STATUS[status] ?? []), ...limits]) }
}

const headersOf = (names: readonly HeaderName[]): NonNullable<Reply['headers']> =>
  Object.fromEntries(names.map((name) => [name, { description: HEADERS[name], schema: { type: 'string' } }]))
