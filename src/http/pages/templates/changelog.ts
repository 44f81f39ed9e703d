import { FEEDS, MARKDOWN, publicChangelogPath, teamPagePath } from '../../../domain/addresses/paths.ts'
import type { KindCounts } from '../../../domain/derived.ts'
import { KINDS } from '../../../domain/kinds.ts'
import { headingFromType } from '../../../domain/slug.ts'
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
import { pageHead, type Subscription, searchForm, subscribeMenu } from './header.ts'
import { nameOf, type Pill, pills } from './kinds.ts'
import { type Alternate, breadcrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { day, formatDay } from './release.ts'

export interface ChangelogPage {
  overview: ChangelogOverview
  filter: Filter
  /** What was found by a search or filter, on this page. */
  found: { changeCount: number | null; releaseCount: number; counts: KindCounts } | null
  /** The newest version, if this page begins with it. */
  newest: DatedVersion | null
  releases: Markup[]
  /** What the newest release brought, where there is an older one. */
  upgradeHref: string | null
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
${pageHead(
  nameOfChangelog(overview),
  page.found ? foundSummary(page, page.found) : summary(page),
  searchForm({
    action: changelogLink(overview),
    q: page.filter.q,
    maxLength: MAX_Q,
    keep: { kind: page.filter.kind, type: page.filter.type },
  }),
  subscribeMenu(subscriptions(overview)),
)}
${kindPills(page)}</header>
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

function summary({ overview, newest, upgradeHref }: ChangelogPage): Markup {
  const count = countOf(overview)
  if (!newest) return html`${count}`
  const upgrade = upgradeHref && html` · <a href="${upgradeHref}">Plan an upgrade</a>`
  return html`${count} · newest ${newest.label}${newest.dateKnown ? html`, ${day(newest.publishedAt)}` : null}${upgrade}`
}

/** The word that most names end with is quieter than the name of the product. */
function nameOfChangelog({ changelog: { name } }: ChangelogInfo): Markup {
  const [, own, word] = /^(.*\S)\s+(changelog)$/i.exec(name) ?? []
  return own ? html`${own} <span>${word}</span>` : html`${name}`
}

function foundSummary(page: ChangelogPage, { changeCount, releaseCount }: Found): Markup {
  const { overview, filter, newerHref, olderHref } = page
  const { q, kind, type } = filter
  const named = kind === 'breaking' || kind === 'security' ? `${kind} ` : ''
  const changes = changeCount !== null ? `${counted(changeCount, `${named}change`)} in ` : ''
  const under = kind && !named ? ` under ${nameOf(kind)}` : type && ` under ${headingFromType(type)}`
  const words = q && ` ${(changeCount ?? releaseCount) === 1 ? 'mentions' : 'mention'} “${q}”`
  const extent = newerHref ? 'Further on: ' : olderHref ? 'At least ' : ''
  const what = html`${extent}${changes}${counted(releaseCount, 'release')}${under}${words}`
  return html`${releaseCount > 0 ? html`${what} · ` : null}<a href="${changelogLink(overview)}">Show all releases</a>`
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

function countOf({ versionCount }: ChangelogOverview): string {
  if (versionCount > OVERVIEW.versions) return `More than ${OVERVIEW.versions.toLocaleString('en')} releases`
  if (versionCount === 0) return 'No releases yet'
  return counted(versionCount, 'release')
}

type Found = NonNullable<ChangelogPage['found']>

/** The kinds that occur: with words in the results, else in the changelog. */
function kindPills({ overview, filter, found, olderHref, newerHref }: ChangelogPage): Markup | null {
  const path = changelogLink(overview)
  const isSearch = filter.q !== null && found !== null
  const { kinds, changeCount } = isSearch ? { kinds: found.counts, changeCount: found.changeCount } : overview
  const isMore = isSearch
    ? olderHref !== null || newerHref !== null
    : overview.versionCount > OVERVIEW.versions
  const pillOf = (own: Pick<Filter, 'kind' | 'type'>, name: string, count: number | null): Pill => ({
    ...(own.kind && { kind: own.kind }),
    ...{ name, count, href: filterHref(path, { ...own, q: filter.q }) },
    isCurrent: own.kind === filter.kind && own.type === filter.type,
  })
  const links = KINDS.filter((kind) => kinds.has(kind) || kind === filter.kind).map((kind) =>
    pillOf({ kind, type: null }, nameOf(kind), kinds.get(kind) ?? null),
  )
  if (filter.type !== null) links.push(pillOf(filter, headingFromType(filter.type), null))
  if (links.length === 0) return null
  const all = pillOf({ kind: null, type: null }, 'All', filter.kind && isSearch ? null : changeCount)
  return html`${pills('Kinds of change', [all, ...links], isMore)}\n`
}

/** The address of filtered results. */
export function filterHref(path: string, { q, kind, type }: Filter, cursor?: string): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ q, kind, type, cursor })) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}

/** The changelog in other formats; those with a `use` can be subscribed to. */
function formats(changelog: ChangelogInfo) {
  const { team, product } = changelog
  const path = changelogLink(changelog)
  const api = `${publicChangelogPath(team.slug, product.slug)}?include=changes`
  return [
    { type: 'application/atom+xml', name: 'Atom', use: 'For feed readers', href: `${path}/${FEEDS.atom}` },
    {
      type: 'application/rss+xml',
      name: 'RSS',
      use: 'For feed readers, Slack and Teams',
      href: `${path}/${FEEDS.rss}`,
    },
    {
      type: 'application/feed+json',
      name: 'JSON Feed',
      use: 'For scripts and dashboards',
      href: `${path}/${FEEDS.json}`,
    },
    { type: 'application/json', name: 'API', use: null, href: api },
    {
      type: 'text/markdown',
      name: 'Markdown',
      use: 'The whole changelog as one file',
      href: `${path}/${MARKDOWN}`,
    },
  ]
}

const subscriptions = (changelog: ChangelogInfo): Subscription[] =>
  formats(changelog).flatMap(({ name, href, use }) => (use === null ? [] : { name, href, use }))

export const alternates = (changelog: ChangelogInfo): Alternate[] =>
  formats(changelog).map(({ type, name, href }) => ({
    type,
    title: `${changelog.changelog.name} (${name})`,
    href,
  }))

function nothing({ overview, filter, olderHref }: ChangelogPage): Markup {
  const path = changelogLink(overview)
  if (!isFiltered(filter)) return html`<p class="empty">What is published appears here and in the feeds.</p>`
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
