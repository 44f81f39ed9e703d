import { markdownAddress, SITE, withoutSuffix } from '../../domain/addresses/paths.ts'
import type { PageLanguage } from '../../words/languages.ts'
import type { Body } from '../answers/cached-response.ts'
import type { ResponseHeaders } from '../answers/headers.ts'
import type { Redirect } from '../answers/responder.ts'
import type { Context } from '../request/context.ts'
import { type HeaderFields, NO_SNIFFING } from '../request/json-response.ts'
import type { Site } from '../site/site.ts'
import { pathOf } from '../target.ts'

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

export type PageForms = ReturnType<typeof createForms>

/** The headers of every page as HTML, errors included. */
export const securityHeaders = ({ policy }: Site): HeaderFields => ({
  'content-security-policy': policy,
  ...NO_SNIFFING,
  'referrer-policy': 'no-referrer',
})

export function createForms(site: Site, headers: ResponseHeaders) {
  const forHtml = { ...headers.forPages, ...securityHeaders(site) }
  const forMarkdown = { ...headers.forMarkdown, 'content-security-policy': "default-src 'none'" }
  const html: PageForm = {
    isMarkdown: false,
    body: (text, { code } = site.language) => ({
      text,
      headers: { ...forHtml, 'content-language': code },
      type: HTML,
    }),
    leadTo: (location) => ({ location, headers: forHtml }),
  }
  const inMarkdown = (addressOf: (location: string) => string): PageForm => ({
    isMarkdown: true,
    body: (text) => ({ text, headers: forMarkdown, type: MARKDOWN }),
    leadTo: (location) => ({ location: addressOf(location), headers: forMarkdown }),
  })
  const preferred = inMarkdown((location) => location)
  const addressed = inMarkdown(markdownAddress)
  const unaddressed = ({ asMarkdown }: Context): PageForm => (asMarkdown ? preferred : html)

  return {
    addressed,

    /** For an address without the suffix: by the preference of the client. */
    unaddressed,

    /** The form of a page, and the last name in its address without the suffix. */
    of: (context: Context, given: string): { form: PageForm; name: string } => {
      const name = withoutSuffix(given)
      return name === null ? { form: unaddressed(context), name: given } : { form: addressed, name }
    },

    ofHome: (context: Context): PageForm =>
      pathOf(context.target) === SITE.home ? unaddressed(context) : addressed,
  }
}

/** The query of a page, as clients see it. */
export const searchOf = ({ target }: Context): string => target.slice(pathOf(target).length)
