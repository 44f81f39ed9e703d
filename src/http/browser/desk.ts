import { saveByItself } from './desk-autosave.ts'
import { inDays } from './desk-days.ts'
import { continueItem, indentItems } from './desk-items.ts'
import { type KeptTexts, keepTexts } from './desk-kept.ts'
import { takePictures } from './desk-pictures.ts'
import { countDown, countTold } from './desk-publishing.ts'
import { sendForms } from './desk-sending.ts'
import { showPictures } from './desk-strip.ts'

/** The script of the desk: preview, toolbar, shortcuts, and copies of what is not saved. Everything works without it. */

const all = <E extends Element>(selector: string, root: ParentNode = document): E[] => [
  ...root.querySelectorAll<E>(selector),
]
const one = <E extends Element>(selector: string): E | null => document.querySelector<E>(selector)

/** What stands around bold words, links and code. */
const MARKS: Readonly<Record<string, readonly [string, string]>> = {
  bold: ['**', '**'],
  italic: ['_', '_'],
  link: ['[', '](https://)'],
  code: ['`', '`'],
}

/** What Ctrl and a key write, as the toolbar does. */
const KEYS: Readonly<Record<string, string>> = { b: 'bold', i: 'italic', k: 'link' }

/** So many lines above the caret are searched for in the preview. */
const LINES_BACK = 20

/** Letters and digits, as they are in Markdown and on the page. */
const plainOf = (line: string): string =>
  line
    .replace(/\]\([^)]*\)/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 60)

/** How long a pause in typing is. */
const PAUSE_MS = 150

const form = one<HTMLFormElement>('[data-editor]')
sendForms(form && edit(form))
for (const button of all<HTMLButtonElement>('[data-copy]'))
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent ?? '')
  })
const zones = one<HTMLSelectElement>('[data-zones]')
if (zones) schedule(zones)
countTold(document)
countDown(document)
// An open menu closes with Escape and with a click elsewhere.
document.addEventListener('keydown', ({ key }) => key === 'Escape' && closeMenus(null))
document.addEventListener('click', ({ target }) => closeMenus(target as Node))

function closeMenus(except: Node | null): void {
  for (const menu of all<HTMLDetailsElement>('details.menu[open]'))
    if (!menu.contains(except)) menu.open = false
}

