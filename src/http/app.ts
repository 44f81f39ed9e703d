import { bearer } from '@elysiajs/bearer'
import { Kind, type TSchema, TypeRegistry } from '@sinclair/typebox'
import { type AnyElysia, Elysia, t, ValidationError } from 'elysia'
import { mapRows } from '../domain/objects.ts'
import { type Parameter, type ParameterSet, valuesOf } from './reading/parameters.ts'
import { type Auth, authorize } from './request/auth.ts'
import { contextOf } from './request/context.ts'
import { noSuchRoute, notFoundResponse, type Refuse, respondToError } from './request/errors.ts'
import type { Route } from './routes.ts'
import { parametersOf } from './target.ts'
import type { Tools } from './tools.ts'

interface AppOptions {
  routes: readonly Route[]
  tools: Tools
  auth: Auth
  /** Gets every error other than `ApiError`: the response does not reveal it. */
  report(error: unknown): void
}

/** The table of routes as an Elysia app. It gets requests that passed the pipeline. */
export function createApp({ routes, tools, auth, report }: AppOptions) {
  const app = new Elysia({ strictPath: true, normalize: false })
    .derive(({ request }) => ({ context: contextOf(request) }))
    .onTransform(({ context, query }) => markRepeated(context.target, query))
    .onError(({ error, code, request }) => {
      const { refuse } = contextOf(request)
      if (code === 'NOT_FOUND') return noSuchRoute(refuse)
      return error instanceof ValidationError
        ? respondToInvalid(error, refuse)
        : respondToError(error, report, refuse)
    })
  const add = (app: AnyElysia, isAdded: (route: Route) => boolean): AnyElysia => {
    for (const { path, parameters, respond } of routes.filter(isAdded))
      app.get(
        path,
        ({ context, grant, params, query }) =>
          respond?.({
            ...tools,
            context,
            audience: grant ?? 'public',
            params: params ?? {},
            query: valuesOf(parameters, query),
          }),
        {
          ...(path.includes(':') && { params: paramsSchema(path) }),
          query: querySchema(parameters),
        },
      )
    return app
  }
  add(app, ({ surface, respond }) => respond !== null && surface !== 'keyed')
  return app.group('', (keyed) =>
    add(
      keyed
        .use(bearer())
        // Before the query is checked: without a valid key even a wrong parameter is a 401 or 403.
        .derive(async ({ request, params, bearer }) => {
          const grant = await auth.authenticate(request.headers.get('authorization'), bearer)
          const { teamSlug = '', productSlug = '' } = params as Record<string, string>
          authorize(grant, teamSlug, productSlug)
          return { grant }
        }),
      ({ surface }) => surface === 'keyed',
    ),
  )
}

/** Elysia takes the last of several values: it would not be clear which one counts. */
function markRepeated(target: string, query: Record<string, unknown>): void {
  if (!target.includes('&')) return
  const given = parametersOf(target)
  for (const name of given.keys()) {
    const values = given.getAll(name)
    if (values.length > 1) query[name] = values
  }
}

/** Names in a path are checked where they are looked up. */
const paramsSchema = (path: string) =>
  t.Object(Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, t.String()])))

const PARAMETER = 'changelogd:Parameter'
TypeRegistry.Set<Pick<Parameter, 'parse'>>(
  PARAMETER,
  ({ parse }, value) => typeof value === 'string' && parse(value) !== undefined,
)

/** Checks parameters as they are declared. Others are ignored. */
const querySchema = (parameters: ParameterSet) =>
  t.Object(
    mapRows(parameters, (declared, name) => t.Optional(parameterSchema(name, declared))),
    { additionalProperties: true },
  )

function parameterSchema(name: string, { rule, parse }: Parameter): TSchema {
  const error = ({ found }: { found: unknown }) =>
    Array.isArray(Object(found)[name]) ? `${name} is given more than once.` : `${name} ${rule}.`
  return t.Unsafe<string>({ [Kind]: PARAMETER, parse, error })
}

function respondToInvalid({ type, customError }: ValidationError, refuse: Refuse): Response {
  // Only an invalid escape makes a path parameter wrong, and nothing has such a name.
  return type === 'params' ? notFoundResponse(refuse) : refuse('bad_request', String(customError))
}
