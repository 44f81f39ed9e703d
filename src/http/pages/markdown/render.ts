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

/** Keeps what follows from opening a heading, list or code block: markdown takes it for text. */
const NO_BLOCK = '\u00A0 '

/**
 * The most characters of a text that are rendered: more would hold up other requests. Longer texts are whole in the
 * API and in `CHANGELOG.md`.
 */
const MAX_LENGTH = 60_000

/** Block markdown, whose topmost headings become headings of this level. */
export function renderBlocks(source: string, level: number): string {
  const text = source.length > MAX_LENGTH ? `${cutAtLine(source)}\n\n…` : source
  return check(linkBracketed(Bun.markdown.html(printable(text), OPTIONS)), level)
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

/** At most `MAX_LENGTH` characters, of whole lines if there are any. */
const cutAtLine = (text: string): string =>
  text.slice(0, text.lastIndexOf('\n', MAX_LENGTH) + 1 || MAX_LENGTH).toWellFormed()

/** Most titles have no markup at all. */
const isPlain = (text: string): boolean => /^[\p{L}\p{M}\p{N} ,;()'’“”–—+/%#-]*$/u.test(text)

const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim()

/** The text without control characters, which neither HTML nor XML allow. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '')
