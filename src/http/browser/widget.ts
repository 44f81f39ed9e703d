/**
 * `<changelog-widget src="…/changelog">`: a button that shows whether there is something unread, and a panel with the newest
 * versions. Content is inserted as text, never as HTML, and links are http or https: nothing in a changelog can run.
 */

import { withoutNotes } from '../../domain/text/footnotes.ts'
import { readPrefix } from '../../domain/versions/prefix.ts'
import { inlineOf, type Make } from '../../notes/inline.ts'

interface Version {
  id: string
  version: string
  title: string
  publishedAt: string
  dateKnown: boolean
  prerelease: boolean
  yanked: string | null
  description: string | null
  changes: Change[]
}

interface Change {
  kind: string
  breaking: boolean
  security: boolean
  title: string
}

/** As `words/widget.ts` has them. The names of the kinds are among them. */
interface Words {
  locale: string
  direction: string
  button: string
  heading: string
  all: string
  mail: string
  more: string
  unread: string
  loading: string
  failed: string
  nothing: string
}

/** Values from the server: the words of each language, its own language, and whether it has pages. */
declare const LANGUAGES: { names: string[]; languages: Record<string, string[]> }
declare const SITE: { language: string; hasPages: boolean }

const MAX_CHANGES = 4
/** Longer texts are cut. */
const MAX_CHARACTERS = 1_000
/** A server that takes longer counts as unreachable. */
const MAX_LOADING_MS = 10_000

/** The kinds that a version is marked with, and whose changes come first. */
const URGENT = ['breaking', 'security']

const STYLE = `
:host{display:inline-block;font:14px/1.5 var(--changelog-font,system-ui,sans-serif);
--text:var(--changelog-text,light-dark(#16181d,#e8eaee));--quiet:var(--changelog-quiet,light-dark(#575e6b,#9aa2af));
--ground:var(--changelog-background,light-dark(#fff,#171b22));--line:var(--changelog-line,light-dark(#e0e3e9,#39404c));
--accent:var(--changelog-accent,light-dark(#3b5bdb,#91a7ff));--c:var(--quiet)}
.breaking,.yanked{--c:light-dark(#b3261e,#ff9a90)}
.added{--c:light-dark(#15713a,#63d28b)}
.changed{--c:light-dark(#8a5300,#edb35a)}
.deprecated{--c:light-dark(#6b5b00,#d6c455)}
.removed{--c:light-dark(#a3295f,#f59bc0)}
.fixed{--c:light-dark(#0b57c4,#86b4ff)}
.security{--c:light-dark(#7a1fa2,#d9a0f2)}
*{box-sizing:border-box}
button{anchor-name:--button;position:relative;min-height:34px;padding:5px 14px;font:inherit;font-weight:500;color:var(--text);background:var(--ground);border:1px solid var(--line);border-radius:99px;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
ol:focus-visible{outline-offset:-2px}
.dot{display:inline-block;width:8px;height:8px;border-radius:50%;background:var(--accent)}
button .dot{position:absolute;top:-1px;inset-inline-end:4px;width:10px;height:10px;outline:2px solid var(--ground)}
[hidden]{display:none!important}
.panel{position-anchor:--button;position-area:block-end span-inline-end;position-try:most-height flip-inline,flip-block,flip-block flip-inline;
inset:auto;margin:8px 0;width:min(var(--changelog-width,392px),100vw - 16px);max-height:min(600px,100% - 16px);padding:0;overflow:hidden;
background:var(--ground);color:var(--text);border:1px solid var(--line);border-radius:var(--changelog-radius,14px);box-shadow:0 8px 40px #0003;
text-align:start;font-weight:400;letter-spacing:normal;text-transform:none;white-space:normal;overflow-wrap:anywhere}
.panel:popover-open{display:flex;flex-direction:column}
:host([align=end]) .panel{position-area:block-end span-inline-start}
.top,.all,.note{flex:none;padding:12px 18px}
.top{border-bottom:1px solid var(--line)}
p,ol,ul{list-style:none;margin:0;padding:0}
ol{flex:1;min-height:0;overflow-y:auto;overscroll-behavior:contain;padding:0 18px}
ol>li{padding:16px 0}
ol>li+li{border-top:1px solid var(--line)}
a{color:inherit}
.title,.more,.all{text-decoration:none}
.title,.top,.all{font-weight:600}
a:hover{color:var(--accent);text-decoration:underline}
.title{font-size:16px}
.title+.dot{margin-inline-start:8px}
.meta{margin-top:2px}
img{display:block;width:100%;height:auto;max-height:180px;margin-bottom:12px;border-radius:8px;object-fit:cover;object-position:0 0}
.badge{margin-inline-start:4px;padding:1px 7px;border-radius:99px;font-size:12px;font-weight:600;color:var(--c);background:color-mix(in srgb,var(--c) 13%,var(--ground))}
.badge:is(.breaking,.yanked){background:var(--c);color:var(--ground)}
ul{display:grid;grid-template-columns:minmax(62px,max-content) minmax(0,1fr);gap:5px 10px;margin-top:10px}
ul>li{display:grid;grid-column:1/-1;grid-template-columns:subgrid}
ul b{font-size:12px;line-height:21px;font-weight:600;color:var(--c)}
code{font:.9em ui-monospace,monospace}
.meta,.more,.by{color:var(--quiet);font-size:13px}
.more{grid-column:2}
.all{border-top:1px solid var(--line);color:var(--accent)}
@media(max-width:480px){.panel{position-area:none!important;inset:auto 8px 8px!important;width:auto;margin:0;max-height:78dvh!important}}`

