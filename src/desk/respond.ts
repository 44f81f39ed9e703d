import { PRIVATE } from '../http/entrance.ts'
import { type HeaderFields, withHeaders } from '../http/request/json-response.ts'

/** The pages run only the desk's own script, and load pictures of authors. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Of every response. That of a page in a frame has a policy of its own. */
const HEADERS: HeaderFields = {
  ...PRIVATE,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

const POLICY_NAME = 'content-security-policy'

export function withDeskHeaders(response: Response): Response {
  if (!response.headers.has(POLICY_NAME)) response.headers.set(POLICY_NAME, POLICY)
  return withHeaders(response, HEADERS)
}

export const htmlResponse = (body: string, status = 200): Response =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })

/** Leads on after a form: reloading then sends nothing again. */
export const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { location } })
