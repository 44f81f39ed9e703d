import { html, type SafeHtml } from '@remix-run/html-template'

/** Markup that is inserted as it is. Only `html` and `trusted` make it. */
export type Markup = SafeHtml

/** A template that escapes every value except `Markup`, in texts and quoted attributes. */
export { html }

/** The only way around escaping: for rendered markdown, the stylesheet and JSON with its `<` escaped. */
export const trusted = (text: string): Markup => html.raw`${text}`
