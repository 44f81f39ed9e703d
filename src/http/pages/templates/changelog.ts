import { MARKDOWN, publicChangelogPath, teamPagePath } from '../../../domain/addresses/paths.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { KindCounts } from '../../../domain/versions/derived.ts'
import { KINDS } from '../../../domain/versions/kinds.ts'
import { shownName } from '../../../domain/versions/names.ts'
import { isSelective, versionFilter } from '../../../domain/versions/properties.ts'
import { headingOf } from '../../../notes/html/headings.ts'
import { fill, html, type Markup } from '../../../notes/html/markup.ts'
import { plainText } from '../../../notes/html/render.ts'
import {
  type ChangelogInfo,
  type ChangelogOverview,
  type Cursor,
  type DatedVersion,
  dateOf,
  OVERVIEW,
} from '../../../store/store.ts'
import { fillText, type PageLanguage } from '../../../words/languages.ts'
import { type Pill, pills } from '../../html/badges.ts'
import { day } from '../../html/release.ts'
import { changelogLink, withQuery, writeCursor } from '../../reading/addresses.ts'
import { type Filter, isFiltered } from '../../reading/search.ts'
import type { Site } from '../../site/site.ts'
import { feedsBelow, pageHead, searchForm, subscribeMenu } from './header.ts'
import { type Alternate, alternatesOf, breadcrumbs, layout } from './layout.ts'
import { type EraLink, jumpRow } from './long.ts'

export interface ChangelogPage {
  overview: ChangelogOverview
  filter: Filter
  /** The results of a search or filter on this page. */
  found: { changeCount: number | null; releaseCount: number; counts: KindCounts } | null
  /** The version that `latest` means, on the first page of all releases. */
  newest: DatedVersion | null
  hasPrereleases: boolean
  /** Empty for a short changelog. */
  eras: readonly EraLink[]
  /** Leads to the changes of the newest release, if there is an older one. */
  upgradeHref: string | null
  newerHref: string | null
  olderHref: string | null
  /** The first release that is older than those of this page, if it is known. */
  older: DatedVersion | null
  /** Path and query. */
  own: string
}

/** The page of a changelog, or of search results in it. */
export function changelogPage(site: Site, page: ChangelogPage, releases: Markup[]): string {
  const { overview, newest } = page
  const { team, product, changelog } = overview
  const { language } = site
  return layout(site, {
    title: `${language.changelogName(changelog.name).join(' ')} · ${team.name}`,
    description: describe(language, overview, newest),
    // Search engines leave out what is found.
    path: page.found || isSelective(page.filter) ? null : page.own,
    alternates: alternates(language, overview, page.own),
    publisher: team.name,
    isNewest: page.own === changelogLink(overview),
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
  nameOfChangelog(language, overview),
  page.found ? foundSummary(language, page, page.found) : summary(language, page),
  ...changelogTools(site, overview, page.filter),
)}
<div class="beside">
${kindPills(language, page)}${stableLink(language, page)}</div>
${page.eras.length > 0 ? jumpRow(language, page.eras) : null}</header>
<main>
${releases.length > 0 ? releases : nothing(language, page)}
</main>
${pageLinks(language, page, releases.length > 0)}`,
  })
}

/** Search and subscriptions. */
export const changelogTools = (site: Site, info: ChangelogInfo, filter: Filter): Markup[] => [
  searchForm(site.language, changelogLink(info), filter),
  subscribeMenu(site.language, subscribeFormOf(site, info), [
    ...feedsOf(site.language, info),
    fileOf(site.language, info),
  ]),
]

/** The form of the mailing list: of the product, else of its team, else of the site. */
function subscribeFormOf(site: Site, { settings }: ChangelogInfo): string {
  return settings.subscribeUrl ?? settings.teamSubscribeUrl ?? site.subscribeUrl
}

function describe(
  { words: { changelog: texts }, ...language }: PageLanguage,
  { product, team }: ChangelogInfo,
  newest: DatedVersion | null,
): string {
  const opening = fillText(texts.about, { product: product.name, team: team.name })
  if (!newest) return opening
  const { label, title } = shownName(newest)
  const date = newest.dateKnown ? language.day(newest.publishedAt) : null
  const said = title && plainText(title)
  return `${opening} ${[[label, date].filter(Boolean).join(', '), said].filter(Boolean).join(': ')}`
}

function summary(language: PageLanguage, page: ChangelogPage): Markup {
  const { overview, newest, upgradeHref } = page
  const count = countOf(language, overview)
  if (!newest) return html`${count}`
  const { label, title } = shownName(newest)
  const { separator } = language.words.timeline
  const date = day(language, dateOf(newest))
  const name = label ?? (date ? null : title && plainText(title))
  const release = html`${name && html`<bdi>${name}</bdi>`}${name && date ? separator : null}${date}`
  const upgrade = upgradeHref && html`&#8195;<a href="${upgradeHref}">${language.words.upgrade.plan}</a>`
  return html`${count} · ${fill(language.words.changelog.newest, { release })}${upgrade}`
}

/** A link that leaves out pre-releases, or shows them again. */
function stableLink(
  language: PageLanguage,
  { overview, filter, hasPrereleases }: ChangelogPage,
): Markup | null {
  const isOn = filter.prereleases === 'no'
  if (!isOn && (!hasPrereleases || language.ofEntries)) return null
  const { prereleases, ...others } = filter
  const href = filterHref(changelogLink(overview), isOn ? others : { ...filter, prereleases: 'no' })
  return html`<a class="stable" href="${href}"${isOn ? html` aria-current="true"` : null}>${language.words.standing.stable}</a>\n`
}

