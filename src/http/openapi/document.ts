import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import type { AnyElysia } from 'elysia'
import { API, PUBLIC_API } from '../../domain/addresses/paths.ts'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { createSchemas, responseName } from './components.ts'
import { errorExample } from './examples.ts'
import { type HeaderName, headerComponents, headers } from './headers.ts'
import type { ApiDocument, ParameterObject, ResponseObject } from './objects.ts'
import { describeServer, OPERATIONS, type Operation, SECURITY_SCHEMES, TAGS } from './operations.ts'
import { ErrorEnvelope } from './response-schemas.ts'

/** A parameter as `toOpenAPISchema` gives it: everything about it in its schema. */
type Parameter = Omit<ParameterObject, 'description'> & { schema: { description: string; error?: string } }

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** The headers of an error, in addition to those of every public response. */
const OF_ERROR: Partial<Record<ErrorCode, HeaderName>> = {
  unauthorized: 'WWW-Authenticate',
  method_not_allowed: 'Allow',
  rate_limited: 'Retry-After',
  unavailable: 'Retry-After',
}

const OF_PUBLIC: readonly HeaderName[] = ['Access-Control-Allow-Origin', 'RateLimit-Policy', 'RateLimit']

const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of a response you have, or several with commas between them: if it is still current, you get a 304 without a body.',
  schema: { type: 'string' },
}

const MOVED =
  'The version had this label while it was public, and has another one now: `Location` is its address. It has no body.'

const NOT_MODIFIED = 'The response has not changed since the one that `If-None-Match` names. It has no body.'

/**
 * The OpenAPI document: parameters from the routes' own schemas, everything else from `OPERATIONS` by id. `publicUrl` is
 * the address of the server, or empty if it is not set.
 */
export function describeApi(app: AnyElysia, publicUrl: string): ApiDocument {
  const { named, publish } = createSchemas()
  const paths: ApiDocument['paths'] = {}
  for (const [path, item] of Object.entries(toOpenAPISchema(app).paths)) {
    if (!item?.get) continue
    const operationId = item.get.operationId as Operation
    const { response, examples, errors, ...operation } = OPERATIONS[operationId]
    const parameters = (item.get.parameters ?? []) as Parameter[]
    const isCached = path.startsWith(API)
    const ofPublic = path.startsWith(PUBLIC_API) ? OF_PUBLIC : []
    const ofRoute = headers(
      ...(isCached ? (['ETag', 'Cache-Control'] as const) : []),
      ...(path.endsWith('/changelog') ? (['Link'] as const) : []),
      ...ofPublic,
    )
    const ofRedirect = headers('Location', 'Cache-Control', ...ofPublic)
    paths[path] = {
      get: {
        operationId,
        ...operation,
        parameters: [...parameters.map(publishParameter), ...(isCached ? [IF_NONE_MATCH] : [])],
        responses: {
          '200': {
            description: response.description ?? '',
            headers: ofRoute,
            content: { 'application/json': { schema: publish(response), examples } },
          },
          ...(path.includes('/versions/') && { '302': { description: MOVED, headers: ofRedirect } }),
          ...(isCached && { '304': { description: NOT_MODIFIED, headers: ofRoute } }),
          ...Object.fromEntries(
            errors.map((code) => [
              ERRORS[code].status,
              { $ref: `#/components/responses/${responseName(code)}` },
            ]),
          ),
        },
      },
    }
  }
  const responses = Object.fromEntries(CODES.map((code) => [responseName(code), errorObject(code, publish)]))
  const document = {
    openapi: '3.1.2',
    ...describeServer(publicUrl),
    tags: TAGS,
    paths,
    components: {
      schemas: named,
      responses,
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
  return document
}

/** The text of a wrong parameter's error is for the routes alone. */
function publishParameter({ name, in: place, required, schema }: Parameter): ParameterObject {
  const { description, error: _, ...rest } = schema
  return { name, in: place, required, description, schema: rest }
}

function errorObject(code: ErrorCode, publish: ReturnType<typeof createSchemas>['publish']): ResponseObject {
  const own = OF_ERROR[code]
  return {
    description: ERRORS[code].when,
    headers: headers(...(own ? [own] : []), ...OF_PUBLIC),
    content: { 'application/json': { schema: publish(ErrorEnvelope), example: errorExample(code) } },
  }
}
