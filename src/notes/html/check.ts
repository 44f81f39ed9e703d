import { pictureAt } from '../../domain/addresses/paths.ts'
import { type Side, sidesOf } from '../../domain/pictures.ts'
import { printable } from '../../domain/text/controls.ts'
import { type AuthoredWords, fillText } from '../../words/languages.ts'
import { AUTHORED } from './elements.ts'
import { unescapeHtml } from './entities.ts'

/** Elements that a rendered text may have, with their attributes: those of authors, and ours. */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map([
  ...AUTHORED,
  ['a', ['href', 'title', 'class', 'id', 'aria-label']],
  ['blockquote', ['class']],
  ['div', ['align', 'class', 'role', 'aria-label']],
  ['img', [...(AUTHORED.get('img') ?? []), 'class']],
  ['li', ['id']],
  ['span', ['class']],
])

const AWAY = 'nofollow noopener'
export const REL = ` rel="${AWAY}"`

/** A tag as our renderers write it, then any other beginning of one. */
const TAG = /<(?:(\/?)([a-z][a-z\d]*)((?: [a-z-]+(?:="[^"]*")?)*)( ?\/?)>)?/g
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g

const HEADING = /^h[1-6]$/

const LINK_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/**
 * Checks rendered markdown: only known elements and attributes stay, links lead to the web, to mail or, from its root, within the site, and
 * images come over https or are pictures of ours, by their path. What is not exactly a tag is text. The topmost headings become headings of `level`, and no level is skipped,
 * however the author counted. What scrolls can be reached by keyboard. An image that is not shown is a link to it if there is one and
 * `hasLinks`, else its description in brackets.
 */
export function check(html: string, level: number, words: AuthoredWords, hasLinks = false): string {
  // After rendering: a character reference can stand for any of them.
  const rendered = printable(html)
  const nextLevel = headingLevels(level)
  let heading = level
  let links = hasLinks ? 0 : 1
  const checked = withoutEmpty(rendered).replace(
    TAG,
    (_, slash: string, name?: string, written?: string, end?: string) => {
      if (name === undefined) return '&lt;'
      if (name === 'a') links += slash ? -1 : 1
      const allowed = ALLOWED.get(name)
      if (!allowed) return ''
      if (HEADING.test(name)) {
        if (slash) return `</h${heading}>`
        heading = nextLevel(Number(name[1]))
        return tag(`h${heading}`, withClass(attributesOf(written, allowed)))
      }
      if (slash) return name === 'table' ? '</table></div>' : `</${name}>`
      const kept = attributesOf(written, allowed)
      if (name === 'img' && !isShown(kept.get('src'))) return unshown(kept, words, links === 0)
      if (name === 'source' && !isEachShown(kept.get('srcset'))) return ''
      if (name === 'table')
        return `<div class="scroll" role="group" aria-label="${words.table}" tabindex="0">${tag(name, kept)}`
      return tag(name, CHECKS[name]?.(kept, words) ?? withClass(kept), end)
    },
  )
  return checked.replace(UNSHOWN, '$1')
}

/** No image of it is left. */
const UNSHOWN = /<picture>(?:<source [^>]*>)*((?:(?!<img |<\/picture>).)*)<\/picture>/gs

type Attributes = Map<string, string>

function attributesOf(written: string | undefined, allowed: readonly string[]): Attributes {
  const kept: Attributes = new Map()
  if (!written) return kept
  for (const [, name = '', value = ''] of written.matchAll(ATTRIBUTE))
    if (allowed.includes(name) && !kept.has(name)) kept.set(name, value)
  return kept
}

function tag(name: string, attributes: Attributes, end = ''): string {
  let written = `<${name}`
  for (const [attribute, value] of attributes) written += ` ${attribute}="${value}"`
  return `${written}${end}>`
}

/** Changes to the attributes of elements, by name. */
const CHECKS: Readonly<Record<string, (attributes: Attributes, words: AuthoredWords) => Attributes>> = {
  a: checkLink,
  img: checkImage,
  input: checkBox,
  pre: (attributes) => attributes.set('tabindex', '0'),
}

function checkLink(attributes: Attributes): Attributes {
  const href = attributes.get('href') ?? ''
  if (isToWeb(href)) return attributes.set('rel', AWAY)
  attributes.delete('href')
  return attributes
}

/** Most addresses need no parser to tell. */
const isToWeb = (href: string): boolean =>
  /^https?:\/\/\w/.test(href) || (!isRelative(href) && LINK_PROTOCOLS.has(urlOf(href)?.protocol ?? ''))

/** A path of the repository that the text is from, such as docs/guide.md, leads nowhere here. */
function isRelative(href: string): boolean {
  const text = unescapeHtml(href) ?? ''
  return !/^[/#]/.test(text) && URL.parse(text) === null
}

/** An image that is not loaded is replaced by its description. */
function checkImage(attributes: Attributes, words: AuthoredWords): Attributes {
  for (const side of ['width', 'height']) {
    const pixels = /^(\d{1,4})(?:px)?$/.exec(attributes.get(side) ?? '')?.[1]
    if (pixels) attributes.set(side, pixels)
    else attributes.delete(side)
  }
  const own = pictureAt(attributes.get('src') ?? '')
  if (own !== null) setSides(attributes, sidesOf(own.id))
  return attributes
    .set('alt', altOf(attributes, words))
    .set('loading', 'lazy')
    .set('decoding', 'async')
    .set('referrerpolicy', 'no-referrer')
}

/** Both sides, so that nothing moves when the picture is loaded. One that the author gave decides about the other. */
function setSides(attributes: Attributes, { width, height }: Side): void {
  const given = { width: Number(attributes.get('width')), height: Number(attributes.get('height')) }
  if (given.width && given.height) return
  const scale = given.width ? given.width / width : given.height ? given.height / height : 1
  attributes.set('width', `${Math.max(1, Math.round(width * scale))}`)
  attributes.set('height', `${Math.max(1, Math.round(height * scale))}`)
}

const altOf = (attributes: Attributes, { image }: AuthoredWords): string => attributes.get('alt') || image

function unshown(attributes: Attributes, words: AuthoredWords, mayLink: boolean): string {
  const [source = '', text] = [attributes.get('src'), textOf(altOf(attributes, words))]
  return mayLink && /^https?:/i.test(source) && isToWeb(source)
    ? `<a href="${source}"${REL}>${text}</a>`
    : fillText(words.picture, { words: text })
}

/** An attribute as text. */
const textOf = (value: string): string => value.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const isOverHttps = (source: string): boolean =>
  /^https:\/\//i.test(source) && urlOf(source)?.protocol === 'https:'

const isShown = (source = ''): boolean => isOverHttps(source) || pictureAt(source) !== null

const isEachShown = (candidates = ''): boolean =>
  candidates.split(',').every((each) => isShown(each.trim().split(/\s/)[0]))

/** A box of a task list has no label of its own. */
function checkBox(attributes: Attributes, { done, notDone }: AuthoredWords): Attributes {
  const isDone = attributes.has('checked')
  return attributes
    .set('type', 'checkbox')
    .set('disabled', '')
    .set('aria-label', isDone ? done : notDone)
}

/** Alignment needs no style: there is a class for it. */
function withClass(attributes: Attributes): Attributes {
  const align = attributes.get('align')
  if (align === undefined) return attributes
  attributes.delete('align')
  return align === 'center' || align === 'right' ? attributes.set('class', align) : attributes
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
function urlOf(attribute: string): URL | null {
  const text = unescapeHtml(attribute)
  return text === null ? null : URL.parse(text, 'https://relative.invalid/')
}

/** A heading without words says nothing, nor does that of a column. A link without words cannot be followed: it shows its address. */
const withoutEmpty = (rendered: string): string =>
  rendered
    .replace(/<h[1-6]><\/h[1-6]>\n?/g, '')
    .replace(/<th((?: [a-z]+="[^"]*")*)><\/th>/g, '<td$1></td>')
    .replace(/<a href="([^"]*)"(?: title="[^"]*")?><\/a>/g, '<a href="$1">$1</a>')
