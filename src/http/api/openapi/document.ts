import type { TSchema } from '@sinclair/typebox'
import { mapRows, namesOf } from '../../../domain/objects.ts'
import { SLUG, SLUG_RULE } from '../../../domain/slug.ts'
import type { Parameter, ParameterSet } from '../../reading/parameters.ts'
import { ERRORS, type ErrorCode } from '../../request/errors.ts'
import type { ParameterObject, Reference, ResponseObject } from './components.ts'
import { createSchemas, type Publish, responseName } from './components.ts'
import { EXAMPLES, errorExample } from './examples.ts'
import {
  describeServer,
  type HeaderName,
  headerComponents,
  headers,
  OPERATIONS,
  type Operation,
  SECURITY_SCHEMES,
  TAGS,
} from './operations.ts'
import { ErrorEnvelope, type Returns } from './response-schemas.ts'
import { describeWebhooks } from './webhooks.ts'

export type ApiDocument = ReturnType<typeof describeApi>
export type ApiOperation = ApiDocument['paths'][string]['get']

interface Route {
  readonly path: string
  readonly parameters: ParameterSet
  readonly operation?: Operation
}

/** Routes answer 404 to an invalid slug as to a missing one. */
const PATH_PARAMETERS: Readonly<Record<string, Described>> = {
  teamSlug: {
    description: `Slug of the team that owns the product: ${SLUG_RULE}.`,
    schema: { pattern: SLUG.source, examples: ['acme'] },
  },
  productSlug: {
    description: `Slug of the product whose changelog is read: ${SLUG_RULE}.`,
    schema: { pattern: SLUG.source, examples: ['app'] },
  },
  versionId: {
    description:
      'Identifier of one version, or its label, or `latest` for the newest release that is neither a pre-release nor yanked. A former public label redirects to the current one. So does a label with or without `v`, or without its package (`1.2.0` for `app@1.2.0`) if that is unambiguous. A slash in a label is written as `%2F`.',
    schema: { examples: ['latest', '1.2.0', 'ver_01kdzn3yr8f6hthhm1zpvtwb5g'] },
  },
}

type Described = Pick<Parameter, 'description' | 'schema'>

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

/** Parameters are as the routes declare them, the rest is from `OPERATIONS`. `publicUrl` may be empty. */
export function describeApi(routes: readonly Route[], publicUrl: string) {
  const { named, publish } = createSchemas()
  const paths = Object.fromEntries(
    routes.flatMap(({ path, parameters, operation }) =>
      operation
        ? [[path.replace(NAME, '{$1}'), { get: describeRoute(operation, path, parameters, publish) }]]
        : [],
    ),
  )
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

const NAME = /:(\w+)/g

function describeRoute(operationId: Operation, path: string, parameters: ParameterSet, publish: Publish) {
  const { returns, ...operation } = OPERATIONS[operationId]
  const isCached = 304 in returns
  const hasPages = 'cursor' in parameters
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
    parameters: [
      ...Array.from(path.matchAll(NAME), ([, name = '']) =>
        parameterObject(name, 'path', PATH_PARAMETERS[name]),
      ),
      ...namesOf(parameters).map((name) => parameterObject(name, 'query', parameters[name])),
      ...(isCached ? [IF_NONE_MATCH] : []),
    ],
    responses: mapRows(returns as Returns, (schema, status) => describeResponse(String(status), schema)),
  }
}

const parameterObject = (name: string, place: string, declared: Described = {}): ParameterObject => ({
  name,
  in: place,
  required: place === 'path',
  description: declared.description ?? '',
  schema: { type: 'string', ...declared.schema },
})

function errorObject(code: ErrorCode, publish: Publish): ResponseObject {
  const own = OF_ERROR[code]
  return {
    description: ERRORS[code].when,
    headers: headers(...(own ? [own] : []), ...OF_PUBLIC),
    content: { 'application/json': { schema: publish(ErrorEnvelope), example: errorExample(code) } },
  }
}
