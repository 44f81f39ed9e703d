import type { Config } from '../../config/config.ts'
import type { Responder } from '../answers/responder.ts'
import type { describeApi } from '../api/openapi/document.ts'
import type { HeaderFields } from '../request/json-response.ts'

const STYLE: HeaderFields = { 'content-type': 'text/css; charset=utf-8' }
const SCRIPT: HeaderFields = { 'content-type': 'text/javascript; charset=utf-8' }

/** The page loads only its own files and calls only its own server. */
const PAGE: HeaderFields = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

export type Reference = ReturnType<typeof createReference>

/** The OpenAPI document, the reference and the widget, built on first use. */
export function createReference(
  { fixed }: Responder,
  routes: Parameters<typeof describeApi>[0],
  { gate, brandColor, siteLanguage, pages, publicUrl }: Config,
) {
  const describe = () => parts().describeApi(routes, publicUrl)
  return {
    document: fixed({}, () => JSON.stringify(describe())),
    page: fixed(PAGE, () => parts().referencePage(describe(), gate !== null)),
    exportSchema: fixed({}, () => JSON.stringify(parts().exportSchema())),
    style: fixed(STYLE, () => parts().styleIn(brandColor)),
    script: fixed(SCRIPT, () => parts().script),
    widget: fixed(SCRIPT, () => parts().widgetFor({ language: siteLanguage, hasPages: pages !== 'off' })),
  }
}

/** Loaded on first use, which is rare. */
const parts = () => require('./reference.ts') as typeof import('./reference.ts')
