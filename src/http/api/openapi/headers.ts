import { mapRows } from '../../../domain/objects.ts'

/** The meaning of each response header. */
const HEADERS = {
  ETag: 'Identifies this response. Send it as `If-None-Match` to get a 304 while nothing has changed.',
  'Cache-Control': 'Who may cache the response, and for how long.',
  Location: 'The address of the version by its own label.',
  Link: 'The next page, with `rel="next"`. Absent on the last page.',
  'Content-Language':
    'The language of the product, with `include=changes`. Absent if it has none of its own.',
  'Access-Control-Allow-Origin': 'Always `*` on public routes, so pages of every origin can read them.',
  'RateLimit-Policy': 'On public routes, the limit: `q` requests in `w` seconds.',
  RateLimit:
    'On public routes, the remaining requests (`r`), and the seconds until all are available again (`t`).',
  'Retry-After': 'Seconds to wait before the next attempt.',
  'WWW-Authenticate': 'The authentication scheme of the missing credential.',
  Allow: 'The allowed methods.',
} as const

export type HeaderName = keyof typeof HEADERS

export const headerComponents = () =>
  mapRows(HEADERS, (description, name) => ({
    description,
    schema: { type: name === 'Retry-After' ? 'integer' : 'string' },
  }))

export const headers = (...names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
