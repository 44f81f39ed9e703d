import type { Language } from '../../domain/records.ts'
import { widgetLanguages } from '../../words/languages.ts'
import { createStylesheetWith } from '../site/stylesheet.ts'
import { browserScript } from './browser-scripts.ts' with { type: 'macro' }
import own from './reference.css' with { type: 'text' }

export { exportSchema } from '../../formats/native/published-schema.ts'
export { describeApi } from '../api/openapi/document.ts'
export { referencePage } from './page.ts'
export const styleIn = (brandColor: string): string => createStylesheetWith(brandColor, own)
export const script = `${browserScript('reference')}()`
/** `site` is what the widget is told of the server that it comes from. Only its stylesheet has lines. */
export const widgetFor = (site: { language: Language; hasPages: boolean }): string =>
  `${browserScript('widget', 'LANGUAGES', 'SITE').replaceAll('\n', '')}(${JSON.stringify(widgetLanguages())},${JSON.stringify(site)})`
