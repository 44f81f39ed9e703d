import { FEEDS } from '../../domain/addresses/paths.ts'
import { printable } from '../../domain/text/controls.ts'
import { titleBeside } from '../../domain/versions/title.ts'
import type { WrittenRelease } from '../../notes/writing.ts'
import { type ChangelogInfo, type DatedVersion, dateOf } from '../../store/store.ts'
import { isEmpty, moreOf, releaseBody } from '../html/release.ts'
import { standingText, yankedNotice } from '../html/standing.ts'
import { plainText } from '../markdown/render.ts'
import { changelogLink, versionLink, withQuery } from '../reading/links.ts'
import type { FeedFilter } from '../reading/query.ts'
import { fillText, type PageLanguage } from '../words/languages.ts'

/** The most releases of a feed, and characters of notes: it is written in one turn of the event loop. */
export const FEED_SIZE = 50
const FEED_LENGTH = 500_000

export type FeedFormat = keyof typeof FEEDS

export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

export type FeedItem = ReturnType<typeof feedItem>

/** Independent of the server's address and names: readers show a new id as news. */
const stableId = (id: string): string => `tag:changelogd.invalid,2026:${id}`

/** `base` is the server's address; `prefix` stands before the label. */
export const feedItem = (
  language: PageLanguage,
  base: string,
  changelog: ChangelogInfo,
  version: DatedVersion,
  release: WrittenRelease,
  prefix = '',
) => ({
  id: stableId(version.id),
  url: base + versionLink(changelog, version),
  title: printable(prefix + fullTitle(version) + standingText(language, version)),
  /** Null if unknown. */
  published: version.dateKnown ? new Date(version.publishedAt) : null,
  /** That of the import if it is unknown. */
  updated: new Date(dateOf(version) ?? version.createdAt),
  html:
    (yankedNotice(language, version) ?? '') +
    (isEmpty(release)
      ? `<p>${language.words.release.noChanges}</p>`
      : `${releaseBody(language, release, 3, null)}${moreOf(language, release, base + versionLink(changelog, version)) ?? ''}`),
})

const fullTitle = (version: DatedVersion): string => {
  const title = titleBeside(version)
  return title === null ? version.label : `${version.label}: ${plainText(title)}`
}

export interface FeedHead {
  language: PageLanguage
  id: string
  /** The addresses of its page and of itself. */
  page: string
  self: string
  title: string
  author: string
  description: string
  filter: FeedFilter
}

export function headOfChangelog(
  language: PageLanguage,
  format: FeedFormat,
  base: string,
  info: ChangelogInfo,
  filter: FeedFilter,
): FeedHead {
  const { team, product, changelog } = info
  const page = base + changelogLink(info)
  return {
    language,
    id: stableId(changelog.id) + feedSearch(filter),
    page,
    self: `${page}/${FEEDS[format]}${feedSearch(filter)}`,
    title: changelog.name,
    author: team.name,
    description: fillText(language.words.changelog.about, { product: product.name, team: team.name }),
    filter,
  }
}

/** The query of a feed; empty if it is about all. */
export const feedSearch = ({ kind, prereleases }: FeedFilter): string => withQuery('', { kind, prereleases })

/** The items of as many releases as fit into a feed. */
export async function collectItems<R>(
  releases: AsyncIterable<R> | Iterable<R>,
  itemOf: (release: R) => Promise<FeedItem>,
): Promise<FeedItem[]> {
  const items: FeedItem[] = []
  let length = 0
  for await (const release of releases) {
    const item = await itemOf(release)
    length += item.html.length
    if (length > FEED_LENGTH) break
    items.push(item)
  }
  return items
}

/** The hub is told of feeds about everything only. */
const hubsOf = (hub: string, { filter }: FeedHead): string[] =>
  hub === '' || feedSearch(filter) !== '' ? [] : [hub]

/** The `Link` header by which subscribers find the hub; none without one. */
export function linkHeader(hub: string, head: FeedHead): Record<string, string> {
  const [own] = hubsOf(hub, head)
  return own === undefined ? {} : { link: `<${head.self}>; rel="self", <${own}>; rel="hub"` }
}

export function writeFeed(
  format: FeedFormat,
  head: FeedHead,
  items: readonly FeedItem[],
  hub: string,
): string {
  const { language, id, page, self, filter } = head
  const hubs = hubsOf(hub, head).map((href) => ({ href, rel: 'hub' }))
  const { kinds, standing } = language.words
  const about = [filter.kind && kinds[filter.kind], filter.prereleases && standing.stable].filter(Boolean)
  const title = printable([head.title, ...about].join(': '))
  const [author, description] = [printable(head.author), printable(head.description)]
  switch (format) {
    case 'atom':
      return loadFeedsmith().generateAtomFeed({
        xml: { lang: language.code },
        id,
        title: { value: title },
        subtitle: { value: description },
        updated: lastUpdate(items),
        authors: [{ name: author }],
        links: [
          { href: self, rel: 'self', type: 'application/atom+xml' },
          { href: page, rel: 'alternate', type: 'text/html' },
          ...hubs,
        ],
        entries: items.map((item) => ({
          id: item.id,
          title: { value: item.title },
          ...(item.published && { published: item.published }),
          updated: item.updated,
          links: [{ href: item.url, rel: 'alternate', type: 'text/html' }],
          content: { type: 'html', value: item.html },
        })),
      })
    case 'rss':
      return loadFeedsmith().generateRssFeed({
        title: textForRss(title),
        link: page,
        description: textForRss(description),
        language: language.code,
        ...(items.length > 0 && { lastBuildDate: lastUpdate(items) }),
        atom: { links: [{ href: self, rel: 'self', type: 'application/rss+xml' }, ...hubs] },
        items: items.map((item) => ({
          title: textForRss(item.title),
          link: item.url,
          guid: { value: item.id, isPermaLink: false },
          ...(item.published && { pubDate: item.published }),
          description: item.html,
        })),
      })
    case 'json':
      return JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title,
        home_page_url: page,
        feed_url: self,
        ...(hubs.length > 0 && { hubs: hubs.map(({ href }) => ({ type: 'WebSub', url: href })) }),
        description,
        language: language.code,
        authors: [{ name: author }],
        items: items.map((item) => ({
          id: item.id,
          url: item.url,
          title: item.title,
          content_html: item.html,
          ...(item.published && { date_published: item.published }),
        })),
      })
  }
}

const lastUpdate = (items: readonly FeedItem[]): Date =>
  new Date(Math.max(0, ...items.map(({ updated }) => updated.getTime())))

/** Escapes what readers would take for markup: RSS does not say whether a title is text or HTML. */
const textForRss = (text: string): string =>
  /<[a-z/!?]|&(?:#|\w+;)/i.test(text) || BARE_ENTITY.test(text) ? Bun.escapeHTML(text) : text

/** Entities that HTML accepts without a semicolon. */
const BARE_ENTITY =
  /&(?:[aeiouy]?(?:acute|uml)|[aeiou](?:circ|grave)|[ano]tilde|a(?:elig|mp|ring)|brvbar|c(?:cedil|edil|ent|opy|urren)|deg|divide|eth|frac[13][24]|gt|iexcl|iquest|[lr]aquo|lt|macr|micro|middot|nbsp|not|ord[fm]|oslash|para|plusmn|pound|quot|reg|sect|shy|sup[1-3]|szlig|thorn|times|yen)/i

/** Loaded on first use. Not with `import`, which would delay the response. */
const loadFeedsmith = () => require('feedsmith') as typeof import('feedsmith')
