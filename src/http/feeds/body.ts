import type { Body } from '../answers/cached-response.ts'
import type { HeaderFields } from '../request/json-response.ts'
import type { Tools } from '../tools.ts'

/** The headers of every feed and file. */
export const fileHeaders = ({ responder: { headers } }: Tools): HeaderFields => ({
  ...headers.forPublic,
  'content-security-policy': "default-src 'none'",
})

/** The body of a feed or a file of this type. */
export const fileBody = (tools: Tools, text: string, type: string, own: HeaderFields = {}): Body => ({
  text,
  headers: { ...fileHeaders(tools), ...own },
  type: `${type}; charset=utf-8`,
})
