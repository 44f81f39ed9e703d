import { markdownAddress, teamPagePath } from '../../../domain/addresses/paths.ts'
import type { Instant } from '../../../domain/records.ts'
import { cut } from '../../../domain/text/cut.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { html, type Markup, trusted } from '../../../notes/html/markup.ts'
import type { SharedPicture } from '../../../notes/html/pictures.ts'
import type { ChangelogInfo } from '../../../store/store.ts'
import { changelogLink } from '../../reading/addresses.ts'
import type { Site } from '../../site/site.ts'
import { VISITS_SCRIPT } from '../../site/visits.ts'

export interface PageContent {
  title: string
  description: string
  /** The name of the team, if the site has none. */
  publisher?: string
  /** For a release. */
  article?: { picture: SharedPicture | null; date: Instant | null; title?: string }
  /** Path and query of its canonical address; null if search engines should leave it out. */
  path: string | null
  alternates?: readonly Alternate[]
  /** One narrow column. */
  isSingle?: true
  /** Begins with the newest releases: a line is drawn above those that a browser has seen. */
  isNewest?: boolean
  /** Structured data of schema.org. */
  about?: object
  body: Markup
}

export interface Alternate {
  type: string
  title: string
  href: string
}

/** The page at this path and query as Markdown, and what it is about in other formats. */
export const alternatesOf = (
  own: string,
  title: string,
  formats: readonly { type: string; name: string; href: string }[],
): Alternate[] => [
  { type: 'text/markdown', title: 'Markdown', href: markdownAddress(own) },
  ...formats.map(({ type, name, href }) => ({ type, title: `${title} (${name})`, href })),
]

/** Search engines cut longer ones. */
const TITLE_LENGTH = 70
const DESCRIPTION_LENGTH = 160

export function layout(site: Site, page: PageContent): string {
  const { language } = site
  const description = cut(page.description, DESCRIPTION_LENGTH)
  const address = site.publicUrl !== '' && page.path !== null ? site.publicUrl + page.path : null
  const classes = [page.isSingle && 'one', language.ofEntries && 'dated'].filter(Boolean).join(' ')
  const document = html`<!DOCTYPE html>
<html lang="${language.code}"${language.words.direction === 'rtl' ? html` dir="rtl"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${cut(page.title, TITLE_LENGTH)}</title>
<meta name="description" content="${description}">
${page.path === null ? html`<meta name="robots" content="noindex">\n` : null}${
  address && html`<link rel="canonical" href="${address}">\n`
}<link rel="icon" href="${icon(site)}">
${(page.alternates ?? []).map(
  ({ type, title, href }) => html`<link rel="alternate" type="${type}" title="${title}" href="${href}">\n`,
)}${sharing(site, { ...page, description }, address)}<style>${trusted(site.stylesheet)}</style>
${page.about && structuredData(page.about, address)}</head>
<body${classes && html` class="${classes}"`}>
${page.body}
${page.isNewest ? html`<script data-line="${language.words.site.newSince}">${trusted(VISITS_SCRIPT)}</script>\n` : null}</body>
</html>
`
  // The first picture is most likely seen at once.
  return document.toString().replace(/(<img [^>]*?) loading="lazy"/, '$1')
}

export const breadcrumbs = (site: Site, ...links: { name: string; href: string | null }[]): Markup | null => {
  // A team that is named like the site is the same to readers.
  const others = links.filter(({ name }) => name.toLowerCase() !== site.siteName.toLowerCase())
  const all = [...siteLink(site), ...others.map(({ name, href }) => crumb(html`${name}`, href))]
  return all.length === 0
    ? null
    : html`<nav class="crumbs" aria-label="${site.language.words.site.breadcrumb}">${all}</nav>`
}

/** The way to what is under a changelog. */
export const changelogCrumbs = (site: Site, info: ChangelogInfo): Markup | null =>
  breadcrumbs(
    site,
    { name: info.team.name, href: site.hasLists ? teamPagePath(info.team.slug) : null },
    { name: info.product.name, href: changelogLink(info) },
  )

function siteLink(site: Site): Markup[] {
  const { logoUrl, siteName, title } = site
  const href = site.hasLists || site.home ? '/' : null
  if (logoUrl !== '')
    return [crumb(html`<img src="${logoUrl}" alt="${title}" height="28" referrerpolicy="no-referrer">`, href)]
  return siteName === '' ? [] : [crumb(html`${siteName}`, href)]
}

const crumb = (content: Markup, href: string | null): Markup =>
  href === null ? html`<span><bdi>${content}</bdi></span>` : html`<a href="${href}"><bdi>${content}</bdi></a>`

const icon = ({ logoUrl, brandColor }: Site): string => {
  if (logoUrl !== '') return logoUrl
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${brandColor}"><rect width="16" height="16" rx="4"/><path fill="#fff" d="M4 4h8v2H4zm0 3h8v2H4zm0 3h5v2H4z"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** Open Graph, and the one name that Twitter's cards do not take from it. */
function sharing(
  site: Site,
  { title, description, publisher = '', article }: PageContent,
  address: string | null,
): Markup {
  const shown = article?.picture ?? null
  const picture = shown?.url ?? site.shareImageUrl
  const date = article?.date ?? null
  const properties = {
    'og:type': article ? 'article' : 'website',
    'og:title': article?.title ?? title,
    'og:description': description,
    'og:site_name': site.siteName || publisher,
    'og:url': address,
    'og:image': picture || site.logoUrl,
    'og:image:width': shown?.sides && `${shown.sides.width}`,
    'og:image:height': shown?.sides && `${shown.sides.height}`,
    'og:image:alt': shown?.alt,
    'article:published_time': date === null ? null : formatInstant(date),
  }
  const given = Object.entries(properties).filter(([, value]) => value)
  return html`${given.map(([name, value]) => html`<meta property="${name}" content="${value}">\n`)}<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}">
`
}

/** Structured data by schema.org. Browsers do not run it, so the page's policy need not allow scripts. */
const structuredData = (about: object, address: string | null): Markup =>
  html`<script type="application/ld+json">${trusted(
    JSON.stringify({
      '@context': 'https://schema.org',
      ...about,
      ...(address !== null && { url: address }),
    }).replaceAll('<', '\\u003c'),
  )}</script>
`
