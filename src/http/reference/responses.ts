import type { HeaderFields } from '../json-response.ts'
import type { ApiDocument } from '../openapi/document.ts'
import type { Responder } from '../responses/responder.ts'

const STYLE: HeaderFields = { 'content-type': 'text/css; charset=utf-8' }
const SCRIPT: HeaderFields = { 'content-type': 'text/javascript; charset=utf-8' }

/** The page loads its own files and calls its own server, and nothing else. */
const PAGE: HeaderFields = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

export interface ReferenceSettings {
  /** Whether the site asks for a password. */
  gated: boolean
  brandColor: string
}

/**
 * The description of the API for machines and for people, and the widget. All of it is built when it is first asked
 * for.
 */
export function createReferenceResponses(
  { fixed }: Responder,
  describe: () => ApiDocument,
  { gated, brandColor }: ReferenceSettings,
) {
  return {
    document: fixed({}, () => JSON.stringify(describe())),
    page: fixed(PAGE, () => parts().referencePage(describe(), gated)),
    style: fixed(STYLE, () => parts().styleIn(brandColor)),
    script: fixed(SCRIPT, () => parts().script),
    widget: fixed(SCRIPT, () => parts().widget),
  }
}

/** Loaded when first needed: that is rare, and would slow down every start. */
const parts = () => require('./reference.ts') as typeof import('./reference.ts')
