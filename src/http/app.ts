import type { Config } from '../config/config.ts'
import type { Store } from '../store/store.ts'
import { jsonResponse } from './json-response.ts'
import { parametersOf } from './paths.ts'
import { type Auth, authorize } from './pipeline/auth.ts'
import { createReferenceResponses } from './reference/responses.ts'
import type { Responder } from './responses/responder.ts'
import { ROUTES, TOKEN, VERSION } from './routes.ts'
import { typedRoutes } from './typed-routes.ts'

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
  const reference = createReferenceResponses(responder, config)
  const ping = () => store.ping().then(ok)
  return typedRoutes(report)
    .get(ROUTES.openapi.path, ({ context }) => reference.document(context))
    .get(ROUTES.docs.path, ({ context }) => reference.page(context))
    .get(ROUTES.exportSchema.path, ({ context }) => reference.exportSchema(context))
    .get(ROUTES.docsStyle.path, ({ context }) => reference.style(context))
    .get(ROUTES.docsScript.path, ({ context }) => reference.script(context))
    .get(ROUTES.widget.path, ({ context }) => reference.widget(context))
    .get(ROUTES.live.path, ok)
    .get(ROUTES.ready.path, ping)
    .get(ROUTES.health.path, ping)
    .get(ROUTES.publicChangelog.path, ({ context, params }) => responder.changelog('public', context, params))
    .get(ROUTES.publicVersion.path, ({ context, params }) => responder.version('public', context, params))
    .group(ROUTES.keyedChangelog.path, (routes) =>
      routes
        // Before anything else is checked: without a valid key even a wrong parameter is a 401 or 403.
        .derive(async ({ request, params, context }) => {
          const grant = await auth.authenticate(
            request.headers.get('authorization'),
            hasToken(context.target),
          )
          authorize(grant, params.teamSlug, params.productSlug)
          return { grant }
        })
        .get('', ({ context, params, grant }) => responder.changelog(grant, context, params))
        .get(VERSION, ({ context, params, grant }) => responder.version(grant, context, params)),
    )
}

const hasToken = (target: string): boolean => parametersOf(target).has(TOKEN)

const ok = (): Response => jsonResponse(200, { status: 'ok' })
