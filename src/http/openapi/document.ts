import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import type { AnyElysia } from 'elysia'
import { API_PREFIX, PUBLIC_PREFIX } from '../paths.ts'
import { ERRORS } from '../responses/errors.ts'
import { DOCUMENTATION, OPERATIONS, type Operation } from './operations.ts'
import { ErrorEnvelope } from './response-schemas.ts'

/** The meaning of each response header. */
const HEADERS = {
  ETag: 'Identifies this response. Send it as `If-None-Match` to get a 304 while nothing has changed.',
  'Cache-Control': 'Who may cache the response, and for how long.',
  Link: 'The next page, with `rel="next"`. Absent on the last page, and where there is only one.',
  'RateLimit-Policy': 'The limit on public requests: `q` requests in `w` seconds.',
  RateLimit: 'The public requests that are left (`r`), and the seconds until all are available again (`t`).',
  'Retry-After': 'Seconds to wait before the next attempt.',
  'WWW-Authenticate': 'The scheme of the credential that is missing.',
  Allow: 'The allowed methods.',
} as const

type HeaderName = keyof typeof HEADERS

/** The headers of a status, in addition to those of its route. */
const BY_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  '401': ['WWW-Authenticate'],
  '405': ['Allow'],
  '429': ['Retry-After'],
  '503': ['Retry-After'],
}

interface ResponseObject {
  description: string
  content?: { 'application/json': { schema: object } }
  headers?: Record<string, { description: string; schema: { type: 'string' } }>
}

/** The OpenAPI document: parameters from the routes' own schemas, everything else from `OPERATIONS` by id. */
export function describeApi(app: AnyElysia) {
  const { paths, components } = toOpenAPISchema(app)
  for (const [path, item] of Object.entries(paths)) {
    if (!item?.get) continue
    const { response, errors, ...operation } = OPERATIONS[item.get.operationId as Operation]
    const responses: Record<string, ResponseObject> = { '200': responseObject(response) }
    for (const code of errors) responses[ERRORS[code].status] = responseObject(ErrorEnvelope(code))
    addHeaders(path, responses)
    Object.assign(item.get, operation, { responses })
  }
  return {
    openapi: '3.1.2',
    ...DOCUMENTATION,
    paths,
    components: { ...DOCUMENTATION.components, ...components },
  }
}

const responseObject = (schema: { description?: string }): ResponseObject => ({
  description: schema.description ?? '',
  content: { 'application/json': { schema } },
})

/** Adds what no schema describes: the headers of each response, and the 304, which has no body. */
function addHeaders(path: string, responses: Record<string, ResponseObject>): void {
  const limits: HeaderName[] = path.startsWith(PUBLIC_PREFIX) ? ['RateLimit-Policy', 'RateLimit'] : []
  if (path.startsWith(API_PREFIX)) {
    const caching: HeaderName[] = [
      'ETag',
      'Cache-Control',
      ...(path.endsWith('/changelog') ? ['Link' as const] : []),
    ]
    responses['304'] = {
      description: 'The response has not changed since the one that `If-None-Match` names.',
    }
    for (const status of ['200', '304'])
      Object.assign(responses[status] ?? {}, { headers: headersOf(caching) })
  }
  for (const [status, response] of Object.entries(responses))
    response.headers = { ...response.headers, ...headersOf([...(BY_STATUS[status] ?? []), ...limits]) }
}

const headersOf = (names: readonly HeaderName[]): NonNullable<ResponseObject['headers']> =>
  Object.fromEntries(names.map((name) => [name, { description: HEADERS[name], schema: { type: 'string' } }]))
