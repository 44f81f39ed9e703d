import { teamPagePath } from '../../../domain/addresses/paths.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { readCounts } from '../../../domain/versions/derived.ts'
import { hasNumber, shortName, shownName } from '../../../domain/versions/names.ts'
import { html, type Markup } from '../../../notes/html/markup.ts'
import { plainText } from '../../../notes/html/render.ts'
import { badgesOf } from '../../../notes/release.ts'
import type { DirectoryEntry, TimelineEntry } from '../../../store/store.ts'
import { fillText, type PageLanguage } from '../../../words/languages.ts'
import { badge, standingBadges } from '../../html/badges.ts'
import { changelogLink, versionLink } from '../../reading/addresses.ts'
import type { Site } from '../../site/site.ts'
import { feedsBelow, pageHead, subscribeMenu } from './header.ts'
import { alternatesOf, breadcrumbs, layout } from './layout.ts'

/** A release; or several of a product, newest first: updates of dependencies, or the rest of a row. */
export interface TimelineLine {
  releases: [TimelineEntry, ...TimelineEntry[]]
  isUpdate: boolean
}

/** True if it is one release that says something. */
export const isCard = ({ releases, isUpdate }: TimelineLine): boolean => !isUpdate && releases.length === 1

/** The newest releases of all products beside the list of products. */
export interface TimelinePage {
  lines: readonly TimelineLine[]
  /** The newest release of each product whose newest has no date; on further pages none. */
  undated: readonly TimelineEntry[]
  /** The first changes of the releases without a title, each in a line, or their first words, by the ids of these. */
  first: ReadonlyMap<string, readonly string[]>
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

/** `team` is its name; null for the page of all teams. */
export function timelinePage(site: Site, team: string | null, page: TimelinePage): string {
  const { language } = site
  const { site: texts, timeline } = language.words
  const name = team ?? site.title
  const isEmpty = page.products.length === 0 && page.lines.length === 0
  const ofTeam = team === null ? null : page.products[0]?.settings.teamSubscribeUrl
  const form = ofTeam ?? site.subscribeUrl
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
    title: [...new Set([name, site.title])].join(' · '),
    description: team === null ? texts.about : `${fillText(timeline.aboutTeam, { team })} · ${names}`,
    path: page.own,
    alternates: isEmpty ? [] : alternatesOf(page.own, name, feeds),
    isNewest: page.own === page.path,
    about: { '@type': 'CollectionPage', name },
    body: html`<header>
${ownCrumbs}
${pageHead(html`${name}`, isEmpty ? null : summary(language, page, team === null), isEmpty ? null : subscribeMenu(language, form, feeds))}
</header>
<main${isEmpty ? null : html` class="lists"`}>
${isEmpty ? html`<p class="empty">${texts.nothingPublic}</p>` : lists(language, page, products)}
</main>`,
  })
}

/** How many products there are, if all of them are on this page, and when something was last released. */
function summary(
  { words: { timeline: texts, changelog }, ...language }: PageLanguage,
  { products, lines, ...page }: TimelinePage,
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
  const [newest] = (page.newerHref === null && lines[0]?.releases) || []
  if (!newest) return html`${count}`
  return html`${count} · ${fillText(changelog.newest, { release: language.day(newest.publishedAt) })}`
}

const lists = (
  language: PageLanguage,
  page: TimelinePage,
  products: Markup | Markup[],
): Markup => html`<section aria-label="${language.words.timeline.latest}">
${page.lines.length + page.undated.length > 0 ? byMonth(language, page) : html`<p class="empty">${language.words.changelog.nothing}</p>\n`}${pageLinks(language, page)}${withoutDate(language, page)}</section>
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

const byMonth = (language: PageLanguage, page: TimelinePage): Markup[] =>
  [...Map.groupBy(page.lines, ({ releases: [newest] }) => language.month(newest.publishedAt))].map(
    ([month, own]) => html`<h2>${month}</h2>
<ol class="timeline">
${own.map((line) => datedLine(language, page, line))}</ol>
`,
  )

function datedLine(language: PageLanguage, page: TimelinePage, line: TimelineLine): Markup {
  const { releases, isUpdate } = line
  const [newest] = releases
  const oldest = releases.at(-1) ?? newest
  const kind = isCard(line) ? badgesIn(newest)[0] : 'folded'
  const link = (version: TimelineEntry) =>
    html`<a class="plain" href="${versionLink(version, version)}"><code>${plainText(shortName(version))}</code></a>`
  const { words, counted } = language
  const about = isUpdate ? words.long.updates : counted(words.changelog.releases, releases.length)
  const content = isCard(line)
    ? html`${card(language, page, newest)}\n<p class="from">${contents(language, newest)}</p>`
    : html`<a class="plain" href="${changelogLink(newest)}"><bdi>${newest.product.name}</bdi></a> ${oldest === newest ? null : html`${link(oldest)} – `}${link(newest)} · ${about}`
  return html`<li${kind && html` class="${kind}"`} id="${newest.id}"><time datetime="${formatInstant(newest.publishedAt)}">${language.shortDay(newest.publishedAt)}</time><div>${content}</div></li>\n`
}

/** Alone, these are the latest releases. */
function withoutDate(language: PageLanguage, page: TimelinePage): Markup | null {
  const { undated, lines } = page
  const { timeline: texts } = language.words
  if (undated.length === 0) return null
  return html`<h2>${lines.length === 0 ? texts.latest : html`${texts.undated} <small>${texts.aboutUndated}</small>`}</h2>
<ul class="undated">
${undated.map(
  (release) => html`<li>${card(language, page, release)}
<p class="from">${contents(language, release)} <a href="${changelogLink(release)}">${language.words.changelog.showAll}</a></p></li>
`,
)}</ul>
`
}

/** The product and version of a release, which lead to it, and below them its title, if that says more, or its first changes. */
function card(language: PageLanguage, { first }: TimelinePage, release: TimelineEntry): Markup {
  const { title } = shownName(release)
  const changes = first.get(release.id) ?? []
  const badges = badgesIn(release).map((kind) => html`${badge(language, kind)} `)
  return html`<p class="card"><a class="title" href="${versionLink(release, release)}"><bdi>${release.product.name}</bdi>${hasNumber(release.label) ? html` <code>${release.label}</code>` : null}</a> ${badges}${standingBadges(language, release)}</p>${
    title && html`<p class="said" dir="auto">${plainText(title)}</p>`
  }${changes.map((change) => html`<p class="said line" dir="auto">${change}</p>`)}`
}

export const badgesIn = ({ kinds }: TimelineEntry) => badgesOf(readCounts(kinds) ?? new Map())

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
  { words, shortDay }: PageLanguage,
  products: readonly DirectoryEntry[],
): Markup => html`<ul class="products">
${products.map(
  (entry) =>
    html`<li><a href="${changelogLink(entry)}" dir="auto">${entry.product.name}</a> ${
      entry.newest.label === null
        ? html`<span class="quiet">${words.changelog.noReleases}</span>`
        : hasNumber(entry.newest.label)
          ? html`<code>${entry.newest.label}</code>`
          : entry.newest.publishedAt !== null &&
            html`<time class="quiet" datetime="${formatInstant(entry.newest.publishedAt)}">${shortDay(entry.newest.publishedAt)}</time>`
    }</li>\n`,
)}</ul>`
