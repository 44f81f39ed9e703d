import type { Config } from '../../config/config.ts'
import { exportSchema as describeExport } from '../../formats/native/published-schema.ts'
import { widgetLanguages } from '../../words/languages.ts'
import { describeApi } from '../api/openapi/document.ts'
import type { Asked } from '../reading/parameters.ts'
import type { HeaderFields } from '../request/json-response.ts'
import { createStylesheetWith } from '../site/stylesheet.ts'
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

type Routes = Parameters<typeof describeApi>[0]

/** Each is built on first use. */
const fixed =
  (headers: HeaderFields, build: (config: Config, routes: Routes) => string) =>
  ({ responder, config, context }: Asked, routes: Routes): Promise<Response> =>
    responder.fixed(context, headers, () => build(config, routes))

export const document = fixed({}, ({ publicUrl }, routes) => JSON.stringify(describeApi(routes, publicUrl)))
export const page = fixed(PAGE, ({ publicUrl, gate }, routes) =>
  referencePage(describeApi(routes, publicUrl), gate !== null),
)
export const exportSchema = fixed({}, () => JSON.stringify(describeExport()))
export const style = fixed(STYLE, ({ brandColor }) => createStylesheetWith(brandColor, own))
export const script = fixed(SCRIPT, () => `${browserScript('reference')}()`)

/** The widget is told of the server that it comes from. Only its stylesheet has lines. */
export const widget = fixed(SCRIPT, ({ siteLanguage, pages }) => {
  const site = { language: siteLanguage, hasPages: pages !== 'off' }
  const script = browserScript('widget', 'LANGUAGES', 'SITE').replaceAll('\n', '')
  return `${script}(${JSON.stringify(widgetLanguages())},${JSON.stringify(site)})`
})
