import { counted, dayOf, inDays } from './desk-days.ts'

/** Texts that are not saved, in this browser. Each opened editor has a slot of its own: none is written over another. */

interface Kept {
  /** What the text was opened from. */
  opened: string
  values: Record<string, string>
  /** Missing in texts that 0.4.0 kept. */
  at?: number
}

/** What the editor has just sent, for the page that answers it. */
interface Sent {
  slot: string
  /** Where that page is, once the text is saved. */
  to?: string
  caret: [start: number, end: number, top: number]
}

interface Editor {
  form: HTMLFormElement
  text: HTMLTextAreaElement
  /** Says how the text stands. */
  say(state: 'saving' | 'unsaved'): void
  /** Shows what the fields have now. */
  show(): void
}

export interface KeptTexts {
  /** After something was typed. */
  keep(): void
  sending(): void
  /** `to` is the page that has the text as it was sent. */
  saved(to: string): void
  /** The fields, as one text. */
  typed(): string
  isUnsaved(): boolean
  /** The page stays, and `typed` is stored: `opened` says as what. */
  savedHere(opened: string, typed: string): void
  /** Resolves once nothing else is being saved. */
  settled(): Promise<void>
  failed(): void
}

const SENT = 'changelogd-desk sent'
const NAMES = ['label', 'title', 'date', 'text']

export function keepTexts({ form, text, say, show }: Editor): KeptTexts {
  const keyOf = () => `changelogd-desk ${form.dataset.editor}`
  const newSlot = () => `${keyOf()} ${Date.now()}${Math.random()}`
  const notice = form.querySelector('[data-kept]') as HTMLElement
  const line = notice.firstElementChild as HTMLElement
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement
  const values = () => Object.fromEntries(NAMES.map((name) => [name, field(name).value]))
  /** The desk stores texts without blanks at their ends. */
  const trimmed = (texts: Kept['values']) => JSON.stringify(NAMES.map((name) => texts[name]?.trim()))
  const read = (slot: string) => JSON.parse(localStorage.getItem(slot) ?? 'null') as Kept | null
  /** A text that the desk has given back is stored nowhere. */
  const isGivenBack = form.dataset.unsaved !== undefined
  let stored = isGivenBack ? '' : trimmed(values())
  let slot = newSlot()
  let copy: string | null = null

  const sent = JSON.parse(sessionStorage.getItem(SENT) ?? 'null') as Sent | null
  sessionStorage.removeItem(SENT)
  if (isGivenBack) {
    if (keep() && sent?.slot.startsWith(keyOf())) localStorage.removeItem(sent.slot)
    show()
  } else if (sent?.to === location.pathname + location.search) {
    const [start, end, top] = sent.caret
    const typed = read(sent.slot)
    // Typed while the text before it was saved.
    if (typed) restore(sent.slot, { ...typed, opened: field('opened').value })
    text.focus()
    text.setSelectionRange(start, end)
    text.scrollTop = top
  }
  offer()

  /** A browser may keep nothing, or be full: writing goes on. False if it has not. */
  function keep(): boolean {
    if (trimmed(values()) === stored) localStorage.removeItem(slot)
    else {
      if (form.dataset.auto === undefined) say('unsaved')
      const kept: Kept = { opened: field('opened').value, values: values(), at: Date.now() }
      try {
        localStorage.setItem(slot, JSON.stringify(kept))
      } catch {
        return false
      }
    }
    return true
  }

  /** In place of what the fields have, which stays in its own slot. */
  function restore(from: string, { opened, values }: Kept): void {
    for (const name of NAMES) field(name).value = values[name] ?? ''
    // What others have saved since then is not overwritten: saving shows both.
    field('opened').value = opened
    slot = newSlot()
    if (keep()) localStorage.removeItem(from)
    show()
    offer()
  }

  /** A line for each text that is neither stored nor in the fields, the newest first. */
  function offer(): void {
    const seen = new Set([trimmed(values())])
    const lines: HTMLElement[] = []
    const found = Object.keys(localStorage)
      .filter((each) => each.startsWith(keyOf()) && each !== slot)
      .map((from) => [from, read(from) as Kept] as const)
    for (const [from, kept] of found.sort(([, one], [, other]) => (other.at ?? 0) - (one.at ?? 0))) {
      const words = trimmed(kept.values)
      if (seen.has(words)) localStorage.removeItem(from)
      else lines.push(lineOf(from, kept))
      seen.add(words)
    }
    notice.replaceChildren(...lines)
    notice.hidden = lines.length === 0
  }

  function lineOf(from: string, kept: Kept): HTMLElement {
    const own = line.cloneNode(true) as HTMLElement
    const [about, beginning] = own.querySelectorAll('b, q')
    const { label, title, text } = kept.values
    const words = `${title ?? ''} ${text ?? ''}`.trim()
    if (about) about.textContent = `${notice.dataset.kept} ${[...timesOf(kept), lengthOf(words)].join(', ')}`
    if (beginning) beginning.textContent = (words || (label ?? '')).slice(0, 200)
    own.querySelector('[data-take]')?.addEventListener('click', () => restore(from, kept))
    own.querySelector('[data-drop]')?.addEventListener('click', () => {
      localStorage.removeItem(from)
      offer()
    })
    return own
  }

  /** `312 words`, also in languages that put no blanks between them. */
  function lengthOf(words: string): string {
    const { lang } = document.documentElement
    const parts = [...new Intl.Segmenter(lang, { granularity: 'word' }).segment(words)]
    return counted(notice.dataset.words, parts.filter(({ isWordLike }) => isWordLike).length)
  }

  const remember = (to?: string): void => {
    const caret: Sent['caret'] = [text.selectionStart, text.selectionEnd, text.scrollTop]
    const now: Sent = { slot, caret, ...(to !== undefined && { to }) }
    sessionStorage.setItem(SENT, JSON.stringify(now))
  }

  return {
    keep,
    sending: () => {
      copy = localStorage.getItem(slot)
      remember()
      say('saving')
    },
    saved: (to) => {
      if (localStorage.getItem(slot) === copy) localStorage.removeItem(slot)
      remember(to)
    },
    failed: () => say('unsaved'),
    typed: () => trimmed(values()),
    isUnsaved: () => trimmed(values()) !== stored,
    savedHere: (opened, typed) => {
      field('opened').value = opened
      stored = typed
      localStorage.removeItem(slot)
      slot = newSlot()
      keep()
    },
    settled: async () => {},
  }
}

function timesOf({ at }: Kept): string[] {
  if (at === undefined) return []
  const time = new Intl.DateTimeFormat(document.documentElement.lang, {
    timeStyle: 'short',
    hourCycle: 'h23',
  })
  return [inDays(dayOf(new Date(at))), time.format(at)]
}
