import { bearer } from '@elysiajs/bearer'
import { Elysia, ValidationError } from 'elysia'
import { Unavailable } from '../domain/refusal.ts'
import type { Store } from '../store/port.ts'
import type { Operation } from './openapi/operations.ts'
import { ChangelogQuery, ProductParams, VersionParams } from './openapi/request-schemas.ts'
import { HEALTH, KEYED_CHANGELOG, LIVE, OPENAPI, PUBLIC_CHANGELOG, READY, VERSION } from './paths.ts'
import { type Auth, authorize } from './pipeline/auth.ts'
import {
  ApiError,
  errorResponse,
  internalError,
  noSuchRoute,
  notFound,
  unauthorized,
} from './responses/errors.ts'
import { jsonResponse } from './responses/json.ts'
import type { Responder } from './responses/responder.ts'

/** The name under which `openapi/operations.ts` describes a route. */
const described = (operationId: Operation) => ({ operationId })

export interface Parts {
  store: Store
  auth: Auth
  responder: Responder
  /** Gets every error that is not an `ApiError`: the response says nothing about it. */
  report(error: unknown): void
}

/** Every route of the server. What comes before routing (gate, limiter, cache) is in `pipeline/pipeline.ts`. */
export function createApp({ store, auth, responder, report: reportAll }: Parts) {
  const report = withoutRepeats(reportAll)
  const app = new Elysia({ strictPath: true, normalize: false })
    .onError(({ error, code }) => respondToError(error, code, report))
    .get(
      OPENAPI,
      ({ request }): Promise<Response> =>
        responder.document(request, () => {
          // Loaded when first requested, as that is rare and would slow down every start; and not with `import`, for
          // which the response would have to wait.
          const { describeApi } = require('./openapi/document.ts') as typeof import('./openapi/document.ts')
          return describeApi(app)
        }),
      { detail: { hide: true } },
    )
    .get(LIVE, ok, { detail: described('checkProcess') })
    .get(READY, () => store.ping().then(ok), { detail: described('checkReadiness') })
    .get(HEALTH, () => store.ping().then(ok), { detail: described('checkHealth') })
    .group(PUBLIC_CHANGELOG, (routes) =>
      routes
        .get('', ({ request, params, query }) => responder.changelog('public', request, params, query), {
          params: ProductParams,
          query: ChangelogQuery,
          detail: described('readPublicChangelog'),
        })
        .get(VERSION, ({ request, params }) => responder.version('public', request, params), {
          params: VersionParams,
          detail: described('readPublicVersion'),
        }),
    )
    .group(KEYED_CHANGELOG, (routes) =>
      routes
        .use(bearer())
        // Before the query is checked: without a valid key even a wrong parameter is a 401 or 403.
        .derive(async ({ request, params, bearer }) => {
          const grant = await auth.authenticate(request.headers.get('authorization'), bearer)
          authorize(grant, params.teamSlug, params.productSlug)
          return { grant }
        })
        .get('', ({ request, params, query, grant }) => responder.changelog(grant, request, params, query), {
          params: ProductParams,
          query: ChangelogQuery,
          detail: described('readChangelog'),
        })
        .get(VERSION, ({ request, params, grant }) => responder.version(grant, request, params), {
          params: VersionParams,
          detail: described('readVersion'),
        }),
    )
  return app
}

/** How long the same failure of the store is reported only once: it may meet every request. */
const REPEAT_MS = 60_000

function withoutRepeats(report: (error: unknown) => void): (error: unknown) => void {
  let last = { message: '', at: Number.NEGATIVE_INFINITY }
  return (error) => {
    if (error instanceof Unavailable) {
      const { message } = error
      const now = performance.now()
      if (message === last.message && now - last.at < REPEAT_MS) return
      last = { message, at: now }
    }
    report(error)
  }
}

const ok = (): Response => jsonResponse(200, { status: 'ok' })

/** The error response for whatever was thrown. */
function respondToError(error: unknown, code: unknown, report: (error: unknown) => void): Response {
  if (error instanceof ApiError)
    return error.code === 'unauthorized'
      ? unauthorized('Bearer', error.message)
      : errorResponse(error.code, error.message)
  if (code === 'NOT_FOUND') return noSuchRoute()
  if (error instanceof ValidationError) {
    // Only an escape that cannot be decoded makes a path parameter wrong, and nothing has such a name.
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
