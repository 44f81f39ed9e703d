import { replaceInText, textPattern } from './in-text.ts'

const ADDRESS = /&lt;(?<address>(?:https?:\/\/|mailto:)(?:(?!&[lg]t;)[^\s<])+)&gt;/
const MAIL = /&lt;(?<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)&gt;/
const BRACKETED = textPattern(new RegExp(`${ADDRESS.source}|${MAIL.source}`, 'i'))

/**
 * Rendered markdown in which addresses in angle brackets are links: together with raw HTML, the renderer takes these for
 * text. They are not checked yet.
 */
export function linkBracketed(rendered: string): string {
  if (!rendered.includes('&lt;')) return rendered
  return replaceInText(rendered, BRACKETED, ({ address, mail }) => {
    if (address) return `<a href="${address}">${address}</a>`
    return mail ? `<a href="mailto:${mail}">${mail}</a>` : null
  })
}
