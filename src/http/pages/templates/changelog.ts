import { FEEDS, MARKDOWN, publicChangelogPath, teamPagePath } from '../../../domain/addresses/paths.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import {
  type ChangelogInfo,
  type ChangelogOverview,
  type DatedVersion,
  OVERVIEW,
} from '../../../store/store.ts'
import { changelogLink } from '../links.ts'
import { plainText } from '../markdown/render.ts'
import { MAX_Q } from '../query.ts'
import { type Filter, isFiltered } from '../search.ts'
import type { Site } from '../site.ts'
import { headingOf, offeredTypes, type TypeName } from './kinds.ts'
import { type Alternate, breadcrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { day, formatDay } from './release.ts'

export interface ChangelogPage {
  overview: ChangelogOverview
  filter: Filter
  /** The newest version, if this page begins with it. */
  newest: DatedVersion | null
  releases: Markup[]
  newerHref: string | null
  olderHref: string | null
  /** Path and query, if search engines should list it. */
  path: string | null
}

/** The page of a changelog, or of search results in it. */
export function changelogPage(site: Site, page: ChangelogPage): string {
  const { overview, newest } = page
  const { team, product, changelog } = overview
  return layout(site, {
    title: `${changelog.name} · ${team.name}`,
    description: describe(overview, newest),
    path: page.path,
    alternates: alternates(overview),
    publisher: team.name,
    about: {
      '@type': 'CollectionPage',
      name: changelog.name,
      about: { '@type': 'SoftwareApplication', name: product.name },
      publisher: { '@type': 'Organization', name: team.name },
      ...(newest?.dateKnown && { dateModified: formatInstant(newest.publishedAt) }),
    },
    body: html`<header>
${breadcrumbs(site, { name: team.name, href: site.hasLists ? teamPagePath(team.slug) : null })}
<h1 dir="auto">${changelog.name}</h1>
<p class="summary">${isFiltered(page.filter) ? filterSummary(page) : summary(overview, newest)}</p>
${tools(overview, page.filter)}
</header>
<main>
${page.releases.length > 0 ? page.releases : nothing(page)}
</main>
${pageLinks(page)}`,
  })
}

function describe({ product, team }: ChangelogInfo, newest: DatedVersion | null): string {
  const opening = `What is new in ${product.name} by ${team.name}.`
  if (!newest) return opening
  const title = newest.title === newest.label ? '' : `: ${plainText(newest.title)}`
  const date = newest.dateKnown ? `, ${formatDay(newest.publishedAt)}` : ''
  return `${opening} Newest release: ${newest.label}${date}${title}`
}

function summary(overview: ChangelogOverview, newest: DatedVersion | null): Markup {
  const count = countOf(overview)
  return newest
    ? html`${count} · newest ${newest.label}${newest.dateKnown ? html`, ${day(newest.publishedAt)}` : null}`
    : html`${count}`
}

function filterSummary({ overview, filter }: ChangelogPage): Markup {
  const type = overview.types.find((each) => each.type === filter.type)
  const kind = filter.type && html` under ${headingOf(type ?? { type: filter.type })}`
  const words = filter.q && html` that mention “${filter.q}”`
  return html`${filter.type ? 'Changes' : 'Releases'}${kind}${words} · <a href="${changelogLink(overview)}">show all releases</a>`
}

function countOf({ versionCount }: ChangelogOverview): string {
  if (versionCount > OVERVIEW.versions) return `More than ${OVERVIEW.versions.toLocaleString('en')} releases`
  if (versionCount === 0) return 'No releases yet'
  return versionCount === 1 ? '1 release' : `${versionCount} releases`
}

const tools = (overview: ChangelogOverview, filter: Filter): Markup => {
  const path = changelogLink(overview)
  const offered = offeredTypes(overview.types)
  const { type } = filter
  const isOffered = type === null || offered.some((each) => each.type === type)
  const types = isOffered ? offered : [...offered, { type }]
  return html`<div class="tools">
<form class="search" role="search" action="${path}">
<input type="search" name="q" value="${filter.q ?? ''}" maxlength="${MAX_Q}" placeholder="Search changes" aria-label="Search changes">
${filter.type === null ? null : html`<input type="hidden" name="type" value="${filter.type}">\n`}<button class="hidden" type="submit">Search</button>
</form>
${types.length === 0 ? null : typeLinks(path, filter, types)}<nav class="formats" aria-label="Other formats">
${formats(overview).map(({ link, href }) => link && html`<a href="${href}">${link}</a>\n`)}</nav>
</div>`
}

/** Characters that fit beside the search on a wide screen, counting four more per link. */
const MAX_BESIDE_SEARCH = 52

const typeLinks = (path: string, filter: Filter, types: readonly TypeName[]): Markup => {
  const links = [
    { type: null, name: 'All' },
    ...types.map((each) => ({ type: each.type, name: headingOf(each) })),
  ]
  const length = links.reduce((sum, { name }) => sum + name.length + 4, 0)
  return html`<nav class="${length > MAX_BESIDE_SEARCH ? 'kinds' : 'kinds few'}" aria-label="Kinds of change">
${links.map(({ type, name }) => {
  const current = type === filter.type ? html` aria-current="true"` : null
  return html`<a href="${filterHref(path, { ...filter, type })}"${current}>${name}</a>\n`
})}</nav>
`
}

/** The address of filtered results. */
export function filterHref(path: string, { q, type }: Filter, cursor?: string): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ q, type, cursor })) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}

/** The changelog for programs; `link` is the text of its link on the page, if any. */
function formats(changelog: ChangelogInfo) {
  const { team, product } = changelog
  const path = changelogLink(changelog)
  const api = `${publicChangelogPath(team.slug, product.slug)}?include=changes`
  return [
    { type: 'application/atom+xml', name: 'Atom', link: 'Atom', href: `${path}/${FEEDS.atom}` },
    { type: 'application/rss+xml', name: 'RSS', link: 'RSS', href: `${path}/${FEEDS.rss}` },
    { type: 'application/feed+json', name: 'JSON Feed', link: null, href: `${path}/${FEEDS.json}` },
    { type: 'application/json', name: 'API', link: 'JSON', href: api },
    { type: 'text/markdown', name: 'Markdown', link: 'Markdown', href: `${path}/${MARKDOWN}` },
  ]
}

export const alternates = (changelog: ChangelogInfo): Alternate[] =>
  formats(changelog).map(({ type, name, href }) => ({
    type,
    title: `${changelog.changelog.name} (${name})`,
    href,
  }))

function nothing({ overview, filter, olderHref }: ChangelogPage): Markup {
  const path = changelogLink(overview)
  if (filter.q === null && filter.type === null)
    return html`<p class="empty">What is published appears here and in the feeds.</p>`
  const where = olderHref === null ? '' : ' so far'
  const sought = filter.q === null ? 'has changes of this kind' : html`mentions “${filter.q}”`
  return html`<p class="empty">No release ${sought}${where}. <a href="${path}">Show all releases</a></p>`
}

function pageLinks({ newerHref, olderHref, releases }: ChangelogPage): Markup | null {
  if (newerHref === null && olderHref === null) return null
  return html`<nav class="pages" aria-label="Pages">
${newerHref && html`<a class="newer" rel="prev" href="${newerHref}">← Newer releases</a>\n`}${
  olderHref &&
  html`<a class="older" rel="next" href="${olderHref}">${releases.length > 0 ? 'Older releases' : 'Search older releases'} →</a>\n`
}</nav>`
}
