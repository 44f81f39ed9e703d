/** Elements whose content stays as it is, then any other tag: nothing in an attribute is replaced. */
const KEPT = /<(pre|code|a)\b(?:[^<>"]|"[^"]*")*>[\s\S]*?<\/\1>|<(?:[^<>"]|"[^"]*")*>/.source
const ADDRESS = /&lt;((?:https?:\/\/|mailto:)(?:(?!&[lg]t;)[^\s<])+)&gt;/.source
const MAIL = /&lt;([\w.+-]+@[\w-]+(?:\.[\w-]+)+)&gt;/.source
const KEPT_OR_BRACKETED = new RegExp(`${KEPT}|${ADDRESS}|${MAIL}`, 'gi')

/**
 * Rendered markdown in which addresses in angle brackets are links: together with raw HTML, the renderer takes these for
 * text. They are not checked yet.
 */
export function linkBracketed(rendered: string): string {
  if (!rendered.includes('&lt;')) return rendered
  return rendered.replace(KEPT_OR_BRACKETED, (found: string, _: string, address?: string, mail?: string) => {
    if (address) return `<a href="${address}">${address}</a>`
    return mail ? `<a href="mailto:${mail}">${mail}</a>` : found
  })
}
