import { FEEDS } from '../../domain/addresses/paths.ts'
import { printable } from '../../domain/text/controls.ts'
import { cut } from '../../domain/text/cut.ts'
import { hasNumber, nameWith, shownName } from '../../domain/versions/names.ts'
import { plainText } from '../../notes/html/render.ts'
import { badgesOf, firstChanges } from '../../notes/release.ts'
import { WHOLE } from '../../notes/writing.ts'
import { type ChangelogInfo, dateOf, type VersionContent } from '../../store/store.ts'
import type { PageLanguage } from '../../words/languages.ts'
import type { Body } from '../answers/cached-response.ts'
import type { Reads } from '../answers/reads.ts'
import { standingNames, standingText, yankedNotice } from '../html/badges.ts'
import { isEmpty, moreOf, releaseBody } from '../html/release.ts'
import { createRenderer } from '../html/renderer.ts'
import { versionLink, withQuery } from '../reading/addresses.ts'
import type { FeedQuery } from '../reading/parameters.ts'
import type { Site } from '../site/site.ts'
import type { Tools } from '../tools.ts'
import { fileBody } from './body.ts'

/** The most releases of a feed, and characters of notes: it is written in one turn of the event loop. */
export const FEED_SIZE = 50
const FEED_LENGTH = 500_000
const TITLE_LENGTH = 160

export type FeedFormat = keyof typeof FEEDS

export interface FeedHead {
  language: PageLanguage
  /** The identity of the feed about everything. */
  id: string
  /** The path that its file is below. */
  path: string
  title: string
  author: string
  description: string
  /** The titles of its items begin with the product. */
  namesProducts: boolean
}

export type FeedRelease = readonly [ChangelogInfo, VersionContent]

interface Feed extends Pick<FeedHead, 'id' | 'title' | 'author' | 'description'> {
  language: string
  /** The addresses of its page, of itself, and of the hub, if it has one. */
  page: string
  self: string
  hubs: string[]
  items: FeedItem[]
}

type FeedItem = Awaited<ReturnType<typeof writeItem>>

/** Independent of the server's address and names: readers show a new id as news. */
export const stableId = (id: string): string => `tag:changelogd.invalid,2026:${id}`

/** A feed of as many releases as fit, in a format. */
export async function feedBody(
  tools: Tools,
  reads: Reads,
  format: FeedFormat,
  filter: FeedQuery,
  { language, path, ...head }: FeedHead,
  releases: AsyncIterable<FeedRelease> | Iterable<FeedRelease>,
): Promise<Body> {
  const site = tools.site()
  const { kinds, standing } = language.words
  const query = withQuery('', { ...filter })
  const page = site.baseUrl() + path
  const about = [filter.kind && kinds[filter.kind], filter.prereleases && standing.stable].filter(Boolean)
  const renderer = createRenderer(site, site.baseUrl())
  const items: FeedItem[] = []
  let length = 0
  for await (const [changelog, version] of releases) {
    reads.checkWanted()
    const item = await writeItem(site, renderer, changelog, version, head.namesProducts)
    length += item.html.length
    if (length > FEED_LENGTH) break
    items.push(item)
  }
  const self = `${page}/${FEEDS[format]}${query}`
  // The hub is told of feeds about everything only.
  const hubs = site.websubHub === '' || query !== '' ? [] : [site.websubHub]
  const { type, write } = FORMATS[format]
  const feed: Feed = {
    id: head.id + query,
    language: language.code,
    page: path === '' ? `${page}/` : page,
    self,
    hubs,
    title: printable([head.title, ...about].join(': ')),
    author: printable(head.author),
    description: printable(head.description),
    items,
  }
  // Subscribers find the hub by it.
  const link = hubs.map((hub) => ({ link: `<${self}>; rel="self", <${hub}>; rel="hub"` }))
  return fileBody(tools, write(feed), type, link[0])
}