/** The word that most names end with is quieter than the name of the product. */
function nameOfChangelog({ changelogName }: PageLanguage, { changelog: { name } }: ChangelogInfo): Markup {
  const [own, word] = changelogName(name)
  return word ? html`<b>${own}</b> <span>${word}</span>` : html`${name}`
}

function foundSummary(
  { words, counted }: PageLanguage,
  page: ChangelogPage,
  { changeCount, releaseCount }: Found,
): Markup | null {
  const { overview, filter, newerHref, olderHref } = page
  const { q, kind, type } = filter
  const texts = words.changelog
  const isNamed = kind === 'breaking' || kind === 'security'
  const forms = isNamed ? texts[`${kind}Changes`] : texts.changes
  const heading = kind && !isNamed ? words.kinds[kind] : type && headingOf(words, { type })
  const releases = counted(texts.releases, releaseCount)
  let found =
    changeCount === null
      ? releases
      : fillText(texts.inReleases, { changes: counted(forms, changeCount), releases })
  if (heading) found = fillText(texts.under, { found, kind: heading })
  if (q) found = counted(texts.mention, changeCount ?? releaseCount, { found, words: q })
  if (newerHref || olderHref) found = fillText(newerHref ? texts.furtherOn : texts.atLeast, { found })
  return releaseCount > 0
    ? html`${found}&#8195;<a href="${changelogLink(overview)}">${texts.showAll}</a>`
    : null
}

function countOf({ words, counted }: PageLanguage, { versionCount }: ChangelogOverview): string {
  const { atLeast, noReleases, releases } = words.changelog
  if (versionCount > OVERVIEW.versions)
    return fillText(atLeast, { found: counted(releases, OVERVIEW.versions) })
  return versionCount === 0 ? noReleases : counted(releases, versionCount)
}

type Found = NonNullable<ChangelogPage['found']>

/** The kinds that occur: with words in the results, else in the changelog. */
function kindPills(
  language: PageLanguage,
  { overview, filter, found, olderHref, newerHref }: ChangelogPage,
): Markup | null {
  if (language.ofEntries) return null
  const path = changelogLink(overview)
  const isSearch = filter.q !== null && found !== null
  const { kinds, changeCount } = isSearch ? { kinds: found.counts, changeCount: found.changeCount } : overview
  const isMore = isSearch
    ? olderHref !== null || newerHref !== null
    : overview.versionCount > OVERVIEW.versions
  const pillOf = (own: Pick<Filter, 'kind' | 'type'>, name: string, count: number | null): Pill => ({
    ...(own.kind && { kind: own.kind }),
    ...{ name, count, href: filterHref(path, { ...filter, ...own }) },
    isCurrent: own.kind === filter.kind && own.type === filter.type,
  })
  const links = KINDS.filter((kind) => kinds.has(kind) || kind === filter.kind).map((kind) =>
    pillOf({ kind, type: null }, language.words.kinds[kind], kinds.get(kind) || null),
  )
  if (filter.type !== null) links.push(pillOf(filter, headingOf(language.words, { type: filter.type }), null))
  if (links.length === 0) return null
  const all = pillOf(
    { kind: null, type: null },
    language.words.changelog.all,
    filter.kind && isSearch ? null : changeCount,
  )
  return html`${pills(language, language.words.changelog.kindsOfChange, [all, ...links], isMore)}\n`
}

export const filterHref = (path: string, filter: Filter, after: Cursor | null = null): string => {
  const { q, kind, type } = filter
  return withQuery(path, { q, kind, type, ...versionFilter(filter), cursor: after && writeCursor(after) })
}

const feedsOf = (language: PageLanguage, changelog: ChangelogInfo) =>
  feedsBelow(language, changelogLink(changelog))

const fileOf = ({ words }: PageLanguage, changelog: ChangelogInfo) => ({
  ...{ type: 'text/markdown', name: 'Markdown', use: words.subscribe.file },
  href: `${changelogLink(changelog)}/${MARKDOWN}`,
})

/** The page at this path and query, and the changelog, in other formats. */
export function alternates(language: PageLanguage, info: ChangelogInfo, own: string): Alternate[] {
  const { team, product, changelog } = info
  const href = `${publicChangelogPath(team.slug, product.slug)}?include=changes`
  const api = { type: 'application/json', name: 'API', href }
  return alternatesOf(own, language.changelogName(changelog.name).join(' '), [
    ...feedsOf(language, info),
    api,
    fileOf(language, info),
  ])
}

function nothing({ words }: PageLanguage, { overview, filter }: ChangelogPage): Markup {
  const texts = words.changelog
  if (!isFiltered(filter)) return html`<p class="empty">${texts.nothing}</p>`
  const text = filter.q === null ? texts.noneOfKind : fillText(texts.noneMentions, { words: filter.q })
  return html`<p class="empty">${text} <a href="${changelogLink(overview)}">${texts.showAll}</a></p>`
}

function pageLinks(
  { words: { pages: texts }, onward, back, day }: PageLanguage,
  { newerHref, olderHref, older: next }: ChangelogPage,
  hasReleases: boolean,
): Markup | null {
  if (newerHref === null && olderHref === null) return null
  const older = onward(hasReleases ? texts.older : texts.searchOlder)
  const date = next && dateOf(next)
  const name = next && (shownName(next).label ?? (date === null ? null : day(date)))
  const where = name && fill(texts.andOlder, { version: html`<bdi>${name}</bdi>` })
  return html`<nav class="pages" aria-label="${texts.name}">
${newerHref && html`<a class="newer" rel="prev" href="${newerHref}">${back(texts.newer)}</a>\n`}${
  olderHref &&
  html`<a class="older" rel="next" href="${olderHref}">${where ? html`<span>${older}</span>${where}` : older}</a>\n`
}</nav>`
}
