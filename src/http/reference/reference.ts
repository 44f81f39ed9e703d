import { createStylesheetWith } from '../pages/style/stylesheet.ts'
import { browserScript } from './browser-scripts.ts' with { type: 'macro' }
import own from './reference.css' with { type: 'text' }

export { referencePage } from './page.ts'
export const styleIn = (brandColor: string): string => createStylesheetWith(brandColor, own)
export const script = browserScript('reference')
export const widget = browserScript('widget')
