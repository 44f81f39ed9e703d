import type { Audience } from '../../store/store.ts'
import { type HeaderFields, NO_SNIFFING } from '../request/json-response.ts'

export type ResponseHeaders = ReturnType<typeof createResponseHeaders>

/** Headers for caches and CORS. With a password, not even public responses may be in shared caches. */
export function createResponseHeaders(publicMaxAge: number, gated: boolean, ratePolicy: string) {
  const everyPage: HeaderFields = { 'ratelimit-policy': ratePolicy }
  const everyPublic: HeaderFields = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
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
  const byForm: HeaderFields = { vary: `${shared.vary}, Accept` }
  const forPublic: HeaderFields = { ...everyPublic, ...shared }
  return {
    /** For public responses of the API and pages, errors included. */
    everyPublic,
    everyPage,
    /** For content that scripts of other sites may read, and for pages. */
    forPublic,
    forPages: { ...everyPage, ...shared, ...byForm } as HeaderFields,
    /** Pages as Markdown, which programs read. */
    forMarkdown: { ...forPublic, ...byForm } as HeaderFields,
    forAudience: (audience: Audience): HeaderFields => (audience === 'public' ? forPublic : keyed),
  }
}
