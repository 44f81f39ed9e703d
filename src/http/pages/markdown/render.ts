import { en } from '../languages/en.ts'
import type { AuthoredWords } from '../languages/words.ts'
import { markAlerts } from './alerts.ts'
import { NO_BLOCK, type Rendered, renderWithin } from './bounds.ts'
import { linkBracketed } from './bracketed-links.ts'
import { check } from './check.ts'
import { mayHaveHtml } from './elements.ts'
import { showEmoji } from './emoji.ts'
import { unescapeHtml } from './entities.ts'
import { renderFootnotes } from './footnotes.ts'
import { markPictures } from './pictures.ts'
import { linkReferences } from './references.ts'
import type { Repository } from './repository.ts'

/**
 * Markdown to HTML that is safe to show. The HTML that GitHub renders goes through a sanitizer, other HTML is shown as
 * text, and every element and address of the result is checked.
 */

const AS_TEXT = { autolinks: true, noHtmlBlocks: true, noHtmlSpans: true } as const
const WITH_HTML = { autolinks: true } as const
/** Of an item of a task list. */
const BOX = /^\[[ xX]\] /
const PARAGRAPH = new RegExp(`^<p>${NO_BLOCK}([^]*)</p>\n?$`)

/**
 * Block markdown, whose topmost headings become headings of this level; of a text that is too long, its beginning. With
 * the repository of the product, names, numbers and addresses of its host are short links.
 */
export function renderBlocks(
  source: string,
  level: number,
  length: number,
  repository: Repository | null = null,
  words = en.authored,
): Rendered {
  // One character more shows that the text is longer.
  const text = printable(source.slice(0, length + 1))
  const { html, isCut } = renderWithin(text, length, (part, bounded) =>
    markPictures(
      decorate(
        markAlerts(
          renderFootnotes(part, words, (each) => toHtml(each, bounded)),
          words,
        ),
        repository,
      ),
    ),
  )
  return { html: check(html, level, words), isCut }
}

/** Inline markdown: the title of a release or change. */
export function renderInline(
  source: string,
  repository: Repository | null = null,
  words = en.authored,
): string {
  const text = oneLine(source)
  const box = BOX.exec(text)?.[0]
  return box === undefined
    ? renderLine(text, repository, words)
    : boxOf(box, words) + renderLine(text.slice(box.length), repository, words)
}

/** The same for several, of which most become HTML together: that takes half the time. */
export function renderLines(
  sources: readonly string[],
  repository: Repository | null = null,
  words = en.authored,
): string[] {
  const texts = sources.map(oneLine)
  const isUsual = (text: string) => !isPlain(text, repository) && !mayHaveHtml(text) && !BOX.test(text)
  const together = renderTogether(texts.filter(isUsual), repository, words)
  return texts.map(
    (text) => (isUsual(text) ? together.shift() : undefined) ?? renderInline(text, repository, words),
  )
}

/** Lines as paragraphs of one text, then as items of one list. Empty if that does not give as many. */
function renderTogether(
  texts: readonly string[],
  repository: Repository | null,
  words: AuthoredWords,
): string[] {
  if (texts.length < 2) return []
  const [start, end] = [`<p>${NO_BLOCK}`, '</p>\n']
  const paragraphs = Bun.markdown.html(texts.map((text) => NO_BLOCK + text).join('\n\n'), AS_TEXT)
  const inner = paragraphs.slice(start.length, -end.length).split(end + start)
  if (inner.length !== texts.length || inner.some((each) => /<\/?p>/.test(each))) return []
  const items = linkBracketed(`<li>${inner.join('</li><li>')}</li>`)
  const html = check(decorate(items, repository), 6, words)
    .slice('<li>'.length, -'</li>'.length)
    .split('</li><li>')
  return html.length === texts.length ? html : []
}

function renderLine(text: string, repository: Repository | null, words: AuthoredWords): string {
  if (isPlain(text, repository)) return text
  const hasHtml = mayHaveHtml(text)
  const rendered = Bun.markdown.html(NO_BLOCK + text, hasHtml ? WITH_HTML : AS_TEXT)
  const inner = PARAGRAPH.exec(rendered)?.[1]
  // More than a paragraph: then the source is shown as it is.
  if (inner === undefined || (!hasHtml && /<\/?p>/.test(inner))) return Bun.escapeHTML(text)
  return check(
    decorate(hasHtml ? sanitizer().sanitizeLine(inner) : linkBracketed(inner), repository),
    6,
    words,
  )
}

/** The box of an item of a task list, as markdown has it. */
const boxOf = (box: string, words: AuthoredWords): string =>
  check(`<input type="checkbox"${box === '[ ] ' ? '' : ' checked'} disabled> `, 6, words)

/** The text of inline markdown without its markup, as a reader sees it. */
export function plainText(source: string): string {
  const text = renderInline(source)
    .replace(/^<input [^>]*> /, '')
    .replace(/<br ?\/?>/g, ' ')
    .replace(/<(?:[^<>"]|"[^"]*")*>/g, '')
  return unescapeHtml(text) ?? text
}

const toHtml = (markdown: string, bounded: (html: string) => string): string =>
  mayHaveHtml(markdown)
    ? sanitizer().sanitizeBlocks(bounded(Bun.markdown.html(markdown, WITH_HTML)))
    : linkBracketed(bounded(Bun.markdown.html(markdown, AS_TEXT)))

const decorate = (html: string, repository: Repository | null): string =>
  repository ? linkReferences(showEmoji(html), repository) : showEmoji(html)

/** Loaded when first needed: many changelogs have no HTML. */
const sanitizer = () => require('./sanitizer.ts') as typeof import('./sanitizer.ts')

/** Many titles have no markup at all. */
const isPlain = (text: string, repository: Repository | null): boolean =>
  /^[\p{L}\p{M}\p{N} ,;()'’“”–—+/%#-]*$/u.test(text) && !(repository && /[#\d]/.test(text))

const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim()

/** The text without control characters, which neither HTML nor XML allow. */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, '')
