/**
 * `<changelog-widget src="…/changelog">`: a button with the number of unread versions, and a panel with the newest
 * ones. Content is inserted as text, never as HTML, and links are http or https: nothing in a changelog can run.
 */

interface Version {
  version: string
  title: string
  publishedAt: string
  dateKnown: boolean
  changes: { typeLabel: string; title: string }[]
}

const MAX_CHANGES = 8
/** Longer texts are cut. */
const MAX_CHARACTERS = 1_000

const STYLE = `
:host{display:inline-block;font-family:var(--changelog-font,inherit);font-size:14px;line-height:1.5;
--text:var(--changelog-text,light-dark(#16181d,#e6e8ec));--quiet:var(--changelog-quiet,light-dark(#575e6b,#9aa2af));
--ground:var(--changelog-background,light-dark(#fff,#171b22));--line:var(--changelog-line,light-dark(#d5d9e0,#39404c));
--accent:var(--changelog-accent,light-dark(#3b5bdb,#91a7ff));--on-accent:var(--changelog-on-accent,light-dark(#fff,#0f1115))}
*{box-sizing:border-box}
button{anchor-name:--button;font:inherit;color:var(--text);background:var(--ground);border:1px solid var(--line);border-radius:99px;padding:5px 14px;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.count{margin-left:8px;padding:1px 7px;border-radius:99px;background:var(--accent);color:var(--on-accent);font-weight:600;font-size:12px}
.panel{position-anchor:--button;position-area:block-end span-inline-end;position-try:most-height flip-inline,flip-block,flip-block flip-inline;
inset:auto;margin:8px 0;width:min(var(--changelog-width,392px),100vw - 16px);max-height:min(600px,100% - 16px);
overflow:auto;overscroll-behavior:contain;padding:0 18px;background:var(--ground);color:var(--text);border:1px solid var(--line);border-radius:var(--changelog-radius,14px);
box-shadow:0 16px 40px #0003;text-align:start;font-weight:400;letter-spacing:normal;text-transform:none;white-space:normal;overflow-wrap:anywhere}
:host([align=end]) .panel{position-area:block-end span-inline-start}
[hidden]{display:none}
ol,ul{list-style:none;margin:0;padding:0}
ol>li{padding:16px 0}
ol>li+li{border-top:1px solid var(--line)}
p{margin:2px 0 6px}
.panel>p:first-child{padding:12px 0;margin:0}
.label{font-weight:600;color:var(--accent)}
time{color:var(--quiet)}
.type{margin:8px 0 2px;font-size:12px;font-weight:600;letter-spacing:.04em;text-transform:uppercase;color:var(--quiet)}
.title{font-weight:600;font-size:16px}
ul{list-style:disc;padding-left:16px}
a{color:inherit}
code{font-size:.92em}
.panel>.more{position:sticky;bottom:0;margin:0 -18px;padding:12px 18px;background:var(--ground);border-top:1px solid var(--line)}
@media(max-width:480px){.panel{position-area:none!important;inset:auto 8px 8px!important;width:auto;margin:0;max-height:78dvh!important}}`

