import { teamPagePath } from '../../../domain/addresses/paths.ts'
import { countKinds } from '../../../domain/derived.ts'
import { KINDS } from '../../../domain/kinds.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import type { VersionRead, VersionSummary } from '../../../store/store.ts'
import { MAX_CHANGES } from '../../reading/slices.ts'
import { changelogLink, markdownLink, versionLink } from '../links.ts'
import { plainText } from '../markdown/render.ts'
import type { Release } from '../render-release.ts'
import { BADGES } from '../sections.ts'
import type { Site } from '../site.ts'
import { alternates } from './changelog.ts'
import { badge, nameOf, pills } from './kinds.ts'
import { breadcrumbs, layout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { day, formatDay, isEmpty, NO_CHANGES, releaseBody, sectionId } from './release.ts'
import { firstPicture } from './sharing.ts'

/** Longer titles are smaller. */
const LONG = 80

export interface ReleasePage extends VersionRead {
  release: Release
  /** The part of its changes, from 1. */
  page: number
  newer: VersionSummary | null
  older: VersionSummary | null
}

export function releasePage(site: Site, page: ReleasePage): string {
  const { team, product, changelog, version, release, newer, older } = page
  const picture = firstPicture(release)
  const isUntitled = release.title === null
  const title = isUntitled ? `${product.name} ${version.label}` : plainText(version.title)
  return layout(site, {
    title: isUntitled ? `${title} · ${team.name}` : `${version.label}: ${title} · ${product.name}`,
    description: `${product.name} ${version.label}${release.date === null ? '' : ` was released on ${formatDay(release.date)}`}: ${contents(page)}.`,
    path: changesHref(versionLink(page, version), page.page),
    alternates: alternates(page),
    publisher: team.name,
    article: { picture, date: release.date },
    about: {
      '@type': 'TechArticle',
      headline: title,
      ...(picture !== null && { image: picture }),
      ...(release.date !== null && { datePublished: formatInstant(release.date) }),
      isPartOf: { '@type': 'CollectionPage', name: changelog.name },
      about: { '@type': 'SoftwareApplication', name: product.name, softwareVersion: version.label },
      publisher: { '@type': 'Organization', name: team.name },
    },
    isSingle: true,
    body: html`<header>
${breadcrumbs(
  site,
  { name: team.name, href: site.hasLists ? teamPagePath(team.slug) : null },
  { name: product.name, href: changelogLink(page) },
)}
<p class="byline"><span class="label">${version.label}</span> ${day(release.date)} ${release.badges.map((kind) => html`${badge(kind)} `)}</p>
<h1${title.length > LONG ? html` class="long"` : null} dir="auto">${release.title ?? title}</h1>
${kindPills(page)}</header>
<main>
${isEmpty(release) ? html`<p class="empty">${NO_CHANGES}</p>` : releaseBody(release, 2)}${rest(page)}</main>
${changePages(page)}
${
  newer || older
    ? html`<nav class="pages" aria-label="Releases">
${older && neighbor(page, older, 'older')}${newer && neighbor(page, newer, 'newer')}</nav>`
    : null
}`,
  })
}

/** Links to the kinds of change on this page, if there are several. */
function kindPills({ version, release: { sections } }: ReleasePage): Markup | null {
  const counts = countKinds(version.changes)
  const order = [
    ...BADGES,
    ...KINDS.filter((kind) => counts.has(kind) && kind !== 'breaking' && kind !== 'security'),
  ]
  const marked = sections.flatMap(({ changes }) => changes).find(({ isBreaking }) => isBreaking)
  const links = order.flatMap((kind) => {
    const count = counts.get(kind)
    const at = sections.findIndex((each) => each.kind === kind && !each.isAside)
    const id = at >= 0 ? sectionId(sections, at) : kind === 'breaking' ? marked?.id : undefined
    return count && id ? [{ kind, count, name: nameOf(kind), href: `#${id}` }] : []
  })
  return links.length < 2 ? null : html`${pills('In this release', links)}\n`
}

function contents({ version }: VersionRead): string {
  if (version.changes.length === 0) return 'no changes are listed'
  const titles = version.changes.slice(0, 5).map((change) => plainText(change.title).replace(/[.\s]+$/, ''))
  return titles.join('; ')
}

/** A link to everything, if the page is not complete. */
function rest({ release, newer, ...read }: ReleasePage): Markup | null {
  const { changeCount, changes } = read.version
  const isWhole = !release.isCut && release.omitted === changeCount - changes.length
  return isWhole
    ? null
    : html`<p class="more">This release is too long to show all of it here. <a href="${markdownLink(read, newer)}">Read it as Markdown</a></p>\n`
}

export const changesHref = (path: string, page: number): string =>
  page === 1 ? path : `${path}?page=${page}`

/** Links to the other pages of its changes. */
function changePages({ page, ...read }: ReleasePage): Markup | null {
  const { version } = read
  if (version.changeCount <= MAX_CHANGES) return null
  const path = versionLink(read, version)
  const range = (part: number): string => {
    const [first, last] = [(part - 1) * MAX_CHANGES + 1, Math.min(part * MAX_CHANGES, version.changeCount)]
    return `${first.toLocaleString('en')}–${last.toLocaleString('en')} of ${version.changeCount.toLocaleString('en')}`
  }
  const link = (part: number, side: 'newer' | 'older'): Markup =>
    html`<a class="${side}" rel="${side === 'newer' ? 'prev' : 'next'}" href="${changesHref(path, part)}"><span>${side === 'newer' ? '← Changes' : 'Changes →'}</span>${range(part)}</a>\n`
  return html`<nav class="pages" aria-label="Changes of this release">
${page > 1 ? link(page - 1, 'newer') : null}${page * MAX_CHANGES < version.changeCount ? link(page + 1, 'older') : null}</nav>`
}

const neighbor = (page: ReleasePage, version: VersionSummary, side: 'newer' | 'older'): Markup =>
  html`<a class="${side}" rel="${side === 'newer' ? 'next' : 'prev'}" href="${versionLink(page, version)}" dir="auto"><span>${side === 'newer' ? 'Next release →' : '← Previous release'}</span>${version.label}${
    version.title === version.label ? null : ` ${plainText(version.title)}`
  }</a>\n`
