/**
 * Draws a line between the releases that this browser has not seen on a page and those that it has. It is in the page, and keeps
 * what it has seen in the browser: for the next visits, and until the tab is closed for this one.
 */
const { line = '' } = document.currentScript?.dataset ?? {}
const key = `changelogd:${location.pathname}`
const releases = [...document.querySelectorAll('main > .release[id], .timeline > [id]')]
try {
  const seen = sessionStorage[key] ?? localStorage[key] ?? ''
  sessionStorage[key] = seen
  localStorage[key] = releases.map(({ id }) => id)
  const at = releases.findIndex(({ id }) => seen.includes(id))
  const first = releases[at]
  if (first && at > 0) {
    const added = document.createElement(first.localName === 'li' ? 'li' : 'p')
    added.className = 'new'
    added.textContent = line
    first.before(added)
  }
} catch {
  // Nothing may be kept here.
}
