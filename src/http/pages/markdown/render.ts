import { printable } from '../../../domain/text/controls.ts'
import { en } from '../languages/en.ts'
import type { AuthoredWords } from '../languages/words.ts'
import { type Rendered, renderWithin } from './bounds.ts'
import { linkBracketed } from './bracketed-links.ts'
import { check } from './check.ts'
import { withoutComments } from './comments.ts'
import { mayHaveHtml } from './elements.ts'
import { unescapeHtml } from './entities.ts'
import { markAlerts } from './github/alerts.ts'
import { showEmoji } from './github/emoji.ts'
import { renderFootnotes } from './github/footnotes.ts'
import { linkReferences } from './github/references.ts'
import type { Repository } from './github/repository.ts'
import { TAG_END } from './in-text.ts'
import { markPictures } from './pictures.ts'

/**
 * Markdown to HTML that is safe to show. The HTML that GitHub renders goes through a sanitizer, other HTML is shown as
 * text, and every element and address of the result is checked.
 */

const AS_TEXT = { autolinks: true, noHtmlBlocks: true, noHtmlSpans: true } as const
const WITH_HTML = { autolinks: true } as const
/** Of an item of a task list. */
const BOX = /^\[[ xX]\] /
const TAG = new RegExp(`<${TAG_END}`, 'g')
/**
 * Keeps a line from opening a heading, list or code block, and is taken away again. Within ASCII: otherwise all HTML would be of
 * 16 bits a character.
 */
const LEAD = 'x '
const PARAGRAPH = new RegExp(`^<p>${LEAD}([^]*)</p>\n?$`)

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
  const text = source.slice(0, length + 1)
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
  const together = renderTogether(
    texts.filter((text) => !isPlain(text, repository) && !BOX.test(text)),
    repository,
    words,
  )
  return texts.map((text) => together.get(text) ?? renderInline(text, repository, words))
}

/** Lines as items of one list, by their text. None if that does not give as many. */
function renderTogether(
  texts: readonly string[],
  repository: Repository | null,
  words: AuthoredWords,
): ReadonlyMap<string, string> {
  const inner = innerOf([...new Set(texts)])
  const items = `<li>${[...inner.values()].join('</li><li>')}</li>`
  const html = check(decorate(items, repository), 6, words)
    .slice('<li>'.length, -'</li>'.length)
    .split('</li><li>')
  return html.length === inner.size
    ? new Map([...inner.keys()].map((text, at) => [text, html[at] ?? '']))
    : new Map()
}

/** What is in the paragraphs of lines, by their text; without those that are more than a paragraph. */
function innerOf(texts: readonly string[]): ReadonlyMap<string, string> {
  const inner = new Map<string, string>()
  if (texts.length < 2) return inner
  const mixed = texts.filter(mayHaveHtml)
  const rendered = new Map(paragraphsOf(mixed, WITH_HTML).map((html, at) => [mixed[at], html]))
  for (const [at, shown] of paragraphsOf(texts, AS_TEXT).entries()) {
    const text = texts[at] ?? ''
    const html = mayHaveHtml(text) ? rendered.get(text) : shown
    if (html !== undefined && !shown.includes('<p>') && !shown.includes('</p>'))
      inner.set(text, safeLine(html, withoutComments(html, shown)))
  }
  return inner
}

/** The HTML of a line that may be shown; `plain` is null if it needs the sanitizer. What is left out leaves no spaces at its ends. */
const safeLine = (html: string, plain: string | null): string => {
  const line = plain === null ? sanitizer().sanitizeLine(html) : linkBracketed(plain)
  return line.startsWith(' ') || line.endsWith(' ') ? line.replace(/^ +| +$/g, '') : line
}

/** What is in the paragraph of each line. None if they do not give as many. */
function paragraphsOf(texts: readonly string[], options: typeof AS_TEXT | typeof WITH_HTML): string[] {
  const [start, end] = [`<p>${LEAD}`, '</p>\n']
  const html = Bun.markdown.html(texts.map((text) => LEAD + text).join('\n\n'), options)
  const inner = html.slice(start.length, -end.length).split(end + start)
  return inner.length === texts.length ? inner : []
}

function renderLine(text: string, repository: Repository | null, words: AuthoredWords): string {
  if (isPlain(text, repository)) return text
  const { html, plain } = renderMarkdown(LEAD + text)
  const inner = PARAGRAPH.exec(plain ?? html)?.[1]
  // More than a paragraph: then the source is shown as it is.
  if (inner === undefined || (plain !== null && /<\/?p>/.test(inner))) return printable(Bun.escapeHTML(text))
  return check(decorate(safeLine(inner, plain && inner), repository), 6, words)
}

/** The box of an item of a task list, as markdown has it. */
const boxOf = (box: string, words: AuthoredWords): string =>
  check(`<input type="checkbox"${box === '[ ] ' ? '' : ' checked'} disabled> `, 6, words)

/** The text of inline markdown without its markup, as a reader sees it. */
export function plainText(source: string): string {
  const text = renderInline(source)
    .replace(/^<input [^>]*> /, '')
    .replace(/<br ?\/?>/g, ' ')
    .replace(TAG, '')
  return unescapeHtml(text) ?? text
}

function toHtml(markdown: string, bounded: (html: string) => string): string {
  const { html, plain } = renderMarkdown(markdown)
  bounded(html)
  return plain === null ? sanitizer().sanitizeBlocks(html) : linkBracketed(plain)
}

/** The HTML of markdown; `plain` is null if HTML of the author is in it, except comments, which it is without. */
function renderMarkdown(markdown: string): { html: string; plain: string | null } {
  const shown = Bun.markdown.html(markdown, AS_TEXT)
  if (!mayHaveHtml(markdown)) return { html: shown, plain: shown }
  const html = Bun.markdown.html(markdown, WITH_HTML)
  return { html, plain: withoutComments(html, shown) }
}

const decorate = (html: string, repository: Repository | null): string =>
  repository ? linkReferences(showEmoji(html), repository) : showEmoji(html)

/** Loaded when first needed: many changelogs have no HTML. */
const sanitizer = () => require('./sanitizer.ts') as typeof import('./sanitizer.ts')

/** Many titles have no markup at all. */
const isPlain = (text: string, repository: Repository | null): boolean =>
  /^[\p{L}\p{M}\p{N} ,;()'’“”–—+/%#-]*$/u.test(text) && !(repository && /[#\d]/.test(text))

const oneLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ').trim()
