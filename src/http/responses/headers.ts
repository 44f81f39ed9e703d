import type { Audience } from '../../store/store.ts'
import { type HeaderFields, NO_SNIFFING } from '../json-response.ts'

export type ResponseHeaders = ReturnType<typeof createResponseHeaders>

/**
 * The headers that responses share: who may cache them, and who may read them. If the site asks for a password, not even a
 * public response may be kept by a shared cache.
 */
export function createResponseHeaders(publicMaxAge: number, gated: boolean, ratePolicy: string) {
  const everyPage: HeaderFields = { 'ratelimit-policy': ratePolicy }
  const everyPublic: HeaderFields = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After',
    ...everyPage,
  }
  const keyed: HeaderFields = {
    ...NO_SNIFFING,
    'cache-control': 'private, no-cache',
    vary: gated ? 'Accept-Encoding, Authorization, X-Site-Authorization' : 'Accept-Encoding, Authorization',
  }
  const shared: HeaderFields = gated
    ? keyed
    : { ...NO_SNIFFING, 'cache-control': `public, max-age=${publicMaxAge}`, vary: 'Accept-Encoding' }
  const forPublic: HeaderFields = { ...everyPublic, ...shared }
  return {
    /** Of every public response of the API and of every page, errors too. */
    everyPublic,
    everyPage,
    /** Of content that scripts of other sites may read, and of content for people alone. */
    forPublic,
    forPages: { ...everyPage, ...shared } as HeaderFields,
    /** Of the API's content. */
    forAudience: (audience: Audience): HeaderFields => (audience === 'public' ? forPublic : keyed),
  }
}
