import { bearer } from '@elysiajs/bearer'
import { Elysia, ValidationError } from 'elysia'
import { Unavailable } from '../domain/refusal.ts'
import type { Store } from '../store/port.ts'
import type { Operation } from './openapi/operations.ts'
import { ChangelogQuery, ProductParams, VersionParams } from './openapi/request-schemas.ts'
import { type Auth, authorize } from './pipeline/auth.ts'
import {
  ApiError,
  errorResponse,
  internalError,
  noSuchRoute,
  notFound,
  unauthorized,
} from './responses/errors.ts'
import type { Answers } from './responses/responder.ts'
import { jsonResponse } from './responses/responses.ts'

/** What the document says of a route is found by this name: see documentation.ts. */
const described = (operationId: Operation) => ({ operationId })

const CHANGELOG = '/teams/:teamSlug/products/:productSlug/changelog'
const VERSION = '/versions/:versionId'

export interface Parts {
  store: Store
  auth: Auth
  answers: Answers
  /** Told of every fault that is not a refusal: the answer says nothing of it. */
  report(fault: unknown): void
}

/** Every route the server has. What comes before routing (gate, limiter, memory) is in `door.ts`. */
export function createApp({ store, auth, answers, report }: Parts) {
  const app = new Elysia({ strictPath: true, normalize: false })
    .onError(({ error, code }) => refuse(error, code, report))
    .get(
      '/openapi.json',
      async ({ request }): Promise<Response> => {
        // Loaded when asked for: hardly any request does, and every start would pay.
        const { describeApi } = await import('./openapi/document.ts')
        return answers.document(request, describeApi(app))
      },
      { detail: { hide: true } },
    )
    .get(
      '/healthz',
      async () => {
        await store.ping()
        return jsonResponse(200, { status: 'ok' })
      },
      { detail: described('checkHealth') },
    )
    .group(`/api/v1/public${CHANGELOG}`, (routes) =>
      routes
        .get('', ({ request, params, query }) => answers.changelog('public', request, params, query), {
          params: ProductParams,
          query: ChangelogQuery,
          detail: described('readPublicChangelog'),
        })
        .get(VERSION, ({ request, params }) => answers.version('public', request, params), {
          params: VersionParams,
          detail: described('readPublicVersion'),
        }),
    )
    .group(`/api/v1${CHANGELOG}`, (routes) =>
      routes
        .use(bearer())
        // Before the query is looked at: who may not read learns nothing, not even what a parameter may be.
        .derive(async ({ request, params, bearer }) => {
          const grant = await auth.authenticate(request.headers.get('authorization'), bearer)
          authorize(grant, params.teamSlug, params.productSlug)
          return { grant }
        })
        .get('', ({ request, params, query, grant }) => answers.changelog(grant, request, params, query), {
          params: ProductParams,
          query: ChangelogQuery,
          detail: described('readChangelog'),
        })
        .get(VERSION, ({ request, params, grant }) => answers.version(grant, request, params), {
          params: VersionParams,
          detail: described('readVersion'),
        }),
    )
  return app
}

/** Turns whatever stopped a request into the API's error for it. */
function refuse(error: unknown, code: unknown, report: (fault: unknown) => void): Response {
  if (error instanceof ApiError)
    return error.code === 'unauthorized'
      ? unauthorized('Bearer', error.message)
      : errorResponse(error.code, error.message)
  if (code === 'NOT_FOUND') return noSuchRoute()
  if (error instanceof ValidationError) {
    // A path parameter is only ever wrong by an escape that decodes to nothing: no such thing exists.
    if (error.type === 'params') return errorResponse('not_found', notFound().message)
    return errorResponse(
      'bad_request',
      String(error.customError ?? 'A query parameter has a value that is not allowed.'),
    )
  }
  report(error)
  return error instanceof Unavailable
    ? errorResponse('unavailable', 'The database does not answer.', { 'retry-after': '5' })
    : internalError()
}
