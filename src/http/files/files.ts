import { WHOLE } from '../../notes/writing.ts'
import type { Body } from '../answers/respond.ts'
import type { Responder } from '../answers/responder.ts'
import {
  collectItems,
  FEED_SIZE,
  FEED_TYPES,
  type FeedFormat,
  type FeedHead,
  type FeedItem,
  feedItem,
  headOfChangelog,
  linkHeader,
  writeFeed,
} from '../feeds/feed.ts'
import { createTimelineFeed } from '../feeds/timeline-feed.ts'
import { createRenderer } from '../html/renderer.ts'
import { checkedList, type ListOf, nameOfList, readEntries } from '../reading/directory.ts'
import { markdownLink } from '../reading/links.ts'
import { checkedNames, type Names } from '../reading/names.ts'
import { positionBelow } from '../reading/paging.ts'
import { feedQuery, markdownQuery, sitemapQuery } from '../reading/query.ts'
import { readFirst, readLatest } from '../reading/reads.ts'
import { search } from '../reading/search.ts'
import { readVersions, type Source } from '../reading/slices.ts'
import type { Context } from '../request/context.ts'
import { notFound } from '../request/errors.ts'
import { ROUTES } from '../routes.ts'
import type { Site } from '../site/site.ts'
import { writeBadge } from './badge.ts'
import { changelogFile, directoryFile, NEWEST } from './llms.ts'
import { writeFile, writeIndex } from './sitemap.ts'

const XML = 'application/xml; charset=utf-8'

export function createFiles(site: Site, responder: Responder) {
  const { short, long } = responder
  const headers = { ...responder.headers.forPublic, 'content-security-policy': "default-src 'none'" }
  const asBody = (text: string, type: string): Body => ({ text, headers, type })

  const asFeed = (format: FeedFormat, head: FeedHead, items: readonly FeedItem[]): Body => ({
    text: writeFeed(format, head, items, site.websubHub),
    headers: site.websubHub === '' ? headers : { ...headers, ...linkHeader(site.websubHub, head) },
    type: FEED_TYPES[format],
  })

  const feed = (context: Context, names: Names, format: FeedFormat): Promise<Response> => {
    const own = checkedNames(names)
    const filter = feedQuery(context)
    const { kind, prereleases } = filter
    return long(context, own, async (reads) => {
      const base = site.baseUrl()
      const changelog = await reads.ask('readOverview', 'public', names.team, names.product)
      if (!changelog) return null
      const { language } = site.in(changelog)
      const source: Source = { reads, audience: 'public', ...names }
      const { found } =
        kind === null
          ? await readVersions(source, { limit: FEED_SIZE, prereleases })
          : await search(source, { q: null, type: null, ...filter }, null, FEED_SIZE)
      const renderer = createRenderer(site)
      const items = await collectItems(found, async (version) => {
        reads.checkWanted()
        const release = await renderer.release(changelog, version, 3, WHOLE)
        return feedItem(language, base, changelog, version, release)
      })
      return asFeed(format, headOfChangelog(language, format, base, changelog, filter), items)
    })
  }

  /** The changelog as Keep a Changelog; the `Link` header leads to the next part of a long one. */
  const markdown = (context: Context, names: Names): Promise<Response> => {
    const own = checkedNames(names)
    const after = markdownQuery(context)
    return long(context, own, async (reads) => {
      const { team, product } = names
      const newer = after && (await reads.ask('readNewer', 'public', team, product, positionBelow(after), 1))
      const position = newer?.[0]
      if (after && position?.id !== after.id) {
        const changelog = await reads.ask('readOverview', 'public', team, product)
        return changelog && { location: markdownLink(changelog, position ?? null), headers }
      }
      // Loaded on first use: its parser takes a tenth of the start.
      const { markdownBody } = await import('./markdown-file.ts')
      return markdownBody({ reads, audience: 'public', ...names }, after, headers)
    })
  }

  /** The version that `latest` means as a picture, for other sites. */
  const badge = (context: Context, names: Names): Promise<Response> =>
    short(context, checkedNames(names), async (reads) => {
      const latest = await readLatest(reads, names)
      const read = latest ?? (await readFirst(reads, names, null))
      return read && asBody(writeBadge(site.in(read), read, latest?.version.label), 'image/svg+xml')
    })

  const asText = (text: string): Body => asBody(text, 'text/plain; charset=utf-8')

  const robotsFile = (context: Context): Promise<Response> =>
    short(context, {}, async () => {
      const hasSitemap = site.hasLists && site.publicUrl !== ''
      const sitemap = hasSitemap ? `\nSitemap: ${site.publicUrl}${ROUTES.sitemap.path}\n` : ''
      // Everything except search results, which are endless.
      return asText(`User-agent: *\nDisallow: /*?q=\nDisallow: /*?type=\nAllow: /\n${sitemap}`)
    })

  const sitemap = (context: Context): Promise<Response> => {
    checkHasSitemap()
    return short(context, {}, async (reads) => asBody(await writeIndex(site, reads), XML))
  }

  const sitemapFile = (context: Context): Promise<Response> => {
    checkHasSitemap()
    const position = sitemapQuery(context)
    return long(context, {}, async (reads) => {
      return asBody(await writeFile(site, reads, position), XML)
    })
  }

  /** There must be absolute addresses, and a sitemap is a list of all changelogs. */
  const checkHasSitemap = (): void => {
    if (site.publicUrl === '' || !site.hasLists) throw notFound()
  }

  const llms = (context: Context, names: Names): Promise<Response> =>
    short(context, checkedNames(names), async (reads) => {
      const { team, product } = names
      const page = { limit: NEWEST, after: null, since: null, withChanges: false, withDates: true } as const
      const read = await reads.ask('readChangelog', 'public', team, product, page)
      const latest = await readLatest(reads, names)
      return read && asText(changelogFile(site, read, latest?.version))
    })

  /** For a team, or for all; without lists, for the changelog at `/`. */
  const directoryLlms = (context: Context, team: ListOf): Promise<Response> => {
    if (!site.hasLists && site.home && team === null) return llms(context, site.home)
    return short(context, checkedList(site, team), async (reads) => {
      const name = await nameOfList(site, reads, team)
      const list = await readEntries(reads, team, null)
      return name === null ? null : asText(directoryFile(site, name, team, list))
    })
  }

  const timelineFeed = createTimelineFeed(site, long, asFeed)
  const ofMany = { timelineFeed, directoryLlms, robots: robotsFile, sitemap, sitemapFile }
  return { feed, markdown, badge, llms, ...ofMany }
}
