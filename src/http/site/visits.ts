/**
 * The only script of pages, which need none. It draws a line between the releases that a browser has not seen on a list and those that it
 * has. The browser keeps their ids: for the next visits, and for as long as the tab is open for this one.
 */
export const VISITS_SCRIPT = `
(() => {
  try {
    const key = 'changelogd:' + location.pathname;
    const releases = [...document.querySelectorAll('main > .release[id], .timeline > [id]')];
    const seen = sessionStorage[key] ?? localStorage[key] ?? '';
    sessionStorage[key] = seen;
    localStorage[key] = releases.map(({ id }) => id);
    const at = releases.findIndex(({ id }) => seen.includes(id));
    if (!(at > 0)) return;
    const line = document.createElement(releases[at].localName === 'li' ? 'li' : 'p');
    line.className = 'new';
    line.textContent = document.currentScript.dataset.line;
    releases[at].before(line);
  } catch {}
})()`.replace(/\s+/g, ' ')
