import { Elysia, ValidationError } from 'elysia'
import { contextOf } from './request/context.ts'
import { noSuchRoute, notFoundResponse, type Refuse, respondToError } from './request/errors.ts'

/** Begins a table of routes, which have the context of each request, and whose errors have its form. */
export const typedRoutes = (report: (error: unknown) => void) =>
  new Elysia({ strictPath: true, normalize: false })
    .derive(({ request }) => ({ context: contextOf(request) }))
    .onError(({ error, code, request }) => {
      const { refuse } = contextOf(request)
      if (code === 'NOT_FOUND') return noSuchRoute(refuse)
      return error instanceof ValidationError
        ? respondToInvalid(error, refuse)
        : respondToError(error, report, refuse)
    })

function respondToInvalid({ type, customError }: ValidationError, refuse: Refuse): Response {
  // Only an invalid escape makes a path parameter wrong, and nothing has such a name.
  if (type === 'params') return notFoundResponse(refuse)
  return refuse('bad_request', String(customError ?? 'A query parameter has an invalid value.'))
}
