import { ERRORS, type Refuse } from '../request/errors.ts'
import type { HeaderFields } from '../request/json-response.ts'
import type { Site } from '../site/site.ts'
import { errorDocument } from './documents.ts'
import { HTML, MARKDOWN, securityHeaders } from './form.ts'
import { errorPage, gatePage } from './templates/error.ts'

/** Errors as pages, for the pipeline. */
export function createErrorPages(site: Site) {
  const refused = (own: HeaderFields, write: (...error: Parameters<Refuse>) => string): Refuse => {
    const headers = { ...own, 'cache-control': 'no-store', ...securityHeaders(site) }
    return (code, message, extra) => {
      const status = { status: ERRORS[code].status, headers: { ...headers, ...extra } }
      return new Response(write(code, message, extra), status)
    }
  }
  const html = { 'content-type': HTML, 'content-language': site.language.code }
  return {
    refuse: refused(html, (code, message) => errorPage(site, code, message)),
    refuseAtGate: refused(html, (_, __, extra) => gatePage(site, Number(extra?.['retry-after'] ?? 0))),
    refuseAsMarkdown: refused({ 'content-type': MARKDOWN }, errorDocument),
  }
}
