import type { KeptTexts } from './desk-kept.ts'

/** A save waits for others, and for the engine. */
const LONGEST_MS = 60_000

/**
 * Sends forms from the page they are on. It leaves only for a page of the desk, so that nothing typed is lost where none
 * answers. A button that was pressed waits for its answer.
 */
export function sendForms(kept: KeptTexts | null): void {
  const lost = document.querySelector('[data-lost]') as HTMLElement

  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (event.defaultPrevented || form.dataset.refused !== undefined) return
    event.preventDefault()
    if (!form.hasAttribute('aria-busy')) void send(form, event.submitter as HTMLButtonElement | null)
  })
  // A page that the browser had kept can be sent again.
  addEventListener('pageshow', () => {
    for (const form of document.forms) form.removeAttribute('aria-busy')
  })

  async function send(form: HTMLFormElement, button: HTMLButtonElement | null): Promise<void> {
    form.setAttribute('aria-busy', 'true')
    await kept?.settled()
    const body = new FormData(form)
    if (button?.name) body.set(button.name, button.value)
    lost.hidden = true
    kept?.sending()
    const response = await fetch(form.action, {
      method: 'POST',
      body,
      headers: { accept: 'application/json' },
      // A proxy leads to its sign-on.
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST_MS),
    }).catch(() => null)
    const answer = await response?.json().catch(() => null)
    if (answer?.location) {
      kept?.saved(answer.location)
      location.assign(answer.location)
    } else if (answer) {
      // The browser asks once more, for the page that says why.
      form.dataset.refused = ''
      form.requestSubmit(button)
    } else {
      const { signedOut, noAnswer, keptHere } = lost.dataset
      const isSignedOut = response?.type === 'opaqueredirect' || response?.status === 401
      form.removeAttribute('aria-busy')
      kept?.failed()
      lost.textContent = `${isSignedOut ? signedOut : noAnswer} ${kept ? keptHere : ''}`
      lost.hidden = false
    }
  }
}
