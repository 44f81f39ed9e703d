import { markdownAddress } from '../../../domain/addresses/paths.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { KINDS } from '../../../domain/versions/kinds.ts'
import { isOfKind } from '../../../domain/versions/marks.ts'
import { hasNumber, shownName } from '../../../domain/versions/names.ts'
import { MARKS } from '../../../domain/versions/properties.ts'
import { html, type Markup, trusted } from '../../../notes/html/markup.ts'
import { type SharedPicture, sharedPicture } from '../../../notes/html/pictures.ts'
import { plainText, textIn } from '../../../notes/html/render.ts'
import { badgesOf, firstWords, showChange } from '../../../notes/release.ts'
import type { WrittenRelease } from '../../../notes/writing.ts'
import { type DatedVersion, dateOf, type VersionRead, type VersionSummary } from '../../../store/store.ts'
import { fillText, type PageLanguage } from '../../../words/languages.ts'
import { badge, labelOf, pills, standingBadges, yankedNotice } from '../../html/badges.ts'
import { day, isEmpty, nameOf, releaseBody, sectionId } from '../../html/release.ts'
import { markdownLink, versionLink } from '../../reading/addresses.ts'
import { NO_FILTER } from '../../reading/search.ts'
import { MAX_CHANGES } from '../../reading/slices.ts'
import type { Site } from '../../site/site.ts'
import { alternates, changelogTools } from './changelog.ts'
import { changelogCrumbs, layout } from './layout.ts'
import { upgradeMenu } from './upgrade.ts'

const LONG = 80

export interface ReleasePage extends VersionRead {
  release: WrittenRelease
  /** The part of its changes, from 1. */
  page: number
  newer: DatedVersion | null
  older: DatedVersion | null
  /** The next one in the list. */
  above: VersionSummary | null
  /** The labels of those that one may upgrade from, newest first. */
  olderLabels: readonly string[]
}

export function releasePage(site: Site, page: ReleasePage): string {
  const { team, product, changelog, version, release, newer, older } = page
  const { language } = site
  const { words } = language
  const picture = firstPicture(site, release)
  const path = changesHref(versionLink(page, version), page.page)
  const { label, title: own } = shownName(version)
  const name = label ?? nameOf(language, release)
  const title = own === null ? `${product.name} ${name}` : plainText(own)
  const number = hasNumber(version.label) ? label : null
  const asMarkdown = html`<p class="copy"><a href="${markdownAddress(path)}">${words.release.asMarkdown}</a></p>\n`
  return layout(site, {
    title:
      own === null
        ? `${title} · ${team.name}`
        : `${label === null ? '' : `${label}: `}${title} · ${product.name}`,
    description: describe(language, page),
    path,
    alternates: alternates(language, page, path),
    publisher: language.ofEntries ? changelog.name : team.name,
    article: { picture, date: release.date, ...(language.ofEntries && { title }) },
    about: {
      '@type': 'TechArticle',
      headline: title,
      ...(picture !== null && { image: picture.url }),
      ...(release.date !== null && { datePublished: formatInstant(release.date) }),
      isPartOf: { '@type': 'CollectionPage', name: changelog.name },
      about: {
        '@type': 'SoftwareApplication',
        name: product.name,
        ...(number && { softwareVersion: number }),
      },
      publisher: { '@type': 'Organization', name: team.name },
    },
    isSingle: true,
    body: html`<header>
<div class="head">
<div>${changelogCrumbs(site, page)}</div>
<div class="tools">
${changelogTools(site, page, NO_FILTER)}</div>
</div>
<div class="byline">${number && own && labelOf(version)} ${day(language, release.date)} ${!number && label && own ? labelOf(version) : null} ${badgesOf(release.counts).map((kind) => html`${badge(language, kind)} `)}${standingBadges(language, version)}${language.ofEntries ? asMarkdown : null}</div>
<h1${title.length > LONG ? html` class="long"` : null} dir="auto">${own === null ? (language.ofEntries ? name : title) : trusted(release.title ?? '')}</h1>
${language.ofEntries ? null : html`<div class="beside">\n${kindPills(language, page)}${upgradeMenu(language, page, version.label, page.olderLabels)}</div>\n`}</header>
<main>
${yankedNotice(language, version)}${isEmpty(release) ? html`<p class="empty">${words.release.noChanges}</p>` : releaseBody(language, release, 2, path)}${rest(language, page)}${language.ofEntries ? null : asMarkdown}</main>
${changePages(language, page)}
${
  newer || older
    ? html`<nav class="pages" aria-label="${words.release.releases}">
${older && neighbor(language, page, older, 'older')}${newer && neighbor(language, page, newer, 'newer')}</nav>`
    : null
}`,
  })
}

