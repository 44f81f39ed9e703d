import { teamPagePath } from '../../../domain/addresses/paths.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { readCounts } from '../../../domain/versions/derived.ts'
import { titleBeside } from '../../../domain/versions/title.ts'
import { badgesOf } from '../../../notes/release.ts'
import type { DirectoryEntry, TimelineEntry } from '../../../store/store.ts'
import { fillText, type PageLanguage } from '../languages/languages.ts'
import { changelogLink, versionLink } from '../links.ts'
import { plainText } from '../markdown/render.ts'
import type { Site } from '../site.ts'
import { feedsBelow, pageHead, subscribeMenu } from './header.ts'
import { badge } from './kinds.ts'
import { alternatesOf, breadcrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { standingBadges } from './standing.ts'

/** The newest releases of all products beside the list of products. */
export interface TimelinePage {
  releases: readonly TimelineEntry[]
  /** Rows of releases that only update dependencies, as `foldUpdates` has them. */
  updates: ReadonlyMap<string, readonly TimelineEntry[]>
  /** The newest release of each product whose newest has no date; on further pages none. */
  undated: readonly TimelineEntry[]
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

export const titleOf = (site: Site): string => site.siteName || site.language.words.site.whatsNew

/** Of a team, or of all: then there is no name. */
export function timelinePage(site: Site, team: string | null, page: TimelinePage): string {
  const { language } = site
  const { site: texts, timeline } = language.words
  const name = team ?? titleOf(site)
  const isEmpty = page.products.length === 0 && page.releases.length === 0
  const feeds = feedsBelow(language, page.path === '/' ? '' : page.path)
  const names = page.products.map(({ product }) => product.name).join(timeline.separator)
  const ownCrumbs =
    team === null
      ? site.logoUrl && breadcrumbs({ ...site, hasLists: false, home: null })
      : breadcrumbs(site.siteName || site.logoUrl ? site : { ...site, siteName: texts.whatsNew })
  const products =
    team === null
      ? byTeam(language, page.products)
      : html`<h2>${timeline.heading}</h2>\n${productList(language, page.products)}`
  return layout(site, {
    title: [...new Set([name, titleOf(site)])].join(' · '),
    description: team === null ? texts.about : `${fillText(timeline.aboutTeam, { team })} · ${names}`,
    path: page.own,
    alternates: isEmpty ? [] : alternatesOf(page.own, name, feeds),
    about: { '@type': 'CollectionPage', name },
    body: html`<header>
${ownCrumbs}
${pageHead(html`${name}`, isEmpty ? null : summary(language, page, team === null), isEmpty ? null : subscribeMenu(language, feeds))}
</header>
<main${isEmpty ? null : html` class="lists"`}>
${isEmpty ? html`<p class="empty">${texts.nothingPublic}</p>` : lists(language, page, products)}
</main>`,
  })
}

/** How many products there are, if all of them are on this page, and when something was last released. */
function summary(
  { words: { timeline: texts, changelog }, ...language }: PageLanguage,
  { products, releases, ...page }: TimelinePage,
  countsTeams: boolean,
): Markup {
  const isAll = page.firstProductsHref === null && page.moreProductsHref === null
  const teams = new Set(products.map(({ team }) => team.slug)).size
  const ownProducts = language.counted(texts.products, products.length)
  const ofTeams =
    countsTeams && teams > 1
      ? language.counted(texts.productsOfTeams, teams, { products: ownProducts })
      : ownProducts
  const count = isAll ? ofTeams : texts.heading
  const newest = page.newerHref === null ? releases[0] : undefined
  if (!newest) return html`${count}`
  return html`${count} · ${fillText(changelog.newest, { release: language.day(newest.publishedAt) })}`
}

const lists = (
  language: PageLanguage,
  page: TimelinePage,
  products: Markup | Markup[],
): Markup => html`<section aria-label="${language.words.timeline.latest}">
${page.releases.length + page.undated.length > 0 ? byMonth(language, page) : html`<p class="empty">${language.words.changelog.nothing}</p>\n`}${pageLinks(language, page)}${withoutDate(language, page)}</section>
<aside aria-label="${language.words.timeline.heading}">
${products}
${page.firstProductsHref && html`<p><a href="${page.firstProductsHref}">${language.back(language.words.timeline.first)}</a></p>\n`}${
  page.moreProductsHref &&
  html`<p><a class="further" href="${page.moreProductsHref}">${language.onward(language.words.timeline.more)}</a></p>\n`
}</aside>`

const pageLinks = (
  { words: { pages: texts }, back, onward }: PageLanguage,
  { newerHref, olderHref }: TimelinePage,
): Markup | null =>
  newerHref || olderHref
    ? html`<nav class="turn" aria-label="${texts.name}">
${newerHref && html`<a class="button" rel="prev" href="${newerHref}">${back(texts.newer)}</a>\n`}${
  olderHref && html`<a class="button" rel="next" href="${olderHref}">${onward(texts.older)}</a>\n`
}</nav>\n`
    : null

const byMonth = (language: PageLanguage, { releases, updates }: TimelinePage): Markup[] =>
  [...Map.groupBy(releases, ({ publishedAt }) => language.month(publishedAt))].map(
    ([month, own]) => html`<h2>${month}</h2>
<ol class="timeline">
${own.map((release) => datedLine(language, release, updates.get(release.id)))}</ol>
`,
  )

/** A card; or one line for a row of updates, and nothing for the others in it. */
function datedLine(
  language: PageLanguage,
  release: TimelineEntry,
  row: readonly TimelineEntry[] | undefined,
): Markup | null {
  const { publishedAt, product } = release
  const item = (kind: string | undefined, content: Markup) =>
    html`<li${kind && html` class="${kind}"`}><time datetime="${formatInstant(publishedAt)}">${language.shortDay(publishedAt)}</time><div>${content}</div></li>\n`
  if (!row)
    return item(
      badgesIn(release)[0],
      html`${card(language, release)}\n<p class="from">${contents(language, release)}</p>`,
    )
  const link = (version: TimelineEntry) =>
    html`<a class="plain" href="${versionLink(version, version)}"><code>${version.label}</code></a>`
  const name = html`<a class="plain" href="${changelogLink(release)}"><bdi>${product.name}</bdi></a>`
  const ends = endsOf(row).map((version, at) => html`${at > 0 ? ' – ' : null}${link(version)}`)
  return row.length === 0 ? null : item('folded', html`${name} ${ends} · ${language.words.long.updates}`)
}

/** The oldest and the newest of a row; one alone is both. */
export const endsOf = <Version>(row: readonly Version[]): Version[] => [
  ...new Set([...row.slice(-1), ...row.slice(0, 1)]),
]

/** Alone, these are the latest releases. */
function withoutDate(language: PageLanguage, { undated, releases }: TimelinePage): Markup | null {
  const { timeline: texts } = language.words
  if (undated.length === 0) return null
  return html`<h2>${releases.length === 0 ? texts.latest : html`${texts.undated} <small>${texts.aboutUndated}</small>`}</h2>
<ul class="undated">
${undated.map(
  (release) => html`<li>${card(language, release)}
<p class="from">${contents(language, release)} <a href="${changelogLink(release)}">${language.words.changelog.showAll}</a></p></li>
`,
)}</ul>
`
}

/** Its product and version, which lead to it, and below them its title, if that says more. */
function card(language: PageLanguage, release: TimelineEntry): Markup {
  const title = titleBeside(release)
  const badges = badgesIn(release).map((kind) => html`${badge(language, kind)} `)
  return html`<p class="card"><a class="title" href="${versionLink(release, release)}"><bdi>${release.product.name}</bdi> <code>${release.label}</code></a> ${badges}${standingBadges(language, release)}</p>${
    title && html`<p class="said" dir="auto">${plainText(title)}</p>`
  }`
}

const badgesIn = ({ kinds }: TimelineEntry) => badgesOf(readCounts(kinds) ?? new Map())

/** 4 added, 2 fixed */
function contents(
  { words: { timeline: texts, changelog, kinds: names }, counted, number }: PageLanguage,
  { changeCount, kinds }: TimelineEntry,
): Markup | null {
  const counts = [...(readCounts(kinds) ?? [])]
  const words = counts.flatMap(([kind, count]) =>
    kind === 'breaking' || kind === 'security'
      ? []
      : fillText(texts.count, { count: number(count), kind: names[kind].toLowerCase() }),
  )
  if (words.length > 0) return html`<span>${words.join(texts.separator)}</span>`
  return counts.length > 0 || changeCount === 0
    ? null
    : html`<span>${counted(changelog.changes, changeCount)}</span>`
}

const byTeam = (language: PageLanguage, products: readonly DirectoryEntry[]): Markup[] =>
  [...Map.groupBy(products, ({ team }) => team.slug)].map(
    ([slug, own]) => html`<h2 dir="auto"><a href="${teamPagePath(slug)}">${own[0]?.team.name}</a></h2>
${productList(language, own)}
`,
  )

const productList = (
  { words }: PageLanguage,
  products: readonly DirectoryEntry[],
): Markup => html`<ul class="products">
${products.map(
  (entry) =>
    html`<li><a href="${changelogLink(entry)}" dir="auto">${entry.product.name}</a> ${
      entry.newest.label === null
        ? html`<span class="quiet">${words.changelog.noReleases}</span>`
        : html`<code>${entry.newest.label}</code>`
    }</li>\n`,
)}</ul>`
