import { html, type Markup, trusted } from '../../notes/html/markup.ts'

/** Texts of the OpenAPI document as HTML. They are our own markdown. */

const MARKDOWN = { noHtmlBlocks: true, noHtmlSpans: true }

export const blocks = (text: string): Markup => trusted(Bun.markdown.html(text, MARKDOWN))

/** A paragraph without its element. */
export const paragraphText = (text: string): Markup =>
  trusted(
    Bun.markdown
      .html(text, MARKDOWN)
      .trim()
      .replace(/^<p>|<\/p>$/g, ''),
  )

/** Indented JSON in a block that can be scrolled by keyboard. */
export const json = (value: unknown, label: string): Markup =>
  html`<pre tabindex="0" aria-label="${label}"><code>${JSON.stringify(value, null, 2)}</code></pre>`

export const slug = (name: string): string => name.toLowerCase()
