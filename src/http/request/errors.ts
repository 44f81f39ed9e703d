import { SITE } from '../../domain/addresses/paths.ts'
import { Unavailable } from '../../domain/refusal.ts'
import { TooLong } from '../../store/store.ts'
import { type Buckets, type Rate, rateHeaders } from '../limits/limiter.ts'
import { type HeaderFields, jsonResponse } from './json-response.ts'

/** Every error of the API by code: its status, and when it is returned. */
export const ERRORS = {
  bad_request: {
    status: 400,
    when: 'A query parameter or the `Host` header has an invalid value, or is given twice.',
  },
  unauthorized: { status: 401, when: 'The credential is missing, malformed, unknown, expired or disabled.' },
  forbidden: {
    status: 403,
    when: 'The key is valid, but belongs to another team or cannot read this product.',
  },
  not_found: {
    status: 404,
    when: 'The changelog or version does not exist. On public routes, hidden content returns the same 404.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The method is not allowed. The `Allow` header lists the allowed ones.',
  },
  rate_limited: {
    status: 429,
    when: 'Too many requests from this address. Try again after `Retry-After` seconds.',
  },
  internal_error: { status: 500, when: 'The server failed. The message does not reveal the cause.' },
  unavailable: {
    status: 503,
    when: 'The database is not responding, or too much waits. Try again after `Retry-After` seconds.',
  },
} as const

export type ErrorCode = keyof typeof ERRORS
export type ErrorBody = { error: { code: ErrorCode; message: string } }

/** Routes throw it to end a request with this code and message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message)
  }
}

/** Too many jobs wait in the queue: of all clients, or of this one. */
export class Busy extends Error {}

/** Builds an error response: JSON, or a page. */
export type Refuse = (code: ErrorCode, message: string, extra?: HeaderFields) => Response

/** The only function that builds error responses of the API. */
export const errorResponse = (code: ErrorCode, message: string, extra?: HeaderFields): Response =>
  jsonResponse(ERRORS[code].status, bodyOf(code, message), extra)

const bodyOf = (code: ErrorCode, message: string): ErrorBody => ({ error: { code, message } })

const NOT_FOUND = 'No changelog or version was found at this address.'

/** The same error for missing and hidden content. */
export const notFound = (): ApiError => new ApiError('not_found', NOT_FOUND)

export const reversed = (): ApiError => new ApiError('bad_request', 'from must be below to.')

/** `notFound` as a response, because throwing costs more. For a changelog that may be read, it names the parameter with a missing label. */
export const notFoundResponse = (
  refuse: Refuse,
  headers?: HeaderFields,
  parameter: string | null = null,
): Response =>
  refuse('not_found', parameter ? `${parameter} names no version of this changelog.` : NOT_FOUND, headers)

/** Builds 404 responses of the API. Their body and headers are made once, because only `ratelimit` differs each time. */
export function createNotFound(common: HeaderFields): (rateLimit?: string) => Response {
  const { headers } = errorResponse('not_found', NOT_FOUND, common)
  const body = JSON.stringify(bodyOf('not_found', NOT_FOUND))
  return (rateLimit) => {
    if (rateLimit === undefined) headers.delete('ratelimit')
    else headers.set('ratelimit', rateLimit)
    return new Response(body, { status: ERRORS.not_found.status, headers })
  }
}

export const internalError = (refuse: Refuse = errorResponse): Response =>
  refuse('internal_error', 'The server failed. The error is in its log.')

/** Responds to an error of a handler, and reports its hidden part. */
export function respondToError(error: unknown, report: (error: unknown) => void, refuse: Refuse): Response {
  if (error instanceof ApiError)
    return error.code === 'unauthorized'
      ? unauthorized('Bearer', error.message)
      : refuse(error.code, error.message)
  if (!(error instanceof Busy)) report(error)
  const reason = outageReason(error)
  return reason === null ? internalError(refuse) : refuse('unavailable', reason, { 'retry-after': '5' })
}

/** Why the server cannot respond now, in words for clients; null for other errors. */
export function outageReason(error: unknown): string | null {
  if (error instanceof Busy || error instanceof TooLong) return error.message
  return error instanceof Unavailable ? 'The database is not responding.' : null
}

export const noSuchRoute = (refuse: Refuse = errorResponse): Response =>
  refuse('not_found', `There is no such route. For all routes, see ${SITE.openapi}.`)

const unauthorized = (
  scheme: 'Basic' | 'Bearer',
  message: string,
  refuse: Refuse = errorResponse,
): Response =>
  refuse('unauthorized', message, {
    'www-authenticate': `${scheme} realm="changelogd"${scheme === 'Basic' ? ', charset="UTF-8"' : ''}`,
  })

/** How a request ends before its route. */

export const badHost = (): Response =>
  errorResponse('bad_request', 'The Host header must have one host name or address, and optionally a port.')

export const siteUnauthorized = (refuse?: Refuse): Response =>
  unauthorized('Basic', 'This site requires a user name and a password.', refuse)

export const notAllowed = (refuse: Refuse = errorResponse, more = ''): Response =>
  refuse('method_not_allowed', 'This API is read-only. Use GET or HEAD.', {
    allow: `GET, HEAD${more}`,
  })

/** `requests` are the buckets that headers are about. */
export function tooMany(rate: Rate, requests: Buckets, refuse: Refuse = errorResponse): Response {
  const wait = rate.retryAfter === 1 ? '1 second' : `${rate.retryAfter} seconds`
  return refuse('rate_limited', `Too many requests from this address. Try again in ${wait}.`, {
    ...rateHeaders(rate, requests),
    'retry-after': String(rate.retryAfter),
  })
}
