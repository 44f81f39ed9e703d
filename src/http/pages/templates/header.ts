import { FEEDS } from '../../../domain/addresses/paths.ts'
import { html, type Markup } from '../../../notes/html/markup.ts'
import type { PageLanguage } from '../../../words/languages.ts'
import { MAX_Q } from '../../reading/parameters.ts'
import type { Filter } from '../../reading/search.ts'

/** The feeds below a path, which is empty for those of the site. */
export function feedsBelow({ words: { subscribe, standing }, ofEntries }: PageLanguage, path: string) {
  const feed = (type: string, name: string, file: string, use: string) => {
    return { type: `application/${type}`, name, href: `${path}/${file}`, use }
  }
  return [
    feed('atom+xml', 'Atom', FEEDS.atom, subscribe.readers),
    feed('rss+xml', 'RSS', FEEDS.rss, subscribe.chats),
    feed('feed+json', 'JSON Feed', FEEDS.json, subscribe.scripts),
    ...(ofEntries
      ? []
      : [feed('atom+xml', `Atom · ${standing.stable}`, `${FEEDS.atom}?prereleases=no`, subscribe.readers)]),
  ]
}

/** The title of a page with what stands below it, and beside it search and subscriptions. */
export const pageHead = (title: Markup, summary: Markup | null, ...tools: (Markup | null)[]): Markup =>
  html`<div class="head">
<div>
<h1 dir="auto">${title}</h1>
${summary && html`<p class="summary">${summary}</p>\n`}</div>
${tools.some((tool) => tool !== null) ? html`<div class="tools">\n${tools}</div>\n` : null}</div>`

/** A menu that needs no script. `form` is that of a mailing list, or empty. */
export const subscribeMenu = (
  { words }: PageLanguage,
  form: string,
  feeds: readonly Record<'name' | 'href' | 'use', string>[],
): Markup => {
  const { byMail, inbox } = words.subscribe
  const subscriptions = [...(form === '' ? [] : [{ name: byMail, href: form, use: inbox }]), ...feeds]
  return html`<details class="menu">
<summary>${words.subscribe.menu}</summary>
<ul>
${subscriptions.map(({ name, href, use }) => html`<li><a href="${href}">${name}<span>${use}</span></a></li>\n`)}</ul>
</details>
`
}

/** The form of a search, which keeps what else is filtered by. */
export const searchForm = (
  { words: { search } }: PageLanguage,
  action: string,
  { q, ...keep }: Partial<Filter>,
  text = search.changes,
): Markup =>
  html`<form class="search" role="search" action="${action}">
<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><circle cx="7" cy="7" r="5"/><path d="m11 11 4 4"/></svg>
<input type="search" name="q" value="${q ?? ''}" maxlength="${MAX_Q}" placeholder="${text}" aria-label="${text}">
${Object.entries(keep).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">\n`)}<button class="hidden" type="submit">${search.button}</button>
</form>
`