async function writeItem(
  site: Site,
  renderer: ReturnType<typeof createRenderer>,
  changelog: ChangelogInfo,
  version: VersionContent,
  namesProduct: boolean,
) {
  const { language } = site.in(changelog)
  const release = await renderer.release(changelog, version, 3, WHOLE)
  const url = site.baseUrl() + versionLink(changelog, version)
  const [first] = firstChanges(version.changes, 1)
  const date = version.dateKnown ? language.day(version.publishedAt) : null
  const titled = nameWith(changelog.product.name, version, date, titleText)
  const own = shownName(version).title
  const isNumber = hasNumber(version.label)
  const name =
    namesProduct || (!isNumber && own === null)
      ? titled.name
      : isNumber
        ? version.label
        : titleText(own ?? '')
  const title = isNumber ? titleText(titled.title ?? first?.title ?? '') : ''
  const notes = isEmpty(release)
    ? `<p>${language.words.release.noChanges}</p>`
    : `${releaseBody(language, release, 3, null)}${moreOf(language, release, url) ?? ''}`
  return {
    id: stableId(version.id),
    url,
    title: printable([name, title].filter(Boolean).join(': ') + standingText(language, version)),
    /** What filters of readers look for. */
    categories: [
      ...badgesOf(release.counts).map((mark) => language.words.kinds[mark]),
      ...standingNames(language, version),
    ],
    /** Null for an unknown date. */
    published: version.dateKnown ? new Date(version.publishedAt) : null,
    /** The date of the import if it is unknown. */
    updated: new Date(dateOf(version) ?? version.createdAt),
    html: (yankedNotice(language, version) ?? '') + notes,
  }
}

const titleText = (title: string): string => cut(plainText(title), TITLE_LENGTH)

const FORMATS: Readonly<Record<FeedFormat, { type: string; write(feed: Feed): string }>> = {
  atom: {
    type: 'application/atom+xml',
    write: ({ id, language, page, self, hubs, title, author, description, items }) =>
      loadFeedsmith().generateAtomFeed({
        xml: { lang: language },
        id,
        title: { value: title },
        subtitle: { value: description },
        updated: lastUpdate(items),
        authors: [{ name: author }],
        links: [
          { href: self, rel: 'self', type: 'application/atom+xml' },
          { href: page, rel: 'alternate', type: 'text/html' },
          ...hubs.map((href) => ({ href, rel: 'hub' })),
        ],
        entries: items.map(({ id, title, categories, published, updated, url, html }) => ({
          id,
          title: { value: title },
          categories: categories.map((term) => ({ term })),
          ...(published && { published }),
          updated,
          links: [{ href: url, rel: 'alternate', type: 'text/html' }],
          content: { type: 'html', value: html },
        })),
      }),
  },
  rss: {
    type: 'application/rss+xml',
    write: ({ language, page, self, hubs, title, description, items }) =>
      loadFeedsmith().generateRssFeed({
        title: textForRss(title),
        link: page,
        description: textForRss(description),
        language,
        ...(items.length > 0 && { lastBuildDate: lastUpdate(items) }),
        atom: {
          links: [
            { href: self, rel: 'self', type: 'application/rss+xml' },
            ...hubs.map((href) => ({ href, rel: 'hub' })),
          ],
        },
        items: items.map(({ id, title, categories, published, url, html }) => ({
          title: textForRss(title),
          link: url,
          categories: categories.map((name) => ({ name })),
          guid: { value: id, isPermaLink: false },
          ...(published && { pubDate: published }),
          description: html,
        })),
      }),
  },
  json: {
    type: 'application/feed+json',
    write: ({ language, page, self, hubs, title, author, description, items }) =>
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title,
        home_page_url: page,
        feed_url: self,
        ...(hubs.length > 0 && { hubs: hubs.map((url) => ({ type: 'WebSub', url })) }),
        description,
        language,
        authors: [{ name: author }],
        items: items.map(({ id, url, title, categories, html, published }) => ({
          id,
          url,
          title,
          ...(categories.length > 0 && { tags: categories }),
          content_html: html,
          ...(published && { date_published: published }),
        })),
      }),
  },
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
