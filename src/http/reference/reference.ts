import { browserScript } from './browser-scripts.ts' with { type: 'macro' }
import style from './reference.css' with { type: 'text' }

export { referencePage } from './page.ts'
export { style }
export const script = browserScript('reference')
export const widget = browserScript('widget')
