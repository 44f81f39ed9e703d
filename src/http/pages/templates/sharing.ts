import type { Instant } from '../../../domain/records.ts'
import { formatInstant } from '../../../domain/time/time.ts'
import { unescapeHtml } from '../../../notes/html/entities.ts'
import { html, type Markup, trusted } from '../../../notes/html/markup.ts'
import type { WrittenRelease } from '../../../notes/writing.ts'
import type { Site } from '../../site/site.ts'

/** The preview that other sites show of a shared address. */
export interface Shared {
  title: string
  description: string
  /** The name of the team, if the site has none. */
  publisher?: string
  /** For a release. */
  article?: { picture: string | null; date: Instant | null }
}

/** Open Graph, and the one name that Twitter's cards do not take from it. */
export function sharing(
  site: Site,
  { title, description, publisher = '', article }: Shared,
  address: string | null,
): Markup {
  const picture = article?.picture || site.shareImageUrl
  const date = article?.date ?? null
  const properties = {
    'og:type': article ? 'article' : 'website',
    'og:title': title,
    'og:description': description,
    'og:site_name': site.siteName || publisher,
    'og:url': address,
    'og:image': picture || site.logoUrl,
    'article:published_time': date === null ? null : formatInstant(date),
  }
  const given = Object.entries(properties).filter(([, value]) => value)
  return html`${given.map(([name, value]) => html`<meta property="${name}" content="${value}">\n`)}<meta name="twitter:card" content="${picture ? 'summary_large_image' : 'summary'}">
`
}

/** Structured data by schema.org. Browsers do not run it, so the page's policy need not allow scripts. */
export const structuredData = (about: object, address: string | null): Markup =>
  html`<script type="application/ld+json">${trusted(
    JSON.stringify({
      '@context': 'https://schema.org',
      ...about,
      ...(address !== null && { url: address }),
    }).replaceAll('<', '\\u003c'),
  )}</script>
`

/** The address of the first picture that the release shows: all of those are https. */
export function firstPicture({ description, groups }: WrittenRelease): string | null {
  const changes = groups.flatMap((group) => group.changes)
  const texts = [description, ...changes.flatMap((change) => [change.title, change.description])]
  const source = texts.map((text) => IMAGE.exec(text)?.[1]).find(Boolean)
  return source ? unescapeHtml(source) : null
}

const IMAGE = /<img(?: [\w-]+(?:="[^"]*")?)*? src="(https:[^"]*)"/i
