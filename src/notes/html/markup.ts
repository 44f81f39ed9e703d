import { html, type SafeHtml } from '@remix-run/html-template'

/** Markup that is inserted as it is. Only `html` and `trusted` make it. */
export type Markup = SafeHtml

/** A template that escapes every value except `Markup`, in texts and quoted attributes. */
export { html }

/** The only way around escaping: for rendered markdown, the stylesheet and JSON with its `<` escaped. */
export const trusted = (text: string): Markup => html.raw`${text}`

/** A text as markup, with values in place of `{name}` that may be markup. */
export const fill = (text: string, values: Readonly<Record<string, string | Markup | null>>): Markup =>
  html`${text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : values[part]))}`
