import { FEEDS, teamPagePath } from '../../../domain/addresses/paths.ts'
import { type KindCounts, readCounts } from '../../../domain/derived.ts'
import type { Instant } from '../../../domain/records.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { DirectoryEntry, TimelineEntry } from '../../../store/store.ts'
import { changelogLink, versionLink } from '../links.ts'
import { plainText } from '../markdown/render.ts'
import type { Site } from '../site.ts'
import { pageHead, subscribeMenu } from './header.ts'
import { badge } from './kinds.ts'
import { type Alternate, breadcrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { formatDay } from './release.ts'

/** The newest releases of all products beside the list of products. */
export interface TimelinePage {
  releases: readonly TimelineEntry[]
  products: readonly DirectoryEntry[]
  /** The path of the first page: feeds are below it. */
  path: string
  /** Path and query of this page. */
  own: string
  newerHref: string | null
  olderHref: string | null
  firstProductsHref: string | null
  moreProductsHref: string | null
}

export function homePage(site: Site, page: TimelinePage): string {
  const title = site.name || 'What’s new'
  const isEmpty = page.products.length === 0 && page.releases.length === 0
  return layout(site, {
    title,
    description: site.name
      ? `What is new at ${site.name}: all products.`
      : 'The newest releases of all products.',
    path: page.own,
    alternates: isEmpty ? [] : alternates(title, page),
    about: { '@type': 'CollectionPage', name: title },
    body: html`<header>
${site.logoUrl ? breadcrumbs({ ...site, hasLists: false, home: null }) : null}
${pageHead(html`${title}`, isEmpty ? null : summary(page, true), isEmpty ? null : subscribe(page))}
</header>
<main${isEmpty ? null : html` class="lists"`}>
${
  isEmpty
    ? html`<p class="empty">No changelog is public yet. What is published appears here.</p>`
    : lists(page, byTeam(page.products))
}
</main>`,
  })
}

export function teamPage(site: Site, name: string, page: TimelinePage): string {
  const products = page.products.map(({ product }) => product.name).join(', ')
  return layout(site, {
    title: site.name ? `${name} · ${site.name}` : `${name} · What’s new`,
    description: `What is new at ${name}: ${products}.`,
    path: page.own,
    alternates: alternates(name, page),
    about: { '@type': 'CollectionPage', name },
    body: html`<header>
${breadcrumbs(site.name || site.logoUrl ? site : { ...site, name: site.home ? 'Start page' : 'What’s new' })}
${pageHead(html`${name}`, summary(page, false), subscribe(page))}
</header>
<main class="lists">
${lists(page, html`<h2>Products</h2>\n${productList(page.products)}`)}
</main>`,
  })
}

/** How many products there are, if all of them are on this page, and when something was last released. */
function summary({ products, releases, ...page }: TimelinePage, countsTeams: boolean): Markup {
  const isAll = page.firstProductsHref === null && page.moreProductsHref === null
  const teams = new Set(products.map(({ team }) => team.slug)).size
  const of = countsTeams && teams > 1 ? ` of ${teams} teams` : ''
  const count = isAll
    ? `${products.length === 1 ? '1 product' : `${products.length} products`}${of}`
    : 'Many products'
  const newest = page.newerHref === null ? releases[0] : undefined
  if (!newest) return html`${count}`
  const date = newest.dateKnown ? formatDay(newest.publishedAt) : newest.label
  return html`${count} · newest release ${date}`
}

const feeds = (path: string) => {
  const base = path === '/' ? '' : path
  return [
    { type: 'application/atom+xml', name: 'Atom', href: `${base}/${FEEDS.atom}`, use: 'For feed readers' },
    {
      type: 'application/rss+xml',
      name: 'RSS',
      href: `${base}/${FEEDS.rss}`,
      use: 'For feed readers, Slack and Teams',
    },
    {
      type: 'application/feed+json',
      name: 'JSON feed',
      href: `${base}/${FEEDS.json}`,
      use: 'For scripts and dashboards',
    },
  ]
}

const alternates = (title: string, { path }: TimelinePage): Alternate[] =>
  feeds(path).map(({ type, name, href }) => ({ type, title: `${title} (${name})`, href }))

const subscribe = ({ path }: TimelinePage): Markup => subscribeMenu(feeds(path))

const lists = (
  page: TimelinePage,
  products: Markup | Markup[],
): Markup => html`<section aria-label="Latest releases">
${page.releases.length > 0 ? byMonth(page.releases) : html`<p class="empty">What is published appears here and in the feeds.</p>\n`}${pageLinks(page)}</section>
<aside aria-label="Products">
${products}
${page.firstProductsHref && html`<p><a href="${page.firstProductsHref}">← First products</a></p>\n`}${
  page.moreProductsHref &&
  html`<p><a class="further" href="${page.moreProductsHref}">More products →</a></p>\n`
}</aside>`

const pageLinks = ({ newerHref, olderHref }: TimelinePage): Markup | null =>
  newerHref || olderHref
    ? html`<nav class="turn" aria-label="Pages">
${newerHref && html`<a class="button" rel="prev" href="${newerHref}">← Newer releases</a>\n`}${
  olderHref && html`<a class="button" rel="next" href="${olderHref}">Older releases →</a>\n`
}</nav>\n`
    : null

/** What nobody dated stays below the month of the release above it. */
function byMonth(releases: readonly TimelineEntry[]): Markup[] {
  let heading = 'Latest releases'
  const months = Map.groupBy(releases, ({ dateKnown, publishedAt }) => {
    if (dateKnown) heading = MONTH.format(publishedAt)
    return heading
  })
  return [...months].map(
    ([month, own]) => html`<h2>${month}</h2>
<ol class="timeline">
${own.map(entry)}</ol>
`,
  )
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

function entry(release: TimelineEntry): Markup {
  const { product, label, title } = release
  const isUntitled = title === label
  const counts = readCounts(release.kinds)
  const kinds = BADGES.filter((kind) => counts?.has(kind))
  const from = html`<a href="${changelogLink(release)}" dir="auto">${product.name}</a> <code>${label}</code> `
  return html`<li${kinds[0] ? html` class="${kinds[0]}"` : null}>${shortDay(release)}<div><a class="title" href="${versionLink(release, release)}" dir="auto">${
    isUntitled ? `${product.name} ${label}` : plainText(title)
  }</a>
<p class="from">${isUntitled ? null : from}${kinds.map((kind) => html`${badge(kind)} `)}${contents(release.changeCount, counts)}</p></div></li>
`
}

/** The kinds that a release is marked with. */
const BADGES = ['breaking', 'security'] as const
const BADGED: ReadonlySet<string> = new Set(BADGES)

const shortDay = ({ dateKnown, publishedAt }: TimelineEntry): Markup =>
  dateKnown ? time(publishedAt) : html`<span></span>`

const time = (instant: Instant): Markup =>
  html`<time datetime="${formatInstant(instant)}">${DAY.format(instant)}</time>`

/** 4 added, 2 fixed */
function contents(changeCount: number, counts: KindCounts | null): Markup | null {
  const words = [...(counts ?? [])]
    .filter(([kind]) => !BADGED.has(kind))
    .map(([kind, count]) => `${count.toLocaleString('en')} ${kind}`)
  if (words.length > 0) return html`<span>${words.join(', ')}</span>`
  if (counts && counts.size > 0) return null
  if (changeCount === 0) return null
  return html`<span>${changeCount === 1 ? '1 change' : `${changeCount.toLocaleString('en')} changes`}</span>`
}

const byTeam = (products: readonly DirectoryEntry[]): Markup[] =>
  [...Map.groupBy(products, ({ team }) => team.slug)].map(
    ([slug, own]) => html`<h2 dir="auto"><a href="${teamPagePath(slug)}">${own[0]?.team.name}</a></h2>
${productList(own)}
`,
  )

const productList = (products: readonly DirectoryEntry[]): Markup => html`<ul class="products">
${products.map(
  (entry) =>
    html`<li><a href="${changelogLink(entry)}" dir="auto">${entry.product.name}</a> ${
      entry.newest.label === null
        ? html`<span class="quiet">No release yet</span>`
        : html`<code>${entry.newest.label}</code>`
    }</li>\n`,
)}</ul>`
