import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import type { TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { mapRows, pick } from '../../../domain/objects.ts'
import { SLUG, SLUG_RULE } from '../../../domain/slug.ts'
import { ERRORS, type ErrorCode } from '../../request/errors.ts'
import { createSchemas, type Publish, responseName } from './components.ts'
import { EXAMPLES, errorExample } from './examples.ts'
import { type HeaderName, headerComponents, headers } from './headers.ts'
import type { ParameterObject, Reference, ResponseObject, SchemaObject } from './objects.ts'
import { describeServer, OPERATIONS, type Operation, SECURITY_SCHEMES, TAGS } from './operations.ts'
import { ErrorEnvelope, type Returns } from './response-schemas.ts'
import { describeWebhooks } from './webhooks.ts'

export type ApiDocument = ReturnType<typeof describeApi>
export type ApiOperation = ApiDocument['paths'][string]['get']

/** A route as `toOpenAPISchema` returns it, with everything about a query parameter in its schema. */
interface Route {
  operationId: Operation
  parameters?: Parameter[]
}

type Parameter = Omit<ParameterObject, 'description'>

/** Routes answer 404 to an invalid slug as to a missing one. */
const PATH_PARAMETERS: Readonly<Record<string, SchemaObject & { description: string }>> = {
  teamSlug: {
    description: `Slug of the team that owns the product: ${SLUG_RULE}.`,
    pattern: SLUG.source,
    examples: ['acme'],
  },
  productSlug: {
    description: `Slug of the product whose changelog is read: ${SLUG_RULE}.`,
    pattern: SLUG.source,
    examples: ['app'],
  },
  versionId: {
    description:
      'Identifier of one version, or its label, or `latest` for the newest published one that is not yanked. A former public label redirects to the current one. So does a label with or without `v`, or without its package (`1.2.0` for `app@1.2.0`) if that is unambiguous. A slash in a label is written as `%2F`.',
    examples: ['latest', '1.2.0', 'ver_01kdzn3yr8f6hthhm1zpvtwb5g'],
  },
}

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

/** Without what checks requests. */
function publishParameter({ name, in: place, required, schema }: Parameter): ParameterObject {
  const { description = '', ...rest } = { ...schema, ...PATH_PARAMETERS[name] }
  const published = pick(rest, 'type', 'minimum', 'maximum', 'const', 'examples', 'pattern')
  return { name, in: place, required, description, schema: published }
}

function errorObject(code: ErrorCode, publish: Publish): ResponseObject {
  const own = OF_ERROR[code]
  return {
    description: ERRORS[code].when,
    headers: headers(...(own ? [own] : []), ...OF_PUBLIC),
    content: { 'application/json': { schema: publish(ErrorEnvelope), example: errorExample(code) } },
  }
}
