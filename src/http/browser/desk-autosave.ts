import type { KeptTexts } from './desk-kept.ts'

/** Saves a draft some seconds after the last key, and before the page is left. What is published only its author saves. */

const PAUSE_MS = 2_000
/** After a save that nobody answered. */
const AGAIN_MS = 10_000
/** How long a link waits for a save, which goes on behind it. */
const LEAVING_MS = 2_000

interface Answer {
  to?: string
  editor?: string
  opened?: string
  problem?: string
}

export interface Saving {
  /** After something was typed. */
  later(): void
  isDraft(): boolean
  now(): Promise<void>
  /** Once nothing is being saved: a form that is sent by hand then says what it was opened from. */
  settled(): Promise<void>
}

export function saveByItself(form: HTMLFormElement, kept: KeptTexts): Saving {
  const state = form.querySelector('[data-saved]') as HTMLElement
  const button = form.querySelector<HTMLElement>('.by-hand')
  /** Sent once more after a lost answer, as it was: the desk then knows it, and saves nothing twice. */
  let unanswered: { body: FormData; typed: string } | null = null
  let saving = Promise.resolve()
  let timer = 0
  let isStopped = false
  /** What the desk has given back is not saved before its author goes on. */
  let isTouched = false

  const isDraft = () => form.dataset.auto !== undefined && !isStopped
  const isSending = () => form.querySelector('[data-sending]:not([hidden])') !== null
  const isWanted = () =>
    isTouched && isDraft() && !form.hasAttribute('aria-busy') && !isSending() && kept.isUnsaved()

  function later(pause = PAUSE_MS): void {
    isTouched = true
    clearTimeout(timer)
    if (isDraft()) timer = setTimeout(() => void now(), pause)
  }

  function now(): Promise<void> {
    clearTimeout(timer)
    saving = saving.then(save)
    return saving
  }

  async function save(): Promise<void> {
    if (!isWanted()) return
    const { body, typed } = unanswered ?? { body: new FormData(form), typed: kept.typed() }
    body.set('do', 'auto')
    state.textContent = state.dataset.saving ?? ''
    const response = await fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => null)
    const answer = (await response?.json().catch(() => null)) as Answer | null
    unanswered = answer ? null : { body, typed }
    const { to, editor, opened, problem } = answer ?? {}
    if (to && editor && opened !== undefined) {
      form.action = to
      form.dataset.editor = editor
      history.replaceState(history.state, '', to)
      kept.savedHere(opened, typed)
      const title = (form.elements.namedItem('title') as HTMLInputElement).value
      if (title.trim()) form.querySelector('.crumbs > :last-child bdi')?.replaceChildren(title)
      const time = new Date().toLocaleTimeString(document.documentElement.lang, {
        timeStyle: 'short',
        hourCycle: 'h23',
      })
      state.textContent = (state.dataset.at ?? '').replace('{time}', time)
      if (kept.isUnsaved()) later()
    } else {
      state.textContent = problem ?? state.dataset.offline ?? ''
      // Pressing it leads to the page that shows what is wrong, and both texts.
      if (problem) button?.classList.add('shown')
      if (problem) isStopped = true
      else later(AGAIN_MS)
    }
  }

  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]:not([target])')
    if (
      !link ||
      link.getAttribute('href')?.startsWith('#') ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey
    )
      return
    if (event.defaultPrevented || !isWanted()) return
    event.preventDefault()
    const leaving = new Promise((late) => setTimeout(late, LEAVING_MS))
    void Promise.race([now(), leaving]).then(() => location.assign(link.href))
  })
  addEventListener('pagehide', () => {
    if (!isWanted()) return
    const body = new FormData(form)
    body.set('do', 'auto')
    // Where it is too long for that, this browser keeps it.
    navigator.sendBeacon(form.action, body)
  })
  // A page that the browser had kept does not know what was saved since.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

  return { later, isDraft, now, settled: () => saving }
}
