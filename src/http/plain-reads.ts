import { errorResponse, respondToError } from './errors.ts'
import type { Asking } from './responses/respond.ts'
import type { Responder } from './responses/responder.ts'
import { ROUTES, VERSION } from './routes.ts'

/** A name that no URL parser changes. */
const NAME = '(\\w[\\w.~+-]*)'
const PLAIN = new RegExp(
  `^${ROUTES.publicVersion.path.replace(VERSION, `(?:${VERSION})?`).replace(/:\w+/g, NAME)}$`,
)

/**
 * Handles public reads without a query, of which nothing needs to be checked. They are most of those that are not cached, and
 * the first of them need not wait for the routes to be loaded. `notFound` makes the 404. Null for other targets.
 */
export const createPlainReads =
  (responder: Pick<Responder, 'changelog' | 'version'>, report: (error: unknown) => void) =>
  (target: string, asking: () => Asking, notFound: () => Response): Response | Promise<Response> | null => {
    const [, teamSlug, productSlug, versionId] = PLAIN.exec(target) ?? []
    if (teamSlug === undefined || productSlug === undefined) return null
    const names = { teamSlug, productSlug }
    const response =
      versionId === undefined
        ? responder.changelog('public', asking(), names, {}, notFound)
        : responder.version('public', asking(), { ...names, versionId }, notFound)
    if (response instanceof Response) return response
    return response.catch((error) => respondToError(error, report, errorResponse))
  }

export type PlainReads = ReturnType<typeof createPlainReads>
