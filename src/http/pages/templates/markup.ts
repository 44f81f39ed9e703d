import { html, type SafeHtml } from '@remix-run/html-template'

/** Markup that may be put into other markup as it is. Only `html` and `trusted` make it. */
export type Markup = SafeHtml

/** A template that escapes every value which is not `Markup`, in texts and in quoted attributes. */
export { html }

/**
 * The only way around escaping. For markup that this program made and checked: rendered markdown, the stylesheet and JSON
 * with its `<` escaped.
 */
export const trusted = (text: string): Markup => html.raw`${text}`
