import { teamPagePath } from '../../../domain/addresses/paths.ts'
import type { DirectoryEntry } from '../../../store/store.ts'
import { changelogLink } from '../links.ts'
import type { Site } from '../site.ts'
import { breadcrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { day } from './release.ts'

export interface ListPage {
  entries: readonly [DirectoryEntry, ...DirectoryEntry[]]
  path: string
  firstHref: string | null
  nextHref: string | null
}

export function homePage(site: Site, page: ListPage | null): string {
  const title = site.name || 'Changelogs'
  return layout(site, {
    title,
    description: site.name ? `What is new at ${site.name}: all changelogs.` : 'All public changelogs.',
    path: page?.path ?? '/',
    about: { '@type': 'CollectionPage', name: title },
    body: html`<header>
${site.logoUrl ? breadcrumbs({ ...site, hasLists: false, home: null }) : null}
<h1 dir="auto">${title}</h1>
</header>
<main class="teams">
${page ? byTeam(page.entries) : html`<p class="empty">No changelog is public yet. What is published appears here.</p>`}
</main>
${page && pageLinks(page)}`,
  })
}

export function teamPage(site: Site, page: ListPage): string {
  const { team } = page.entries[0]
  return layout(site, {
    title: site.name ? `${team.name} · ${site.name}` : `${team.name} · Changelogs`,
    description: `What is new at ${team.name}: ${page.entries.map(({ changelog }) => changelog.name).join(', ')}.`,
    path: page.path,
    about: { '@type': 'CollectionPage', name: team.name },
    body: html`<header>
${breadcrumbs(site.name || site.logoUrl ? site : { ...site, name: site.home ? 'Start page' : 'All changelogs' })}
<h1 dir="auto">${team.name}</h1>
</header>
<main>
${list(page.entries)}
</main>
${pageLinks(page)}`,
  })
}

function byTeam(entries: readonly DirectoryEntry[]): Markup[] {
  const teams = Map.groupBy(entries, ({ team }) => team.slug)
  return [...teams].map(
    ([slug, own]) => html`<section>
<h2 dir="auto"><a href="${teamPagePath(slug)}">${own[0]?.team.name}</a></h2>
${list(own)}
</section>
`,
  )
}

const list = (entries: readonly DirectoryEntry[]): Markup => html`<ul class="list">
${entries.map(
  (entry) =>
    html`<li><a href="${changelogLink(entry)}" dir="auto">${entry.changelog.name}</a> ${newest(entry)}</li>\n`,
)}</ul>`

const newest = ({ newest: { label, publishedAt } }: DirectoryEntry): Markup =>
  label === null
    ? html`<span>Nothing released yet</span>`
    : html`<span><code>${label}</code>${publishedAt === null ? null : html` · ${day(publishedAt)}`}</span>`

const pageLinks = ({ firstHref, nextHref }: ListPage): Markup | null =>
  firstHref || nextHref
    ? html`<nav class="pages" aria-label="Pages">
${firstHref && html`<a class="newer" href="${firstHref}">← First page</a>\n`}${
  nextHref && html`<a class="older" rel="next" href="${nextHref}">Next page →</a>\n`
}</nav>`
    : null
