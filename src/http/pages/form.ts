import { markdownAddress, withoutSuffix } from '../../domain/addresses/paths.ts'
import type { PageLanguage } from '../../words/languages.ts'
import type { Body } from '../answers/cached-response.ts'
import type { Redirect } from '../answers/responder.ts'
import type { Asked } from '../reading/parameters.ts'
import type { Context } from '../request/context.ts'
import { type HeaderFields, NO_SNIFFING } from '../request/json-response.ts'
import { queryOf } from '../target.ts'
import type { Tools } from '../tools.ts'

export const HTML = 'text/html; charset=utf-8'
export const MARKDOWN = 'text/markdown; charset=utf-8'

/** How a page is sent: as HTML, or as Markdown, by its address or because the client prefers it. */
export interface PageForm {
  readonly isMarkdown: boolean
  /** As HTML, in a language: that of the site by default. */
  body(text: string, language?: PageLanguage): Body
  /** To a path and query, in the same form. */
  leadTo(location: string): Redirect
}

/** The headers of every page as HTML, errors included. */
export const securityHeaders = (policy: string): HeaderFields => ({
  'content-security-policy': policy,
  ...NO_SNIFFING,
  'referrer-policy': 'no-referrer',
})

function htmlForm({ responder, site }: Tools): PageForm {
  const { language, policy } = site()
  const headers = { ...responder.headers.forPages, ...securityHeaders(policy) }
  return {
    isMarkdown: false,
    body: (text, { code } = language) => ({
      kind: 'body',
      text,
      headers: { ...headers, 'content-language': code },
      type: HTML,
    }),
    leadTo: (location) => ({ kind: 'redirect', location, headers }),
  }
}

/** Redirects lead to `addressOf` a location. */
export function markdownForm({ responder }: Tools, addressOf = markdownAddress): PageForm {
  const headers = { ...responder.headers.forMarkdown, 'content-security-policy': "default-src 'none'" }
  return {
    isMarkdown: true,
    body: (text) => ({ kind: 'body', text, headers, type: MARKDOWN }),
    leadTo: (location) => ({ kind: 'redirect', location: addressOf(location), headers }),
  }
}

/** The form at an address without the suffix: by the preference of the client. */
export const unaddressed = (asked: Asked): PageForm =>
  asked.context.asMarkdown ? markdownForm(asked, (location) => location) : htmlForm(asked)

/** The form of a page, and the last name in its address without the suffix. */
export function formOf(asked: Asked, given: string): { form: PageForm; name: string } {
  const name = withoutSuffix(given)
  return name === null ? { form: unaddressed(asked), name: given } : { form: markdownForm(asked), name }
}

/** The query of a page, as clients see it. */
export const searchOf = ({ target }: Context): string => queryOf(target)
