import type { Body } from '../answers/cached-response.ts'
import type { Responder } from '../answers/responder.ts'
import type { HeaderFields } from '../request/json-response.ts'
import type { Site } from '../site/site.ts'

/** What a feed or a file needs to read, to write and to send itself. */
export type FeedTools = ReturnType<typeof createFeedTools>

export function createFeedTools(site: Site, { short, long, headers: { forPublic } }: Responder) {
  const headers = { ...forPublic, 'content-security-policy': "default-src 'none'" }
  return {
    site,
    short,
    long,
    headers,
    body: (text: string, type: string, own?: HeaderFields): Body => ({
      text,
      headers: own ? { ...headers, ...own } : headers,
      type: `${type}; charset=utf-8`,
    }),
  }
}
