import { MARKDOWN } from '../../../domain/paths.ts'
import { writeChanges } from '../../../formats/keepachangelog/write.ts'
import type { ChangelogInfo, Cursor } from '../../../store/port.ts'
import { notFound } from '../../responses/errors.ts'
import { writeCursor } from '../../responses/paging.ts'
import type { PublicReads } from '../../responses/public-reads.ts'
import type { Queue } from '../../responses/queue.ts'
import type { Body, Responder } from '../../responses/responder.ts'
import { changelogLink } from '../links.ts'
import { apiNames, checkSlugs, type Names } from '../names.ts'
import { positionQuery, sitemapQuery } from '../query.ts'
import { createReadFurther, readSlices } from '../reading.ts'
import type { Site } from '../site.ts'
import type { Typeset } from '../typeset.ts'
import {
  FEED_LENGTH,
  FEED_SIZE,
  FEED_TYPES,
  type FeedFormat,
  type FeedItem,
  feedItem,
  writeFeed,
} from './feeds.ts'
import { MARKDOWN_SIZE, MARKDOWN_SLICE, markdownOf, markdownTitle } from './markdown-file.ts'
import { robots } from './robots.ts'
import { writeFile, writeIndex } from './sitemap.ts'

const XML = 'application/xml; charset=utf-8'

/** What the same changelogs are for programs: feeds, `CHANGELOG.md`, and the files for search engines. */
export function createFiles(site: Site, responder: Responder, queue: Queue, typeset: Typeset) {
  const securityHeaders = {
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
  }
  const headers = responder.publicHeadersWith(securityHeaders)

  /** Responds with a feed of the newest releases. Throws as `responder.page` does. */
  const feed = (request: Request, names: Names, format: FeedFormat): Promise<Response> => {
    checkSlugs(names)
    return responder.page(request, apiNames(names), !request.url.includes('?'), async (reads) => {
      const base = site.baseUrl()
      const items: FeedItem[] = []
      let changelog: ChangelogInfo | null = null
      let length = 0
      for await (const slice of readSlices(reads, queue, names, { limit: FEED_SIZE })) {
        changelog = slice.changelog
        for (const version of slice.versions) {
          const item = feedItem(base, changelog, version, await typeset(version, 3))
          length += item.html.length
          if (length <= FEED_LENGTH || items.length === 0) items.push(item)
        }
        if (length > FEED_LENGTH) break
      }
      return (
        changelog && { text: writeFeed(format, base, changelog, items), headers, type: FEED_TYPES[format] }
      )
    })
  }

  /** Responds with the changelog as Keep a Changelog text; the next part of a long one is in the `Link` header. */
  const markdown = (request: Request, names: Names): Promise<Response> => {
    checkSlugs(names)
    const { after, isKnown } = positionQuery(request)
    return responder.page(request, apiNames(names), isKnown, (reads) => markdownBody(reads, names, after))
  }

  const markdownBody = async (
    reads: PublicReads,
    names: Names,
    after: Cursor | null,
  ): Promise<Body | null> => {
    const limits = { after, limit: MARKDOWN_SIZE, size: MARKDOWN_SLICE }
    const readFurther = createReadFurther(reads, queue, names)
    const parts: string[] = []
    let changelog: ChangelogInfo | null = null
    let next: Cursor | null = null
    for await (const slice of readSlices(reads, queue, names, limits)) {
      if (!changelog) parts.push(markdownTitle(slice.changelog.changelog.name))
      changelog = slice.changelog
      next = slice.next
      parts.push(markdownOf(slice.versions))
      // A version that is not read whole is alone.
      for (const version of slice.versions)
        for await (const changes of readFurther(version)) parts.push(writeChanges(changes))
    }
    if (!changelog) return null
    const link = next && `<${changelogLink(changelog)}/${MARKDOWN}?cursor=${writeCursor(next)}>; rel="next"`
    return {
      text: parts.join('\n'),
      headers: link === null ? headers : { ...headers, link },
      type: 'text/markdown; charset=utf-8',
    }
  }

  const robotsFile = (request: Request): Promise<Response> =>
    responder.page(request, {}, !request.url.includes('?'), async () => ({
      text: robots(site),
      headers,
      type: 'text/plain; charset=utf-8',
    }))

  /** Responds with the index of all addresses. */
  const sitemap = (request: Request): Promise<Response> => {
    checkHasSitemap()
    return responder.page(request, {}, !request.url.includes('?'), async (reads) => ({
      text: await writeIndex(site, reads, queue),
      headers,
      type: XML,
    }))
  }

  /** Responds with a part of all addresses. */
  const sitemapFile = (request: Request): Promise<Response> => {
    checkHasSitemap()
    const { position, isKnown } = sitemapQuery(request)
    return responder.page(request, {}, isKnown, async (reads) => ({
      text: await writeFile(site, reads, queue, position),
      headers,
      type: XML,
    }))
  }

  /** An address must be absolute there, and a list of all changelogs is one. */
  const checkHasSitemap = (): void => {
    if (site.publicUrl === '' || !site.hasLists) throw notFound()
  }

  return { feed, markdown, robots: robotsFile, sitemap, sitemapFile }
}