/** Supported inline markdown: an escape, code, a picture, a link, an address, strong, deleted and emphasized text. */
const INLINE = new RegExp(
  [
    /\\(?<escaped>[!-/:-@[-`{-~])/u,
    /(?<ticks>`+)(?!`)(?<code>.+?)(?<!`)\k<ticks>(?!`)/u,
    /!?\[(?<label>(?:\\.|[^\\[\]]|\[[^[\]]*\])*)\]\((?<href>[^\s()]*)(?: "[^"]*")?\)/u,
    /<?(?<address>https?:\/\/[^\s<>]*[^\s<>.,:;!?'")\]*_~])>?/u,
    /(?<double>\*\*|__|~~)(?=\S)(?<strong>.+?)(?<=\S)\k<double>(?!\*)/u,
    /(?<single>\*|(?<![\p{L}\p{N}])_)(?=[^\s*_])(?<emphasis>.+?)(?<=[^\s*_])\k<single>(?![\p{L}\p{N}_*])/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)
const NAMES: Record<string, string> = { '**': 'strong', __: 'strong', '~~': 'del', '*': 'em', _: 'em' }

function element(name: string, fields: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  const created = document.createElement(name)
  for (const [field, value] of Object.entries(fields)) created.setAttribute(field, value)
  created.append(...children)
  return created
}

const link = (href: string, ...text: (Node | string)[]) =>
  element('a', { href, target: '_blank', rel: 'noopener nofollow' }, ...text)

function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  const shown = text.slice(0, MAX_CHARACTERS)
  let end = 0
  for (const match of shown.matchAll(INLINE)) {
    const [all] = match
    const { escaped, code, label, href = '', address, double, strong, single, emphasis } = match.groups ?? {}
    parts.push(shown.slice(end, match.index))
    if (escaped) parts.push(escaped)
    else if (code) parts.push(element('code', {}, code))
    else if (address) parts.push(link(address, address))
    else if (label === undefined)
      parts.push(element(NAMES[double ?? single ?? ''] ?? '', {}, ...inline(strong ?? emphasis ?? '')))
    // A picture becomes its description, and a relative link its text.
    else if (all[0] === '!' || !/^https?:/.test(href)) parts.push(...inline(label))
    else parts.push(link(href, ...inline(label)))
    end = match.index + all.length
  }
  return [...parts, shown.slice(end), shown === text ? '' : '…']
}

/** A version with its changes by type, up to a maximum. */
function entry({ version, title, publishedAt, dateKnown, changes }: Version): HTMLElement {
  const day = new Date(publishedAt).toLocaleDateString(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
  const parts: HTMLElement[] = []
  let type = ''
  let list = element('ul', {})
  for (const change of changes.slice(0, MAX_CHANGES)) {
    if (change.typeLabel !== type) {
      type = change.typeLabel
      list = element('ul', {})
      parts.push(element('p', { class: 'type' }, type), list)
    }
    list.append(element('li', {}, ...inline(change.title)))
  }
  if (changes.length > MAX_CHANGES)
    parts.push(element('p', { class: 'type' }, `+ ${changes.length - MAX_CHANGES}`))
  const label = element('span', { class: 'label' }, version)
  const heading = title === version ? [] : [element('p', { class: 'title' }, ...inline(title))]
  const date = dateKnown ? [' ', element('time', { datetime: publishedAt }, day)] : []
  return element('li', {}, label, ...date, ...heading, ...parts)
}

/** All widgets of the page: those of one changelog share what was read. */
const connected = new Set<ChangelogWidget>()

class ChangelogWidget extends HTMLElement {
  static observedAttributes = ['src', 'limit', 'href']

  private readonly count = element('span', { class: 'count', role: 'img', hidden: '' })
  private readonly button = element('button', { type: 'button', id: 'b', popovertarget: 'p' })
  private readonly panel = element('div', {
    class: 'panel',
    id: 'p',
    popover: '',
    role: 'region',
    'aria-labelledby': 'b',
    tabindex: '0',
  })
  private versions: Version[] = []
  /** The latest request: responses of earlier ones are ignored. */
  private request = 0

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet]
    this.button.append(element('slot', {}, 'What’s new'), this.count)
    root.append(this.button, this.panel)
    this.panel.addEventListener('toggle', () => this.toggled())
    this.panel.addEventListener('beforetoggle', () => {
      if (this.panel.matches(':focus-within')) this.button.focus()
    })
  }

  connectedCallback() {
    connected.add(this)
    this.loadSoon()
  }

  disconnectedCallback() {
    connected.delete(this)
  }

  attributeChangedCallback() {
    if (this.isConnected) this.loadSoon()
  }

  /** Once for attributes that are set together. */
  private loadSoon() {
    const request = ++this.request
    queueMicrotask(() => {
      if (request === this.request) void this.load()
    })
  }

  private get isOpen(): boolean {
    return this.panel.matches(':popover-open')
  }

  private get src(): string {
    return new URL(this.getAttribute('src') ?? '', document.baseURI).href
  }

  private async load() {
    const request = ++this.request
    const url = new URL(this.src)
    url.searchParams.set('limit', this.getAttribute('limit') ?? '5')
    url.searchParams.set('include', 'changes')
    let message = ''
    try {
      const response = await fetch(url)
      if (!response.ok) throw response
      const { data } = await response.json()
      if (request !== this.request) return
      this.versions = data.versions
    } catch {
      message = 'The changes could not be loaded.'
    }
    if (request !== this.request) return
    const list =
      message || !this.versions.length
        ? element('p', {}, message || 'Nothing yet.')
        : element('ol', {}, ...this.versions.map(entry))
    const all = this.getAttribute('href') ?? ''
    this.panel.replaceChildren(
      list,
      ...(/^https?:|^\//.test(all) ? [element('p', { class: 'more' }, link(all, 'All changes'))] : []),
    )
    this.mark()
  }

  /** Shows the number of unread versions; none while the panel is open. */
  private mark() {
    const place = `changelog-widget ${this.src}`
    let unread = 0
    // If the browser stores nothing, everything counts as read.
    try {
      const seen = localStorage.getItem(place) ?? ''
      unread = this.versions.filter(({ publishedAt }) => publishedAt > seen).length
      if (this.isOpen && unread) {
        localStorage.setItem(place, this.versions[0]?.publishedAt ?? '')
        unread = 0
        for (const other of connected) if (other !== this) other.mark()
      }
    } catch {}
    this.count.hidden = unread === 0
    this.count.textContent = String(unread)
    this.count.ariaLabel = `${unread} unread`
  }

  private toggled() {
    if (!CSS.supports('anchor-name:--button')) this.place()
    this.mark()
    if (this.isOpen && !this.versions.length) void this.load()
  }

  /** For browsers without anchor positioning: puts the panel above or below the button, where there is more room. */
  private place() {
    const { top, bottom, left } = this.button.getBoundingClientRect()
    const isAbove = top > innerHeight - bottom
    const room = Math.max(top, innerHeight - bottom) - 16
    const start = Math.max(
      8,
      Math.min(left, document.documentElement.clientWidth - this.panel.offsetWidth - 8),
    )
    const inset = isAbove ? `auto auto ${innerHeight - top}px` : `${bottom}px auto auto`
    this.panel.style.cssText = `position-area:none;position-try:none;inset:${inset} ${start}px;max-height:${Math.min(room, 600)}px`
  }
}

if (!customElements.get('changelog-widget')) customElements.define('changelog-widget', ChangelogWidget)
