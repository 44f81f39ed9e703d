import type { Responder } from '../answers/responder.ts'
import type { Site } from '../site/site.ts'
import { createBadge } from './badge.ts'
import { createChangelogFeed } from './changelog-feed.ts'
import { createChangelogFile } from './changelog-file.ts'
import { createDirectoryLlms, createLlms } from './llms.ts'
import { createRobots, createSitemap, createSitemapFile } from './sitemap.ts'
import { createTimelineFeed } from './timeline-feed.ts'
import { createFeedTools } from './tools.ts'

export type Feeds = ReturnType<typeof createFeeds>

/** Every feed and file. */
export function createFeeds(site: Site, responder: Responder) {
  const tools = createFeedTools(site, responder)
  return {
    changelog: createChangelogFeed(tools),
    timeline: createTimelineFeed(tools),
    markdown: createChangelogFile(tools),
    badge: createBadge(tools),
    llms: createLlms(tools),
    directoryLlms: createDirectoryLlms(tools),
    robots: createRobots(tools),
    sitemap: createSitemap(tools),
    sitemapFile: createSitemapFile(tools),
  }
}
