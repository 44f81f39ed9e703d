import { exportSchema as describeExport } from '../../formats/native/published-schema.ts'
import { widgetLanguages } from '../../words/languages.ts'
import { describeApi } from '../api/openapi/document.ts'
import type { Context } from '../request/context.ts'
import type { HeaderFields } from '../request/json-response.ts'
import { createStylesheetWith } from '../site/stylesheet.ts'
import type { Tools } from '../tools.ts'
import { browserScript } from './browser-scripts.ts' with { type: 'macro' }
import { referencePage } from './page.ts'
import own from './reference.css' with { type: 'text' }

/** The OpenAPI document, the reference and the widget. */

const STYLE: HeaderFields = { 'content-type': 'text/css; charset=utf-8' }
const SCRIPT: HeaderFields = { 'content-type': 'text/javascript; charset=utf-8' }

/** The page loads only its own files and calls only its own server. */
const PAGE: HeaderFields = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

const describe = ({ routes, config }: Tools) => describeApi(routes, config.publicUrl)

/** Each is built on first use. */
const fixed =
  (headers: HeaderFields, build: (tools: Tools) => string) =>
  (tools: Tools, context: Context): Promise<Response> =>
    tools.responder.fixed(context, headers, () => build(tools))

export const document = fixed({}, (tools) => JSON.stringify(describe(tools)))
export const page = fixed(PAGE, (tools) => referencePage(describe(tools), tools.config.gate !== null))
export const exportSchema = fixed({}, () => JSON.stringify(describeExport()))
export const style = fixed(STYLE, ({ config }) => createStylesheetWith(config.brandColor, own))
export const script = fixed(SCRIPT, () => `${browserScript('reference')}()`)

/** The widget is told of the server that it comes from. Only its stylesheet has lines. */
export const widget = fixed(SCRIPT, ({ config }) => {
  const site = { language: config.siteLanguage, hasPages: config.pages !== 'off' }
  const script = browserScript('widget', 'LANGUAGES', 'SITE').replaceAll('\n', '')
  return `${script}(${JSON.stringify(widgetLanguages())},${JSON.stringify(site)})`
})
