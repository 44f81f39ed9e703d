import { html, type Markup } from './markup.ts'

export interface Subscription {
  name: string
  href: string
  /** What it is good for. */
  use: string
}

/** The title of a page with what stands below it, and beside it search and subscriptions. */
export const pageHead = (title: Markup, summary: Markup | null, ...tools: (Markup | null)[]): Markup =>
  html`<div class="head">
<div>
<h1 dir="auto">${title}</h1>
${summary && html`<p class="summary">${summary}</p>\n`}</div>
${tools.some((tool) => tool !== null) ? html`<div class="tools">\n${tools}</div>\n` : null}</div>`

/** A menu that needs no script. */
export const subscribeMenu = (subscriptions: readonly Subscription[]): Markup => html`<details class="menu">
<summary>Subscribe</summary>
<ul>
${subscriptions.map(({ name, href, use }) => html`<li><a href="${href}">${name}<span>${use}</span></a></li>\n`)}</ul>
</details>
`

export interface SearchForm {
  action: string
  q: string | null
  maxLength: number
  /** Further parameters that the search keeps. */
  keep: Readonly<Record<string, string | null>>
}

export const searchForm = ({ action, q, maxLength, keep }: SearchForm): Markup =>
  html`<form class="search" role="search" action="${action}">
<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><circle cx="7" cy="7" r="5"/><path d="m11 11 4 4"/></svg>
<input type="search" name="q" value="${q ?? ''}" maxlength="${maxLength}" placeholder="Search changes" aria-label="Search changes">
${Object.entries(keep).map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">\n`)}<button class="hidden" type="submit">Search</button>
</form>
`
