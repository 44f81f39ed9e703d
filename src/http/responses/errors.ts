import { type HeaderFields, jsonResponse } from './responses.ts'

/** Every error the API can answer with: its status, its code, and when it comes. */
export const ERRORS = {
  bad_request: { status: 400, when: 'A query parameter has a value that is not allowed.' },
  unauthorized: { status: 401, when: 'The credential is missing, malformed, unknown, expired or disabled.' },
  forbidden: { status: 403, when: 'The key is valid, but for another team or for other products.' },
  not_found: {
    status: 404,
    when: 'There is no such changelog or version; on public routes, none that is published in a public team.',
  },
  method_not_allowed: { status: 405, when: 'The method is none of those in the `Allow` header.' },
  rate_limited: { status: 429, when: 'Too many requests from this address: wait for `Retry-After` seconds.' },
  internal_error: { status: 500, when: 'A fault of the server. The message tells nothing of its cause.' },
  unavailable: { status: 503, when: 'The database does not answer: try again after `Retry-After` seconds.' },
} as const

export type ErrorCode = keyof typeof ERRORS
export type ErrorBody = { error: { code: ErrorCode; message: string } }

/** Stops a request: a route or what it calls throws it, and the client gets this code and message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message)
  }
}

/** The one place that builds an error response. */
export function errorResponse(code: ErrorCode, message: string, extra?: HeaderFields): Response {
  const body: ErrorBody = { error: { code, message } }
  return jsonResponse(ERRORS[code].status, body, extra)
}

/** The same answer for content that does not exist and content the client may not see. */
export const notFound = (): ApiError =>
  new ApiError('not_found', 'There is no changelog or version at this address that you may read.')

export const internalError = (): Response =>
  errorResponse('internal_error', 'The server failed to answer. The fault is in its log.')

export const noSuchRoute = (): Response =>
  errorResponse('not_found', 'There is no such route: see /openapi.json.')

/** A 401 that names the scheme it asks for. */
export const unauthorized = (scheme: 'Basic' | 'Bearer', message: string): Response =>
  errorResponse('unauthorized', message, {
    'www-authenticate': `${scheme} realm="changelogd"${scheme === 'Basic' ? ', charset="UTF-8"' : ''}`,
  })