function edit(form: HTMLFormElement): KeptTexts {
  const text = form.elements.namedItem('text') as HTMLTextAreaElement
  const state = one<HTMLElement>('[data-saved]') as HTMLElement
  const frame = one<HTMLIFrameElement>('iframe') as HTMLIFrameElement
  const checks = one<HTMLElement>('[data-checks]') as HTMLElement
  let timer = 0
  let asked = 0

  const show = () => {
    strip.show()
    clearTimeout(timer)
    timer = setTimeout(() => void preview(), PAUSE_MS)
  }
  const changed = () => {
    show()
    kept.keep()
    saving.later()
  }
  const strip = showPictures({ form, text, swap })
  const kept = keepTexts({ form, text, show, say: (how) => (state.textContent = state.dataset[how] ?? '') })
  const saving = saveByItself(form, kept)
  kept.settled = saving.settled
  const take = takePictures({ form, text, insert, swap, describe: strip.describe })
  strip.show()
  form.addEventListener('input', ({ target }) => (target as HTMLInputElement).name === 'tab' || changed())
  form.addEventListener('click', act)
  text.addEventListener('keydown', (event) => {
    const edit = continueItem(text, event) ?? indentItems(text, event)
    if (!edit) return
    event.preventDefault()
    insert(...edit)
  })
  text.addEventListener('paste', (event) => void paste(event))
  document.addEventListener('selectionchange', () => document.activeElement === text && toCaret())
  const name = form.elements.namedItem('title') as HTMLInputElement
  name.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    text.focus()
  })
  document.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    const format = document.activeElement === text ? KEYS[event.key] : undefined
    if (event.key !== 's' && format === undefined) return
    event.preventDefault()
    if (format !== undefined) return write(format)
    // A field of the strip then writes what it has.
    const { activeElement } = document
    activeElement?.dispatchEvent(new Event('change', { bubbles: true }))
    setTimeout(() => {
      if (saving.isDraft()) void saving.now()
      else form.requestSubmit(form.querySelector<HTMLButtonElement>('[value=save]'))
    })
  })
  frame.addEventListener('load', prepareFrame)
  prepareFrame()

  return kept

  /** Puts the page of the text as it is now in place of the shown one, which stays where it is scrolled to. */
  async function preview(): Promise<void> {
    const turn = ++asked
    const body = new FormData(form)
    body.set('as', 'json')
    const response = await fetch(`${form.action}/preview`, { method: 'POST', body }).catch(() => null)
    if (turn !== asked || !response?.ok) return
    const { page, problem, checks: found } = (await response.json()) as Record<string, string>
    checks.innerHTML = found ?? ''
    const shown = frame.contentDocument
    if (shown?.body && page !== undefined)
      shown.body.replaceWith(
        new DOMParser().parseFromString(page.replace(/<style>.*?<\/style>/s, ''), 'text/html').body,
      )
    toCaret()
    if (problem !== undefined) state.textContent = problem
  }

  /** It is as high as its page, where it stands under the text. Links of the page open elsewhere. */
  function prepareFrame(): void {
    const page = frame.contentDocument?.documentElement
    if (!page) return
    new ResizeObserver(() => frame.style.setProperty('--page', `${page.offsetHeight}px`)).observe(page)
    page.addEventListener('click', (event) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]')
      if (!link || link.getAttribute('href')?.startsWith('#')) return
      event.preventDefault()
      if (/^https?:/.test(link.href)) window.open(link.href, '_blank', 'noopener')
    })
  }

  function act(event: Event): void {
    const { target } = event
    const button = (target as Element).closest<HTMLElement>(
      '[data-format], [data-heading], [data-line], [data-start]',
    )
    if (!button) return
    const { format, heading, line, start } = button.dataset
    if (start !== undefined) {
      event.preventDefault()
      insert(0, text.value.length, start, [start.length, start.length])
    }
    if (line !== undefined) toLine(Number(line))
    else if (heading !== undefined) toHeading(heading)
    else if (format !== undefined) write(format)
    closeMenus(null)
  }

  /** As if it was typed: the browser can undo it. */
  function insert(from: number, to: number, words: string, select: [number, number]): void {
    text.focus()
    text.setSelectionRange(from, to)
    if (!document.execCommand('insertText', false, words)) text.setRangeText(words, from, to, 'end')
    text.setSelectionRange(from + select[0], from + select[1])
    changed()
  }

  /** The same, but focus and selection stay where they are. */
  function swap(from: number, to: number, words: string): void {
    const { selectionStart, selectionEnd, scrollTop } = text
    const { activeElement } = document
    const moved = (place: number) =>
      place <= from ? place : Math.max(from, place - (to - from)) + words.length
    insert(from, to, words, [moved(selectionStart) - from, moved(selectionEnd) - from])
    text.scrollTop = scrollTop
    if (activeElement instanceof HTMLElement) activeElement.focus()
  }

  /** An address on selected words becomes a link, and formatted text Markdown. With Shift, browsers give plain text alone. */
  async function paste(event: ClipboardEvent): Promise<void> {
    const { selectionStart: from, selectionEnd: to, value } = text
    const given = event.clipboardData
    const plain = given?.getData('text/plain').trim() ?? ''
    const chosen = value.slice(from, to)
    if (
      /^https?:\/\/[^\s()<>]+$/.test(plain) &&
      chosen.trim() &&
      !chosen.includes('\n') &&
      !/^https?:/.test(chosen)
    ) {
      event.preventDefault()
      const words = `[${chosen}](${plain})`
      return insert(from, to, words, [words.length, words.length])
    }
    const page = given?.getData('text/html') ?? ''
    if (!/<(?!\/?(?:html|head|body|meta|span|div|p|br|font)\b|!)[a-z]|style=/i.test(page)) return
    event.preventDefault()
    const { converted } = (await import(form.dataset.paste ?? '')) as typeof import('./desk-paste.ts')
    const { markdown, pictures } = converted(page, plain)
    insert(from, to, markdown, [markdown.length, markdown.length])
    if (pictures.length > 0) take(pictures)
  }

  /** The preview shows what is written where the caret is, if it scrolls by itself. */
  function toCaret(): void {
    const view = frame.contentWindow
    const page = frame.contentDocument?.body
    if (!view || !page || document.activeElement !== text) return
    const before = text.value.slice(0, text.selectionStart).split('\n')
    const rest = text.value.slice(text.selectionStart).split('\n', 1)[0]
    const lines = [...before.slice(0, -1), `${before.at(-1)}${rest}`].slice(-LINES_BACK).reverse()
    const blocks = all<HTMLElement>('h1, h2, h3, h4, p, li, td, th, pre, summary', page)
    for (const line of lines) {
      const words = plainOf(line)
      const found =
        words.length > 2 ? blocks.findLast((block) => plainOf(block.textContent ?? '').includes(words)) : null
      if (!found) continue
      const { top, bottom } = found.getBoundingClientRect()
      if (top < 0 || bottom > view.innerHeight) view.scrollBy(0, top - view.innerHeight / 3)
      return
    }
  }

  function write(format: string): void {
    const { selectionStart: from, selectionEnd: to, value } = text
    const chosen = value.slice(from, to)
    const [open, close] = MARKS[format] ?? ['', '']
    if (format !== 'link' && open && value.slice(0, from).endsWith(open) && value.startsWith(close, to)) {
      insert(from - open.length, to + close.length, chosen, [0, chosen.length])
      return
    }
    if (format === 'list') {
      const start = value.lastIndexOf('\n', from - 1) + 1
      const lines = value.slice(start, to).replace(/^(?:[-*] )?/gm, '- ')
      insert(start, to, lines, [lines.length, lines.length])
      return
    }
    const isBlock = format === 'code' && chosen.includes('\n')
    const [before, after] = isBlock ? ['```\n', '\n```'] : (MARKS[format] ?? ['', ''])
    const end = before.length + chosen.length
    const place: [number, number] = format === 'link' && chosen ? [end + 2, end + 10] : [before.length, end]
    insert(from, to, before + chosen + after, place)
  }

  /** To the end of the items below a heading, which is added if it is missing. */
  function toHeading(name: string): void {
    const { value } = text
    const found = new RegExp(`^#{2,3} ${name}[ \\t]*$`, 'm').exec(value)
    if (!found) {
      const gap =
        value.trim() === '' ? '' : value.endsWith('\n\n') ? '' : value.endsWith('\n') ? '\n' : '\n\n'
      const words = `${gap}## ${name}\n\n- `
      insert(value.length, value.length, words, [words.length, words.length])
      return
    }
    const start = found.index + found[0].length
    const rest = value.slice(start)
    const next = /\n#{1,6} /.exec(rest)?.index ?? rest.length
    const at = start + rest.slice(0, next).trimEnd().length
    const words = at === start ? '\n\n- ' : '\n- '
    insert(at, at, words, [words.length, words.length])
  }

  function toLine(line: number): void {
    const lines = text.value.split('\n')
    const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0)
    text.focus()
    text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
    text.scrollTop = Math.max(0, (text.scrollHeight * (line - 3)) / lines.length)
  }
}

