import { bearer } from '@elysiajs/bearer'
import type { Config } from '../config/config.ts'
import type { Store } from '../store/store.ts'
import { jsonResponse } from './json-response.ts'
import type { ApiDocument } from './openapi/document.ts'
import type { Operation } from './openapi/operations.ts'
import { ChangelogQuery, ProductParams, VersionParams } from './openapi/request-schemas.ts'
import {
  ChangelogEnvelope,
  ERRORS_EVERYWHERE,
  Health,
  KEYED_ERRORS,
  Moved,
  NotModified,
  PUBLIC_ERRORS,
  type Returns,
  STORE_ERRORS,
  VersionEnvelope,
} from './openapi/response-schemas.ts'
import { type Auth, authorize } from './pipeline/auth.ts'
import { createReferenceResponses } from './reference/responses.ts'
import type { Responder } from './responses/responder.ts'
import { ROUTES, VERSION } from './routes.ts'
import { typedRoutes } from './typed-routes.ts'

/** Not in Elysia's `response`, which compiles checks that never run: every handler returns a `Response`. */
const detail = (operationId: Operation, returns: Returns) => ({ detail: { operationId, returns } })

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
    .get(ROUTES.live.path, ok, detail('checkProcess', { 200: Health, ...ERRORS_EVERYWHERE }))
    .get(ROUTES.ready.path, ping, detail('checkReadiness', { 200: Health, ...STORE_ERRORS }))
    .get(ROUTES.health.path, ping, detail('checkHealth', { 200: Health, ...STORE_ERRORS }))
    .get(
      ROUTES.publicChangelog.path,
      ({ context, params, query }) => responder.changelog('public', context, params, query),
      {
        params: ProductParams,
        query: ChangelogQuery,
        ...detail('readPublicChangelog', { 200: ChangelogEnvelope, 304: NotModified, ...PUBLIC_ERRORS }),
      },
    )
    .get(ROUTES.publicVersion.path, ({ context, params }) => responder.version('public', context, params), {
      params: VersionParams,
      ...detail('readPublicVersion', {
        200: VersionEnvelope,
        302: Moved,
        304: NotModified,
        ...PUBLIC_ERRORS,
      }),
    })
    .group(ROUTES.keyedChangelog.path, (routes) =>
      routes
        .use(bearer())
        // Before the query is checked: without a valid key even a wrong parameter is a 401 or 403.
        .derive(async ({ request, params, bearer }) => {
          const grant = await auth.authenticate(request.headers.get('authorization'), bearer)
          authorize(grant, params.teamSlug, params.productSlug)
          return { grant }
        })
        .get('', ({ context, params, query, grant }) => responder.changelog(grant, context, params, query), {
          params: ProductParams,
          query: ChangelogQuery,
          ...detail('readChangelog', { 200: ChangelogEnvelope, 304: NotModified, ...KEYED_ERRORS }),
        })
        .get(VERSION, ({ context, params, grant }) => responder.version(grant, context, params), {
          params: VersionParams,
          ...detail('readVersion', { 200: VersionEnvelope, 302: Moved, 304: NotModified, ...KEYED_ERRORS }),
        }),
    )
  return app
}

const ok = (): Response => jsonResponse(200, { status: 'ok' })
