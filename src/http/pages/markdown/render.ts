import { NO_BLOCK, type Rendered, renderWithin } from './bounds.ts'
import { linkBracketed } from './bracketed-links.ts'
import { check } from './check.ts'
import { unescapeHtml } from './entities.ts'

/**
 * Markdown to HTML that is safe to show. Raw HTML in it is shown as text, and every element and address of the result is
 * checked.
 */

const OPTIONS = {
  noHtmlBlocks: true,
  noHtmlSpans: true,
  autolinks: true,
} as const

/** Block markdown, whose topmost headings become headings of this level; of a text that is too long, its beginning. */
export function renderBlocks(source: string, level: number, length: number): Rendered {
  // One character more shows that the text is longer.
  const text = printable(source.slice(0, length + 1))
  const { html, isCut } = renderWithin(text, length, (part) => Bun.markdown.html(part, OPTIONS))
  return { html: check(linkBracketed(html), level), isCut }
}

/** Inline markdown: the title of a release or change. */
export function renderInline(source: string): string {
  const text = oneLine(source)
  if (isPlain(text)) return text
  const rendered = linkBracketed(Bun.markdown.html(NO_BLOCK + text, OPTIONS))
  const inner = new RegExp(`^<p>${NO_BLOCK}([^]*)</p>\n?$`).exec(rendered)?.[1]
  // More than a paragraph: then the source is shown as it is.
  if (inner === undefined || /<\/?p>/.test(inner)) return Bun.escapeHTML(text)
  return check(inner, 6)
}

/** The text of inline markdown without its markup, as a reader sees it. */
export function plainText(source: string): string {
  const text = renderInline(source).replace(/<[^>]*>/g, '')
  return unescapeHtml(text) ?? text
}

/** Most titles have no markup at all. */
const isPlain = (text: string): boolean => /^[\p{L}\p{M}\p{N} ,;()'’“”–—+/%#-]*$/u.test(text)

const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim()

/** The text without control characters, which neither HTML nor XML allow. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '')