/** Links to the kinds of change on this page, if there are several. */
function kindPills(language: PageLanguage, { release: { counts, groups } }: ReleasePage): Markup | null {
  const order = new Set([...MARKS, ...KINDS])
  const changes = groups.flatMap((group) => group.changes)
  const links = [...order].flatMap((kind) => {
    const count = counts.get(kind)
    const at = groups.findIndex((each) => each.kind === kind)
    const first = changes.find(({ source }) => isOfKind(source, [kind]))
    const id = at >= 0 ? sectionId(groups, at) : first?.source.id
    return count && id ? [{ kind, count, name: language.words.kinds[kind], href: `#${id}` }] : []
  })
  return links.length < 2 ? null : html`${pills(language, language.words.changelog.kindsOfChange, links)}\n`
}

/** The first words of the author, or the first two changes, or the name of the release. */
function describe(language: PageLanguage, { product, version, release }: ReleasePage): string {
  const listed = release.groups.flatMap(({ changes }) => changes.map(({ title }) => textIn(title)))
  // A document has them in its text.
  const titles = release.isDocument
    ? version.changes.map((change) => plainText(showChange(change).title))
    : listed
  return (
    firstWords(version) ||
    titles.slice(0, 2).join(' · ') ||
    `${product.name} ${nameOf(language, release)} · ${language.words.release.noChanges}`
  )
}

/** A link to everything, if the page is not complete. */
function rest(
  { words: { release: texts } }: PageLanguage,
  { release, above, ...read }: ReleasePage,
): Markup | null {
  const { changeCount, changes } = read.version
  const isWhole = !release.isCut && release.omitted === changeCount - changes.length
  return isWhole
    ? null
    : html`<p class="more"><a href="${markdownLink(read, above)}">${texts.readAll}</a></p>\n`
}

export const changesHref = (path: string, page: number): string =>
  page === 1 ? path : `${path}?page=${page}`

/** Links to the other pages of its changes. */
function changePages(language: PageLanguage, { page, ...read }: ReleasePage): Markup | null {
  const { number, onward, back } = language
  const texts = language.words.release
  const { version } = read
  if (version.changeCount <= MAX_CHANGES) return null
  const path = versionLink(read, version)
  const range = (part: number): string => {
    const [first, last] = [(part - 1) * MAX_CHANGES + 1, Math.min(part * MAX_CHANGES, version.changeCount)]
    const all = number(version.changeCount)
    return fillText(texts.range, { first: number(first), last: number(last), all })
  }
  const link = (part: number, side: 'newer' | 'older'): Markup =>
    html`<a class="${side}" rel="${side === 'newer' ? 'prev' : 'next'}" href="${changesHref(path, part)}"><span>${side === 'newer' ? back(texts.changes) : onward(texts.changes)}</span>${range(part)}</a>\n`
  return html`<nav class="pages" aria-label="${texts.changes}">
${page > 1 ? link(page - 1, 'newer') : null}${page * MAX_CHANGES < version.changeCount ? link(page + 1, 'older') : null}</nav>`
}

const neighbor = (
  language: PageLanguage,
  page: ReleasePage,
  version: DatedVersion,
  side: 'newer' | 'older',
): Markup => {
  const { release: texts } = language.words
  const { label, title } = shownName(version)
  const date = dateOf(version)
  const when = date === null ? null : language.day(date)
  const way = side === 'newer' ? texts.next : texts.previous
  const words = [way, language.ofEntries && title && when].filter(Boolean).join(' · ')
  const name = label ?? (title ? null : (when ?? version.label))
  return html`<a class="${side}" rel="${side === 'newer' ? 'next' : 'prev'}" href="${versionLink(page, version)}"><span>${side === 'newer' ? language.onward(words) : language.back(words)}</span><bdi>${name} ${plainText(title ?? '')}</bdi></a>\n`
}

/** The first picture that the release shows. */
function firstPicture(site: Site, { description, groups, closing }: WrittenRelease): SharedPicture | null {
  const changes = groups.flatMap((group) => group.changes)
  const texts = changes.flatMap((change) => [change.title, change.description])
  return sharedPicture([description, ...texts, closing], site)
}
