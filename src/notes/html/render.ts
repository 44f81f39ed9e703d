import { printable } from '../../domain/text/controls.ts'
import { ADVISORY } from '../../domain/versions/marks/advisories.ts'
import type { AuthoredWords } from '../../words/languages.ts'
import { WORDS } from '../../words/languages.ts'
import { linkAdvisories } from './advisories.ts'
import { type Rendered, renderWithin } from './bounds.ts'
import { linkBracketed } from './bracketed-links.ts'
import { check } from './check.ts'
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
/** The box of a task. */
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
  words = WORDS.en.authored,
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
  return { html: check(html, level, words, true), isCut }
}

/** Inline markdown: the title of a release or change. */
export function renderInline(
  source: string,
  repository: Repository | null = null,
  words = WORDS.en.authored,
): string {
  const text = oneLine(source)
  const box = BOX.exec(text)?.[0]
  return box === undefined
    ? renderLine(text, repository, words)
    : boxOf(box, words) + renderLine(text.slice(box.length), repository, words)
}

function renderLine(text: string, repository: Repository | null, words: AuthoredWords): string {
  if (isPlain(text, repository)) return text
  const hasHtml = mayHaveHtml(text)
  const inner = PARAGRAPH.exec(Bun.markdown.html(LEAD + text, hasHtml ? WITH_HTML : AS_TEXT))?.[1]
  // More than a paragraph: then the source is shown as it is.
  if (inner === undefined || (!hasHtml && /<\/?p>/.test(inner))) return printable(Bun.escapeHTML(text))
  const line = hasHtml ? sanitizer().sanitizeLine(inner) : linkBracketed(inner)
  // Left-out comments leave no spaces at the ends.
  return check(decorate(line.replace(/^ +| +$/g, ''), repository), 6, words)
}

/** The box of an item of a task list, as markdown has it. */
const boxOf = (box: string, words: AuthoredWords): string =>
  check(`<input type="checkbox"${box === '[ ] ' ? '' : ' checked'} disabled> `, 6, words)

/** The text of inline markdown without its markup, as a reader sees it. */
export const plainText = (source: string): string => textIn(renderInline(source))

/** The text of rendered inline markdown. */
export function textIn(html: string): string {
  const text = html
    .replace(/^<input [^>]*> /, '')
    .replace(/<br ?\/?>/g, ' ')
    .replace(TAG, '')
  return unescapeHtml(text) ?? text
}

function toHtml(markdown: string, bounded: (html: string) => string): string {
  const hasHtml = mayHaveHtml(markdown)
  const html = bounded(Bun.markdown.html(markdown, hasHtml ? WITH_HTML : AS_TEXT))
  return hasHtml ? sanitizer().sanitizeBlocks(html) : linkBracketed(html)
}

function decorate(html: string, repository: Repository | null): string {
  const linked = linkAdvisories(showEmoji(html))
  return repository ? linkReferences(linked, repository) : linked
}

/** Loaded when first needed: many changelogs have no HTML. */
const sanitizer = () => require('./sanitizer.ts') as typeof import('./sanitizer.ts')

/** Many titles have no markup at all. */
const isPlain = (text: string, repository: Repository | null): boolean =>
  /^[\p{L}\p{M}\p{N} ,;()'’“”–—+/%#-]*$/u.test(text) &&
  !(repository && /[#\d]/.test(text)) &&
  !ADVISORY.test(text)

const oneLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ').trim()