type Content = Node | string

function element(name: string, fields: Record<string, string>, ...children: Content[]): HTMLElement {
  const created = document.createElement(name)
  for (const [field, value] of Object.entries(fields)) created.setAttribute(field, value)
  created.append(...children)
  return created
}

const link = (href: string, ...text: Content[]) =>
  element('a', { href, target: '_blank', rel: 'noopener nofollow' }, ...text)

const dot = (label: string) => element('span', { class: 'dot', role: 'img', 'aria-label': label })

/** Inline markdown; within a link, links are their text. */
function nodesOf(text: string, isLinked = false): Content[] {
  const shown = text
    .slice(0, MAX_CHARACTERS)
    // The name of an emoji, as `:bug:`: the kind is beside it, and all names are too many for a widget.
    .replace(/^:\w+: /, '')
    .replace(/^\[ \] /, '☐ ')
    .replace(/^\[x\] /i, '☑ ')
  const make: Make<Content> = (mark, content, href) =>
    href
      ? link(href, ...content.map((part) => (part === href ? shortAddress(href) : part)))
      : element(mark, {}, ...content)
  return [...inlineOf(shown, make, isLinked), text.length > MAX_CHARACTERS ? '…' : '']
}

/** As on pages: `#12`, `1.0…1.1`, a commit. */
const shortAddress = (href: string): string =>
  href
    .replace(/^[^?#]+\/(?:issues|pull|merge_requests)\/(\d+)$/, '#$1')
    .replace(/^.+\/compare\/([^?#]+?)\.{2,3}([^?#]+)$/, '$1…$2')
    .replace(/^.+\/commit\/([\da-f]{7})[\da-f]*$/, '$1')

/** Author and references of a change, as hosts and generators write them. */
const TAIL = /(?:\s+(?:(?:by @\S+ )?in |\()(?:https?:\/\/|\[?#\d|\[[\da-f]{7})\S*)+( closes .*)?$/

/** A version with its first changes. `page` is the address of the changelog's page, if there is one. */
function entry(
  version: Version,
  words: Words,
  page: string | null,
  isUnread: boolean,
  isFirst: boolean,
): HTMLElement {
  const { id, version: label, publishedAt, changes } = version
  // The version is said once.
  const [name, rest] = version.title.split(/ ?[:–—-] (.*)/)
  const title = name === label ? rest : version.title
  // An id leads to the page of a version whatever its label is.
  const toRelease = (name: string, ...text: Content[]) => {
    const made = page === null ? element('span', {}, ...text) : link(`${page}/${id}`, ...text)
    made.className = name
    return made
  }
  const nameOf = (kind: string) => words[kind as 'button']
  const marks = [
    ...(version.prerelease ? ['prerelease'] : []),
    ...(version.yanked === null ? [] : ['yanked']),
    ...URGENT.filter((kind) => changes.some((change) => kindOf(change) === kind)),
  ]
  const shown = changes.toSorted((one, other) => rank(one) - rank(other)).slice(0, MAX_CHANGES)
  const items = shown.map((change) => {
    const { title: all, tail } = readPrefix(withoutNotes(change.title))
    const title = all.replace(TAIL, '')
    const quiet = [all.slice(title.length).trim(), tail].filter(Boolean)
    const by = quiet.flatMap((text) => [' ', element('span', { class: 'by' }, ...nodesOf(text))])
    return element(
      'li',
      {},
      element('b', { class: kindOf(change) }, nameOf(kindOf(change))),
      ' ',
      element('span', { dir: 'auto' }, ...nodesOf(title), ...by),
    )
  })
  const left = changes.length - shown.length
  if (left) {
    const count = fill(words.more, left.toLocaleString(words.locale))
    items.push(element('li', {}, toRelease('more', page === null ? count : onward(count, words))))
  }
  const heading = toRelease('title', ...nodesOf(title ?? label, page !== null))
  heading.dir = 'auto'
  // A title that is only a picture or a comment leaves nothing.
  if (!heading.textContent?.trim()) heading.append(label)
  const day = new Date(publishedAt).toLocaleDateString(words.locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const about = [
    title && isNumber(label) ? element('bdi', {}, label) : '',
    version.dateKnown ? element('time', { datetime: publishedAt }, day) : '',
  ].filter(Boolean)
  return element(
    'li',
    {},
    ...(isFirst && !isNumber(label)
      ? picturesIn(version.description ?? '', page).map((each) => toRelease('', each))
      : []),
    heading,
    ...(isUnread ? [dot(words.unread)] : []),
    element(
      'p',
      { class: 'meta' },
      ...about.flatMap((part, at) => (at ? [' · ', part] : [part])),
      ...marks.flatMap((mark) => [' ', element('span', { class: `badge ${mark}` }, nameOf(mark))]),
    ),
    element('ul', {}, ...items),
  )
}

/** As pages show labels, in short: days, names and what is made from titles are not beside a title. */
const isNumber = (label: string): boolean =>
  /\d/.test(label) &&
  !/ .*(19|20)\d\d|(19|20)\d\d.* |^\d+([-/])\d+\3\d+$|^\d+\.\d+\.(19|20)\d\d$|[年년]|^[^A-Z\s.]+-[^A-Z\s.]+-[^A-Z\s.]+$/.test(
    label,
  )

/**
 * The first picture of a text that is the server's own, as nobody else is asked. It is loaded when the panel opens, and has its
 * place before.
 */
function picturesIn(text: string, page: string | null): HTMLElement[] {
  const [, alt = '', name = '', width = '', height = ''] =
    /!\[([^\]]*)\]\([^\s)]*\/pictures\/([\da-f]{32}-(\d+)x(\d+)(?:\.gif|(?=\.webp)))/.exec(text) ?? []
  if (!name || page === null) return []
  const src = `${page}/pictures/${name}${Number(width) > 1_200 || name.endsWith('.gif') ? '.small' : ''}.webp`
  return [element('img', { src, alt, width, height, loading: 'lazy' })]
}

const kindOf = ({ kind, breaking, security }: Change): string =>
  breaking ? 'breaking' : security ? 'security' : kind

const rank = (change: Change): number => (URGENT.indexOf(kindOf(change)) + 3) % 3

const fill = (text: string, value: string): string => text.replace(/\{\w+\}/, () => value)

/** The text of a link that leads on, with an arrow. */
const onward = (text: string, { direction }: Words): string => `${text} ${direction === 'rtl' ? '←' : '→'}`

/** The words of the first language that there is. */
function wordsIn(...codes: string[]): Words {
  const { names, languages } = LANGUAGES
  const texts = codes.map((code) => languages[code.split('-')[0] ?? '']).find(Boolean)
  return Object.fromEntries(names.map((name, at) => [name, texts?.[at]])) as unknown as Words
}

/** All widgets of the page: those of one changelog share a read. */
const connected = new Set<ChangelogWidget>()

/** Attributes that are also properties, beside `lang`, which every element has. */
const REFLECTED = ['src', 'limit', 'href', 'align', 'subscribe'] as const

/** All but attributes is private: frameworks set a property if there is one of that name. */
class ChangelogWidget extends HTMLElement {
  static observedAttributes = [...REFLECTED, 'lang']

  declare src: string
  declare limit: string
  declare href: string
  declare align: string
  declare subscribe: string

  readonly #text = element('slot', {})
  readonly #dot = dot('')
  readonly #button = element('button', { type: 'button', id: 'b', popovertarget: 'p' })
  readonly #panel = element('section', {
    class: 'panel',
    id: 'p',
    popover: '',
    'aria-labelledby': 'n',
  })
  #versions: Version[] = []
  #words = wordsIn(SITE.language)
  /** The changelog that the versions are of; empty if `src` is no address. */
  #address = ''
  /** The latest request: responses of earlier ones are ignored. */
  #request = 0

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet]
    this.#dot.hidden = true
    this.#button.append(this.#text, this.#dot)
    root.append(this.#button, this.#panel)
    this.#panel.addEventListener('toggle', () => this.#toggled())
    this.#panel.addEventListener('beforetoggle', () => {
      if (this.#panel.matches(':focus-within')) this.#button.focus()
    })
    // Properties set before the element was defined hide its own.
    for (const name of REFLECTED) {
      if (!Object.hasOwn(this, name)) continue
      const value = this[name]
      delete (this as Partial<this>)[name]
      this[name] = value
    }
  }

  connectedCallback() {
    connected.add(this)
    this.#speak(SITE.language)
    void this.#load()
  }

  disconnectedCallback() {
    connected.delete(this)
  }

  attributeChangedCallback(_: string, before: string | null, after: string | null) {
    if (this.isConnected && before !== after) void this.#load()
  }

  get #isOpen(): boolean {
    return this.#panel.matches(':popover-open')
  }

  /** The page of the changelog, on the server that has it. */
  get #page(): string | null {
    const api = /\/api\/v1\/public\/teams\/([^/]+)\/products\/([^/]+)\/changelog([?#].*)?$/
    return SITE.hasPages && api.test(this.#address) ? this.#address.replace(api, '/changelog/$1/$2') : null
  }

  /** In the language of the element, if it has one, else in the given one. */
  #speak(language: string) {
    this.#words = wordsIn(this.lang, language, SITE.language)
    const { locale, direction, button } = this.#words
    this.#text.replaceChildren(element('span', { lang: locale, dir: direction }, button))
    this.#panel.lang = locale
    this.#panel.dir = direction
  }

  async #load() {
    const request = ++this.#request
    // Once for attributes that are set together.
    await null
    if (request !== this.#request) return
    // A link resolves it as `URL` does, and throws nothing.
    const address = this.src && (link(this.src) as HTMLAnchorElement).href
    if (address !== this.#address) this.#versions = []
    this.#address = address
    if (!this.#versions.length) this.#show('loading')
    /** The product's; undefined if it could not be read. */
    let name: string | undefined
    try {
      const url = new URL(address)
      url.searchParams.set('limit', this.limit || '5')
      url.searchParams.set('include', 'changes')
      const response = await fetch(url, { signal: AbortSignal.timeout(MAX_LOADING_MS) })
      const { data } = await response.json()
      if (request !== this.#request) return
      this.#versions = data.versions
      name = data.product.name
      this.#speak(response.headers.get('content-language') ?? SITE.language)
    } catch {}
    if (request !== this.#request) return
    this.#show(name === undefined ? 'failed' : 'nothing', name)
    this.#mark()
  }

  /** The versions of a product, or a note if there are none. */
  #show(note: 'loading' | 'failed' | 'nothing', name?: string) {
    const words = this.#words
    const page = this.#page
    const { heading, button, all, mail } = words
    const unread = this.#unread()
    const list =
      name === undefined || !this.#versions.length
        ? element('p', { class: `note ${note}` }, words[note])
        : element(
            'ol',
            { tabindex: '0', 'aria-labelledby': 'n' },
            ...this.#versions.map((each, at) => entry(each, words, page, unread.includes(each), at === 0)),
          )
    const href = this.getAttribute('href') ?? page ?? ''
    const footer = [link(href, onward(all, words)), link(this.subscribe, mail)].filter((each) =>
      /^https?:|^\//.test(each.getAttribute('href') ?? ''),
    )
    for (const each of footer) each.className = 'all'
    const title = element('p', { class: 'top', id: 'n' }, name ? fill(heading, name) : button)
    this.#panel.replaceChildren(title, list, ...footer)
  }

  /** The key in the browser's storage. */
  get #place(): string {
    return `changelog-widget ${this.#address}`
  }

  /** If the browser stores nothing, everything counts as read. */
  #unread(): Version[] {
    try {
      const seen = localStorage.getItem(this.#place) ?? ''
      return this.#versions.filter(({ publishedAt }) => publishedAt > seen)
    } catch {
      return []
    }
  }

  /** Shows on the button whether something is unread; nothing is once the panel is open. */
  #mark() {
    const unread = this.#unread().length
    const isSeen = this.#isOpen && unread > 0
    if (isSeen) {
      try {
        localStorage.setItem(this.#place, (this.#versions[0] as Version).publishedAt)
      } catch {}
      for (const other of connected) if (other !== this) other.#mark()
    }
    this.#dot.hidden = isSeen || unread === 0
    this.#dot.ariaLabel = `${this.#words.unread}: ${unread.toLocaleString(this.#words.locale)}`
  }

  #toggled() {
    if (!CSS.supports('anchor-name:--button')) this.#position()
    this.#mark()
    // Unread versions are marked as long as the panel stays open.
    if (!this.#isOpen) for (const each of this.#panel.querySelectorAll('.dot')) each.remove()
    if (this.#isOpen && this.#panel.querySelector('.failed,.nothing')) void this.#load()
  }

  /** For browsers without anchor positioning: puts the panel above or below the button, where there is more room. */
  #position() {
    const { top, bottom, left } = this.#button.getBoundingClientRect()
    const below = innerHeight - bottom
    const inset = top > below ? `auto auto ${innerHeight - top}px` : `${bottom}px auto auto`
    const start = `max(8px,min(${left}px,100% - ${this.#panel.offsetWidth + 8}px))`
    const height = `min(600px,${Math.max(top, below) - 16}px)`
    this.#panel.style.cssText = `position-area:none;position-try:none;inset:${inset} ${start};max-height:${height}`
  }
}

for (const name of REFLECTED)
  Object.defineProperty(ChangelogWidget.prototype, name, {
    get(this: Element) {
      return this.getAttribute(name) ?? ''
    },
    set(this: Element, value: unknown) {
      // As frameworks do with attributes.
      if ((value ?? false) === false) this.removeAttribute(name)
      else this.setAttribute(name, String(value))
    },
  })

if (!customElements.get('changelog-widget')) customElements.define('changelog-widget', ChangelogWidget)
