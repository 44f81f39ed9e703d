import { type Buckets, type Rate, rateHeaders } from '../limits/limiter.ts'
import { errorResponse, type Refuse, unauthorized } from './errors.ts'

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
