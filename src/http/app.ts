import { bearer } from '@elysiajs/bearer'
import { type AnyElysia, Elysia, t } from 'elysia'
import { mapRows } from '../domain/objects.ts'
import type { Parameter, ParameterSet } from './reading/parameters.ts'
import { type Auth, authorize } from './request/auth.ts'
import type { Context } from './request/context.ts'
import { ApiError, respondToError } from './request/errors.ts'
import type { Route } from './routes.ts'
import { parametersOf, queryOf } from './target.ts'
import type { Tools } from './tools.ts'

interface AppOptions {
  routes: readonly Route[]
  tools: Tools
  auth: Auth
  /** Gets every error other than `ApiError`: the response does not reveal it. */
  report(error: unknown): void
}

/** What a route gets of a request that passed the pipeline, which has found the route. */
export interface Routed {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
  readonly context: Context
  /** Only what decides who asks. */
  readonly headers: Headers
}

/** Elysia gets the address of a row, which says which it is: no path is matched again. */
const ORIGIN = 'http://changelogd.internal'
const addressOf = ({ path }: Route): string => path.replaceAll(':', '')

/** The table of routes as an Elysia app: it authenticates, checks and reads parameters, and turns errors into responses. */
export function createApp({ routes, tools, auth, report }: AppOptions) {
  const app = new Elysia({ strictPath: true, normalize: false })
    .derive(({ request }) => ({ routed: routedOf(request) }))
    .onError(({ error, request }) => respondToError(error, report, routedOf(request).context.refuse))
  const add = (app: AnyElysia, isAdded: (route: Route) => boolean): AnyElysia => {
    for (const route of routes.filter(isAdded)) {
      const { parameters, respond } = route
      const missing = mapRows(parameters, () => null)
      app.get(
        addressOf(route),
        ({ routed: { context, params }, grant, query }) => {
          refuseRepeated(context.target)
          return respond?.({
            ...tools,
            context,
            audience: grant ?? 'public',
            params,
            query: { ...missing, ...query },
          })
        },
        { query: querySchema(parameters) },
      )
    }
    return app
  }
  add(app, ({ surface, respond }) => respond !== null && surface !== 'keyed')
  app.group('', (keyed) =>
    add(
      keyed
        .use(bearer())
        // Before the query is checked: without a valid key even a wrong parameter is a 401 or 403.
        .derive(async ({ request, bearer }) => {
          const { params } = routedOf(request)
          const grant = await auth.authenticate(request.headers.get('authorization'), bearer)
          const { teamSlug = '', productSlug = '' } = params
          authorize(grant, teamSlug, productSlug)
          return { grant }
        }),
      ({ surface }) => surface === 'keyed',
    ),
  )
  const handle = app.fetch
  return (routed: Routed): Response | Promise<Response> => {
    const { route, context } = routed
    const url = ORIGIN + addressOf(route) + queryOf(context.target)
    return handle({ method: 'GET', url, headers: routed.headers, routed } as Routing)
  }
}

/** All that Elysia asks of a request, and what the routes need. */
type Routing = Pick<Request, 'method' | 'url' | 'headers'> & { routed: Routed } & Request
const routedOf = (request: Request): Routed => (request as Routing).routed

/** Elysia takes the last of several values: it would not be clear which one counts. */
function refuseRepeated(target: string): void {
  if (!target.includes('&')) return
  const given = parametersOf(target)
  for (const name of given.keys())
    if (given.getAll(name).length > 1) throw new ApiError('bad_request', `${name} is given more than once.`)
}

/** Checks parameters as they are declared, and reads them. Others are ignored. */
const querySchema = (parameters: ParameterSet) =>
  t.Object(
    mapRows(parameters, (declared, name) => t.Optional(parameterSchema(name, declared))),
    { additionalProperties: true },
  )

const parameterSchema = (name: string, { rule, parse }: Parameter) =>
  t
    .Transform(t.String())
    .Decode((text) => {
      const value = parse(text)
      if (value === undefined) throw new ApiError('bad_request', `${name} ${rule}.`)
      return value
    })
    .Encode(String)
