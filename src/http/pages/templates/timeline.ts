import { teamPagePath } from '../../../domain/addresses/paths.ts'
import { withPeriod } from '../../../domain/errors.ts'
import type { Side } from '../../../domain/pictures.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { readCounts } from '../../../domain/versions/derived.ts'
import { hasNumber, shortName, shownName } from '../../../domain/versions/names.ts'
import { html, type Markup, trusted } from '../../../notes/html/markup.ts'
import { plainText } from '../../../notes/html/render.ts'
import { badgesOf } from '../../../notes/release.ts'
import type { DirectoryEntry, TimelineEntry } from '../../../store/store.ts'
import { fillText, type PageLanguage, pageLanguage } from '../../../words/languages.ts'
import { badge, standingBadges } from '../../html/badges.ts'
import { createMark } from '../../html/mark.ts'
import { changelogLink, versionLink } from '../../reading/addresses.ts'
import { wordsOf } from '../../reading/search.ts'
import type { Site } from '../../site/site.ts'
import { feedsBelow, pageHead, searchForm, subscribeMenu } from './header.ts'
import { alternatesOf, breadcrumbs, layout } from './layout.ts'

/** A release; or several of a product, newest first: updates of dependencies, or the rest of a row. */
export interface TimelineLine {
  releases: [TimelineEntry, ...TimelineEntry[]]
  isUpdate: boolean
}

/** True if it is one release that says something. */
export const isCard = ({ releases, isUpdate }: TimelineLine): boolean => !isUpdate && releases.length === 1

/** What a card says of a release below its name: text, and its first picture. */
export interface CardContent {
  lines: readonly string[]
  picture: ({ path: string } & Side) | null
}

/** The newest releases of all products beside the list of products. */
export interface TimelinePage {
  /** Words that are searched for. */
  q: string | null
  lines: readonly TimelineLine[]
  /** The newest release of each product whose newest has no date; on further pages none. */
  undated: readonly TimelineEntry[]
  /** By the ids of releases. */
  cards: ReadonlyMap<string, CardContent>
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
  // Where one product has no numbers, all have updates.
  const hasEntries = page.products.some(({ newest: { label } }) => label !== null && !hasNumber(label))
  const language = pageLanguage(site.language.code, hasEntries)
  const { site: texts, timeline } = language.words
  const name = team ?? site.title
  const isEmpty = page.products.length === 0 && page.lines.length === 0
  const ofTeam = team === null ? null : page.products[0]?.settings.teamSubscribeUrl
  const form = ofTeam ?? site.subscribeUrl
  const feeds = feedsBelow(site.language, page.path === '/' ? '' : page.path)
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
    path: page.q === null ? page.own : null,
    alternates: isEmpty ? [] : alternatesOf(page.own, name, feeds),
    isNewest: page.own === page.path,
    about: { '@type': 'CollectionPage', name },
    body: html`<header>
${ownCrumbs}
${pageHead(html`${name}`, isEmpty ? null : page.q === null ? summary(language, page, team === null) : foundSummary(language, page, page.q), ...(isEmpty ? [] : [searchForm(language, page.path, { q: page.q }, language.words.search.all), subscribeMenu(language, form, feeds)]))}
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

/** How much is found, and the way back. */
function foundSummary({ words, counted, ...language }: PageLanguage, page: TimelinePage, q: string): Markup {
  const { changelog: texts } = words
  const count = page.lines.length + page.undated.length
  const mention = counted(texts.mention, count, { found: counted(texts.releases, count), words: q })
  const found = page.olderHref ? fillText(texts.atLeast, { found: mention }) : mention
  const none = fillText(texts.noneMentions, { words: q })
  return html`${count === 0 && page.olderHref === null ? none : found}&#8195;<a href="${page.path}">${language.back(texts.showAll)}</a>`
}

const lists = (
  language: PageLanguage,
  page: TimelinePage,
  products: Markup | Markup[],
): Markup => html`<section aria-label="${language.words.timeline.latest}">
${page.lines.length + page.undated.length > 0 ? byMonth(language, page) : html`<p class="empty">${page.q === null ? language.words.changelog.nothing : fillText(language.words.changelog.noneMentions, { words: page.q })}</p>\n`}${pageLinks(language, page)}${withoutDate(language, page)}</section>
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
    ? card(language, page, newest)
    : html`<div><a class="plain" href="${changelogLink(newest)}"><bdi>${newest.product.name}</bdi></a> ${oldest === newest ? null : html`${link(oldest)} – `}${link(newest)} · ${about}</div>`
  return html`<li${kind && html` class="${kind}"`} id="${newest.id}"><time datetime="${formatInstant(newest.publishedAt)}">${language.shortDay(newest.publishedAt)}</time>${content}</li>\n`
}

/** Alone, these are the latest releases. */
function withoutDate(language: PageLanguage, page: TimelinePage): Markup | null {
  const { undated, lines } = page
  const { timeline: texts } = language.words
  if (undated.length === 0) return null
  return html`<h2>${lines.length === 0 ? texts.latest : html`${texts.undated} <small>${texts.aboutUndated}</small>`}</h2>
<ul class="undated">
${undated.map(
  (release) =>
    html`<li>${card(language, page, release, html` <a href="${changelogLink(release)}">${language.words.changelog.showAll}</a>`)}</li>\n`,
)}</ul>
`
}

/** A title, or what stands for it; below it the product, version, marks and counts; then two lines of text, and a picture. */
export function card(
  language: PageLanguage,
  { cards, q }: Pick<TimelinePage, 'cards' | 'q'>,
  release: TimelineEntry,
  more: Markup | null = null,
): Markup {
  const { label, title } = shownName(release)
  const mark = createMark(wordsOf(q))
  const { lines = [], picture = null } = cards.get(release.id) ?? {}
  const href = versionLink(release, release)
  const number = hasNumber(release.label) ? html` <code>${release.label}</code>` : null
  const name = html`<bdi>${release.product.name}</bdi>`
  const date = release.dateKnown ? language.day(release.publishedAt) : null
  const own = title === null ? (number ?? html` <span>${label ?? date}</span>`) : null
  const marked = (text: string) => trusted(mark(Bun.escapeHTML(text)))
  const badges = badgesIn(release).map((kind) => html`${badge(language, kind)} `)
  return html`<div><p class="card"><a class="title" href="${href}" dir="auto">${title === null ? html`${name}${own}` : marked(plainText(title))}</a></p>
<p class="from">${title === null ? null : html`<b><a class="plain" href="${changelogLink(release)}">${name}</a>${number}</b> `}${badges}${standingBadges(language, release)}${contents(language, release)}${more}</p>${
    lines.length > 0
      ? html`\n<p class="said" dir="auto">${marked(lines.length > 1 ? lines.map(withPeriod).join(' ') : lines.join(''))}</p>`
      : null
  }</div>${
    picture &&
    html`<a class="thumb" href="${href}" tabindex="-1" aria-hidden="true"><img src="${picture.path}" width="${picture.width}" height="${picture.height}" alt="" loading="lazy"></a>`
  }`
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
