import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import type { TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { mapRows } from '../../../domain/objects.ts'
import { SLUG } from '../../../domain/slug.ts'
import { ERRORS, type ErrorCode } from '../../request/errors.ts'
import { createSchemas, type Publish, responseName } from './components.ts'
import { EXAMPLES, errorExample } from './examples.ts'
import { type HeaderName, headerComponents, headers } from './headers.ts'
import type { ParameterObject, Reference, ResponseObject } from './objects.ts'
import { describeServer, OPERATIONS, type Operation, SECURITY_SCHEMES, TAGS } from './operations.ts'
import { ErrorEnvelope, type Returns } from './response-schemas.ts'
import { describeWebhooks } from './webhooks.ts'

export type ApiDocument = ReturnType<typeof describeApi>
export type ApiOperation = ApiDocument['paths'][string]['get']

/** A route as `toOpenAPISchema` returns it, with everything about a parameter in its schema. */
interface Route {
  operationId: Operation
  parameters?: Parameter[]
}

type Parameter = Omit<ParameterObject, 'description'> & { schema: { description: string; error?: string } }

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** Headers of an error, besides those of every public response. */
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
    'The `ETag` of a response you have, or several separated by commas. If one is still current, you get a 304 without a body.',
  schema: { type: 'string' },
}

/** Parameters are from the routes' schemas, the rest from `OPERATIONS`. `publicUrl` may be empty. */
export function describeApi(app: AnyElysia, publicUrl: string) {
  const { named, publish } = createSchemas()
  const routes = toOpenAPISchema(app).paths as Record<string, { get: Route }>
  const paths = mapRows(routes, ({ get }) => ({ get: describeRoute(get, publish) }))
  const responses = Object.fromEntries(CODES.map((code) => [responseName(code), errorObject(code, publish)]))
  return {
    openapi: '3.1.2',
    ...describeServer(publicUrl),
    tags: TAGS,
    paths,
    webhooks: describeWebhooks(publish),
    components: {
      schemas: named,
      responses,
      headers: headerComponents(),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

function describeRoute({ operationId, parameters = [] }: Route, publish: Publish) {
  const { returns, ...operation } = OPERATIONS[operationId]
  const isCached = 304 in returns
  const hasPages = parameters.some(({ name }) => name === 'cursor')
  const ofPublic = operation.tags.includes('public') ? OF_PUBLIC : []
  const ofContent = headers(
    ...(isCached ? (['ETag', 'Cache-Control'] as const) : []),
    ...(hasPages ? (['Link', 'Content-Language'] as const) : []),
    ...ofPublic,
  )
  const ofRedirect = headers('Location', 'Cache-Control', ...ofPublic)

  const describeResponse = (status: string, schema: TSchema): ResponseObject | Reference => {
    const error = CODES.find((code) => ERRORS[code].status === Number(status))
    if (error) return { $ref: `#/components/responses/${responseName(error)}` }
    const { $id: name, description = '' } = schema
    return {
      description,
      headers: status === '302' ? ofRedirect : ofContent,
      ...(name && { content: { 'application/json': { schema: publish(schema), examples: EXAMPLES[name] } } }),
    }
  }

  return {
    operationId,
    ...operation,
    parameters: [...parameters.map(publishParameter), ...(isCached ? [IF_NONE_MATCH] : [])],
    responses: mapRows(returns as Returns, (schema, status) => describeResponse(String(status), schema)),
  }
}

/** Without the error text, which is for the routes. They answer 404 to an invalid slug as to a missing one. */
function publishParameter({ name, in: place, required, schema }: Parameter): ParameterObject {
  const { description, error: _, ...rest } = schema
  const pattern = name.endsWith('Slug') && { pattern: SLUG.source }
  return { name, in: place, required, description, schema: { ...rest, ...pattern } }
}

function errorObject(code: ErrorCode, publish: Publish): ResponseObject {
  const own = OF_ERROR[code]
  return {
    description: ERRORS[code].when,
    headers: headers(...(own ? [own] : []), ...OF_PUBLIC),
    content: { 'application/json': { schema: publish(ErrorEnvelope), example: errorExample(code) } },
  }
}
