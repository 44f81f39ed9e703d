import { browserModule, browserScript } from '../http/reference/browser-scripts.ts' with { type: 'macro' }
import type { HeaderFields } from '../http/request/json-response.ts'
import type { Site } from '../http/site/site.ts'
import { createStylesheet } from '../http/site/stylesheet.ts'
import { PASTE_SCRIPT, SCRIPT, STYLE } from './layout.ts'
import conflict from './look/conflict.css' with { type: 'text' }
import controls from './look/controls.css' with { type: 'text' }
import editor from './look/editor.css' with { type: 'text' }
import pictures from './look/pictures.css' with { type: 'text' }
import publishing from './look/publishing.css' with { type: 'text' }
import rows from './look/rows.css' with { type: 'text' }

const SOURCE = browserScript('desk')
/** A module that the script loads with the first paste of formatted text. */
const PASTE = browserModule('desk-paste')

/** The stylesheet or the script: everybody may have them. Null for other paths. */
export function assets({ brandColor }: Site, path: string): Response | null {
  if (path === STYLE)
    return file(
      'text/css',
      createStylesheet(brandColor, [controls, rows, editor, pictures, publishing, conflict].join('')),
    )
  if (path === PASTE_SCRIPT) return file('text/javascript', PASTE)
  return path === SCRIPT ? file('text/javascript', `(${SOURCE})()`) : null
}

const file = (type: string, content: string): Response => {
  const headers: HeaderFields = { 'content-type': `${type}; charset=utf-8` }
  return new Response(content, { headers })
}
