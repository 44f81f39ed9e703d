import { bearer } from '@elysiajs/bearer'
import type { Config } from '../../config/config.ts'
import type { Store } from '../../store/store.ts'
import type { Responder } from '../answers/responder.ts'
import { createReferenceResponses } from '../reference/responses.ts'
import { type Auth, authorize } from '../request/auth.ts'
import { jsonResponse } from '../request/json-response.ts'
import { ROUTES, VERSION } from '../routes.ts'
import { typedRoutes } from '../typed-routes.ts'
import { respondWithChangelog } from './changelog.ts'
import type { ApiDocument } from './openapi/document.ts'
import type { Operation } from './openapi/operations.ts'
import { ChangelogQuery, ProductParams, VersionParams } from './openapi/request-schemas.ts'
import { respondWithVersion } from './version.ts'

/** Responses are described in `openapi/operations.ts`: Elysia's `response` compiles checks that never run. */
const operation = (operationId: Operation) => ({ detail: { operationId } })

/** For routes that are not in the OpenAPI document. */
const UNDESCRIBED = { detail: { hide: true } }

export interface Parts {
  store: Store
  auth: Auth
  responder: Responder
  config: Config
  /** Gets every error other than `ApiError`: the response does not reveal it. */
  report(error: unknown): void
}

/** The routes of the API. Routes of pages are in `pages/routes.ts`, steps before routing in `pipeline/pipeline.ts`. */
export function createApp({ store, auth, responder, config, report }: Parts) {
  const reference = createReferenceResponses(
    responder,
    (): ApiDocument => {
      // Not with `import`, which would delay the response.
      const { describeApi } = require('./openapi/document.ts') as typeof import('./openapi/document.ts')
      return describeApi(app, config.publicUrl)
    },
    config,
  )
  const ping = () => store.ping().then(ok)
  const app = typedRoutes(report)
    .get(ROUTES.openapi.path, ({ context }) => reference.document(context), UNDESCRIBED)
    .get(ROUTES.docs.path, ({ context }) => reference.page(context), UNDESCRIBED)
    .get(ROUTES.exportSchema.path, ({ context }) => reference.exportSchema(context), UNDESCRIBED)
    .get(ROUTES.docsStyle.path, ({ context }) => reference.style(context), UNDESCRIBED)
    .get(ROUTES.docsScript.path, ({ context }) => reference.script(context), UNDESCRIBED)
    .get(ROUTES.widget.path, ({ context }) => reference.widget(context), UNDESCRIBED)
    .get(ROUTES.live.path, ok, operation('checkProcess'))
    .get(ROUTES.ready.path, ping, operation('checkReadiness'))
    .get(ROUTES.health.path, ping, operation('checkHealth'))
    .get(
      ROUTES.publicChangelog.path,
      ({ context, params, query }) => respondWithChangelog(responder, 'public', context, params, query),
      {
        params: ProductParams,
        query: ChangelogQuery,
        ...operation('readPublicChangelog'),
      },
    )
    .get(
      ROUTES.publicVersion.path,
      ({ context, params }) => respondWithVersion(responder, 'public', context, params),
      {
        params: VersionParams,
        ...operation('readPublicVersion'),
      },
    )
    .group(ROUTES.keyedChangelog.path, (routes) =>
      routes
        .use(bearer())
        // Before the query is checked: without a valid key even a wrong parameter is a 401 or 403.
        .derive(async ({ request, params, bearer }) => {
          const grant = await auth.authenticate(request.headers.get('authorization'), bearer)
          authorize(grant, params.teamSlug, params.productSlug)
          return { grant }
        })
        .get(
          '',
          ({ context, params, query, grant }) =>
            respondWithChangelog(responder, grant, context, params, query),
          {
            params: ProductParams,
            query: ChangelogQuery,
            ...operation('readChangelog'),
          },
        )
        .get(VERSION, ({ context, params, grant }) => respondWithVersion(responder, grant, context, params), {
          params: VersionParams,
          ...operation('readVersion'),
        }),
    )
  return app
}

const ok = (): Response => jsonResponse(200, { status: 'ok' })
