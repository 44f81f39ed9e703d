import { unescapeHtml } from './entities.ts'

/** What markdown may become, and which attributes of it stay. Everything else is removed, and its text kept. */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...Object.fromEntries(
      'p br hr em strong del code pre blockquote ul li table thead tbody tr h1 h2 h3 h4 h5 h6'
        .split(' ')
        .map((name) => [name, []]),
    ),
    ol: ['start'],
    th: ['align'],
    td: ['align'],
    a: ['href', 'title'],
    img: ['src', 'alt', 'title'],
    input: ['type', 'checked', 'disabled'],
  }),
)

/** The beginning of an element that needs more than to be there: it has attributes, or is to be changed. */
const ELEMENT_TO_CHECK = /<(?!\/?(?:p|br|em|strong|del|code|blockquote|ul|ol|li)(?: \/)?>)/

const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/**
 * Checks rendered markdown: only known elements and attributes stay, links lead to the web, to mail or, from its root, within the site, and
 * images come over https. The topmost headings become headings of `level`, and no level is skipped, however the author
 * counted. What scrolls can be reached by keyboard.
 */
export function check(rendered: string, level: number): string {
  if (!ELEMENT_TO_CHECK.test(rendered)) return rendered
  nextLevel = headingLevels(level)
  return rewriter.transform(withoutEmpty(rendered))
}

/** The level of the next heading of the text that is being checked. */
let nextLevel: (level: number) => number

/** One for all texts, as it takes longer to create than to use. A text is checked in one go, so none meets another. */
const rewriter = new HTMLRewriter().on('*', {
  element(element) {
    const name = element.tagName
    const allowed = ALLOWED.get(name)
    if (!allowed) {
      element.removeAndKeepContent()
      return
    }
    for (const [attribute] of [...element.attributes])
      if (!allowed.includes(attribute)) element.removeAttribute(attribute)
    if (name === 'a') checkLink(element)
    else if (name === 'img') checkImage(element)
    else if (name === 'input') checkBox(element)
    else if (name === 'pre') element.setAttribute('tabindex', '0')
    else if (name === 'table') makeScrollable(element)
    else if (name === 'th' || name === 'td') alignByClass(element)
    else if (/^h[1-6]$/.test(name)) element.tagName = `h${nextLevel(Number(name[1]))}`
  },
  comments(comment) {
    comment.remove()
  },
})

type Element = HTMLRewriterTypes.Element

function checkLink(element: Element): void {
  const href = element.getAttribute('href')
  const url = isRelative(href) ? null : urlOf(href)
  if (!url || !LINK_PROTOCOLS.has(url.protocol)) {
    element.removeAttribute('href')
    return
  }
  element.setAttribute('rel', 'nofollow noopener')
}

/** A path of the repository that the text is from, such as docs/guide.md, leads nowhere here. */
function isRelative(href: string | null): boolean {
  const text = unescapeHtml(href ?? '') ?? ''
  return !/^[/#]/.test(text) && URL.parse(text) === null
}

/** An image that is not loaded is replaced by its description. */
function checkImage(element: Element): void {
  const source = element.getAttribute('src')
  const alt = element.getAttribute('alt') || 'Image'
  if (!source || !/^https:\/\//i.test(source) || urlOf(source)?.protocol !== 'https:') {
    element.replace(alt, { html: true })
    return
  }
  element.setAttribute('alt', alt)
  element.setAttribute('loading', 'lazy')
  element.setAttribute('decoding', 'async')
  element.setAttribute('referrerpolicy', 'no-referrer')
}

/** A box of a task list has no label of its own. */
function checkBox(element: Element): void {
  const isDone = element.hasAttribute('checked')
  element.setAttribute('type', 'checkbox')
  element.setAttribute('disabled', '')
  if (isDone) element.setAttribute('checked', '')
  element.setAttribute('aria-label', isDone ? 'done' : 'not done')
}

function makeScrollable(element: Element): void {
  element.before('<section class="scroll" aria-label="Table" tabindex="0">', { html: true })
  element.after('</section>', { html: true })
}

function alignByClass(element: Element): void {
  const align = element.getAttribute('align')
  element.removeAttribute('align')
  if (align === 'center' || align === 'right') element.setAttribute('class', align)
}

/**
 * The levels of headings one after another: those of the highest level so far are `top`, and each is at most one below
 * the one before.
 */
function headingLevels(top: number): (level: number) => number {
  let highest = 6
  let previous = top - 1
  return (level) => {
    highest = Math.min(highest, level)
    previous = Math.min(top + level - highest, previous + 1, 6)
    return previous
  }
}

/** The address in an attribute, as a browser would read it, or null if it is none. */
function urlOf(attribute: string | null): URL | null {
  const text = attribute === null ? null : unescapeHtml(attribute)
  return text === null ? null : URL.parse(text, 'https://relative.invalid/')
}

/** A heading without words says nothing, and a link without words cannot be followed: it shows its address. */
const withoutEmpty = (rendered: string): string =>
  rendered
    .replace(/<h[1-6]><\/h[1-6]>\n?/g, '')
    .replace(/<a href="([^"]*)"(?: title="[^"]*")?><\/a>/g, '<a href="$1">$1</a>')
