/**
 * `<changelog-widget src="…/changelog">`: a button with the count of unread versions, and a panel with the newest ones.
 * What it shows is inserted as text, never as HTML, and links are http or https: nothing in a changelog can run.
 */

interface Version {
  version: string
  title: string
  publishedAt: string
  dateKnown: boolean
  changes: { typeLabel: string; title: string }[]
}

const MAX_CHANGES = 8

const STYLE = `
:host{position:relative;display:inline-block;font-family:var(--changelog-font,inherit);font-size:14px;line-height:1.5;
--text:var(--changelog-text,light-dark(#16181d,#e6e8ec));--quiet:var(--changelog-quiet,light-dark(#575e6b,#9aa2af));
--ground:var(--changelog-background,light-dark(#fff,#171b22));--line:var(--changelog-line,light-dark(#d5d9e0,#39404c));
--accent:var(--changelog-accent,light-dark(#3b5bdb,#91a7ff));--on-accent:var(--changelog-on-accent,light-dark(#fff,#0f1115))}
*{box-sizing:border-box}
button{font:inherit;color:var(--text);background:var(--ground);border:1px solid var(--line);border-radius:99px;padding:5px 14px;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.count{margin-left:8px;padding:1px 7px;border-radius:99px;background:var(--accent);color:var(--on-accent);font-weight:600;font-size:12px}
.panel{position:absolute;z-index:2147483000;inset:calc(100% + 8px) auto auto 0;width:min(var(--changelog-width,380px),92vw);max-height:min(70vh,560px);
overflow:auto;padding:6px 18px;background:var(--ground);color:var(--text);border:1px solid var(--line);border-radius:var(--changelog-radius,12px);
box-shadow:0 12px 32px #0003;text-align:start;overflow-wrap:anywhere}
:host([align=end]) .panel{inset:calc(100% + 8px) 0 auto auto}
[hidden]{display:none}
ol,ul{list-style:none;margin:0;padding:0}
ol>li{padding:12px 0}
ol>li+li,.more{border-top:1px solid var(--line)}
p{margin:2px 0 6px}
.label{font-weight:600;color:var(--accent)}
time{color:var(--quiet)}
.type{margin:8px 0 2px;font-size:12px;font-weight:600;letter-spacing:.04em;text-transform:uppercase;color:var(--quiet)}
.title{font-weight:600;font-size:15px}
ul{list-style:disc;padding-left:16px}
a{color:inherit}
code{font-size:.92em}
.more{margin:0;padding:10px 0}`

/** The markdown that is shown as such: code, strong text, and links to other sites. */
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^[\]]+)\]\((https?:\/\/[^\s()]+)\)/g

function element(name: string, fields: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  const created = document.createElement(name)
  for (const field in fields) created.setAttribute(field, fields[field] as string)
  created.append(...children)
  return created
}

const link = (href: string, text: string) =>
  element('a', { href, target: '_blank', rel: 'noopener nofollow' }, text)

function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  let end = 0
  for (const match of text.matchAll(INLINE)) {
    const [all, code, strong, label = '', href = ''] = match
    parts.push(text.slice(end, match.index))
    parts.push(code ? element('code', {}, code) : strong ? element('b', {}, strong) : link(href, label))
    end = match.index + all.length
  }
  return [...parts, text.slice(end)]
}

/** A version: its changes under the headings of their types, as far as they are not too many. */
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

class ChangelogWidget extends HTMLElement {
  static observedAttributes = ['src', 'limit', 'href']

  private readonly count = element('span', { class: 'count', role: 'img', hidden: '' })
  private readonly button = element('button', {
    type: 'button',
    id: 'b',
    'aria-expanded': 'false',
    'aria-controls': 'p',
  })
  private readonly panel = element('div', {
    class: 'panel',
    id: 'p',
    role: 'region',
    'aria-labelledby': 'b',
    tabindex: '0',
    hidden: '',
  })
  private versions: Version[] = []
  /** The request whose response counts. */
  private request = 0

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet]
    this.button.append(element('slot', {}, 'What’s new'), this.count)
    root.append(this.button, this.panel)
    this.button.onclick = () => this.show(!this.isOpen)
    this.onkeydown = ({ key }) => {
      if (key !== 'Escape' || !this.isOpen) return
      this.show(false)
      this.button.focus()
    }
  }

  connectedCallback() {
    document.addEventListener('click', this)
    void this.load()
  }

  disconnectedCallback() {
    document.removeEventListener('click', this)
  }

  attributeChangedCallback() {
    if (this.isConnected) void this.load()
  }

  /** A click anywhere else closes the panel. */
  handleEvent(event: Event) {
    if (!event.composedPath().includes(this)) this.show(false)
  }

  private get isOpen(): boolean {
    return !this.panel.hidden
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

  /** Shows how many versions are unread; while the panel is open, none. */
  private mark() {
    const place = `changelog-widget ${this.src}`
    let unread = 0
    // A browser may refuse to store anything: then all is read.
    try {
      const seen = localStorage.getItem(place) ?? ''
      unread = this.versions.filter(({ publishedAt }) => publishedAt > seen).length
      if (this.isOpen && unread) {
        localStorage.setItem(place, this.versions[0]?.publishedAt ?? '')
        unread = 0
      }
    } catch {}
    this.count.hidden = unread === 0
    this.count.textContent = String(unread)
    this.count.ariaLabel = `${unread} unread`
  }

  private show(isOpen: boolean) {
    this.panel.hidden = !isOpen
    this.button.setAttribute('aria-expanded', String(isOpen))
    this.panel.style.translate = ''
    const over = this.panel.getBoundingClientRect().right + 8 - document.documentElement.clientWidth
    if (over > 0) this.panel.style.translate = `${-over}px`
    this.mark()
    if (isOpen && !this.versions.length) void this.load()
  }
}

if (!customElements.get('changelog-widget')) customElements.define('changelog-widget', ChangelogWidget)