/** The time zone is the browser's, unless somebody chose another. Says how far a time is, and what it is in UTC. */
function schedule(zones: HTMLSelectElement): void {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const isThere = [...zones.options].some(({ value }) => value === own)
  if (!isThere) zones.add(new Option(own.replaceAll('_', ' '), own), 0)
  const form = zones.form as HTMLFormElement
  const [day, time] = ['date', 'time'].map((name) => form.elements.namedItem(name) as HTMLInputElement)
  const far = one<HTMLElement>('[data-in]')
  if (!day || !time || !far) return
  const { at, chosen, zones: both = '' } = zones.dataset
  if (chosen === undefined) zones.value = own
  if (chosen === undefined && at) {
    // Swedish dates are those of ISO 8601.
    const [date = '', clock = ''] = new Date(at).toLocaleString('sv').split(' ')
    day.value = date
    time.value = clock.slice(0, 5)
  }
  const say = () => {
    const local = new Date(`${day.value}T${time.value}`)
    const isOwn = zones.value === own && own !== 'UTC' && !Number.isNaN(local.getTime())
    const utc = isOwn ? local.toISOString() : ''
    const shown = utc.startsWith(day.value) ? utc.slice(11, 16) : utc.slice(0, 16).replace('T', ' ')
    const place = own.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
    const times = both.replace('{time}', time.value).replace('{place}', place).replace('{utc}', shown)
    far.textContent = [isOwn ? times : '', inDays(Date.parse(day.value))].filter(Boolean).join(' · ')
  }
  form.addEventListener('input', say)
  say()
}
