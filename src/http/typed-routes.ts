import { Elysia } from 'elysia'
import { contextOf } from './context.ts'
import { noSuchRoute, notFoundResponse, respondToError } from './errors.ts'

/**
 * Begins a table of routes, which have the context of each request, and whose errors have its form. Parameters of a path
 * are typed by it. Routes have no schemas: Elysia would compile one with its first request, for milliseconds.
 */
export const typedRoutes = (report: (error: unknown) => void) =>
  new Elysia({ strictPath: true, normalize: false })
    .derive(({ request }) => ({ context: contextOf(request) }))
    .onError(({ error, code, request }) => {
      const { refuse } = contextOf(request)
      return code === 'NOT_FOUND' ? noSuchRoute(refuse) : respondToError(error, report, refuse)
    })
    .onBeforeHandle(({ params = {}, request }) => {
      // A parameter is null if it has an invalid escape, and nothing has such a name.
      if (Object.values<string | null>(params).includes(null))
        return notFoundResponse(contextOf(request).refuse)
    })
