import type { Body } from '../answers/cached-response.ts'
import type { HeaderFields } from '../request/json-response.ts'
import type { Tools } from '../tools.ts'

export const fileHeaders = ({ responder: { headers } }: Tools): HeaderFields => ({
  ...headers.forPublic,
  'content-security-policy': "default-src 'none'",
})

export const fileBody = (tools: Tools, text: string, type: string, own: HeaderFields = {}): Body => ({
  kind: 'body',
  text,
  headers: { ...fileHeaders(tools), ...own },
  type: `${type}; charset=utf-8`,
})
