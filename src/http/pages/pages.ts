import type { Responder } from '../answers/responder.ts'
import { createBadge } from '../feeds/badge.ts'
import { createChangelogFeed } from '../feeds/changelog-feed.ts'
import { createChangelogFile } from '../feeds/changelog-file.ts'
import { createDirectoryLlms, createLlms } from '../feeds/llms.ts'
import { createRobots, createSitemap, createSitemapFile } from '../feeds/sitemap.ts'
import { createTimelineFeed } from '../feeds/timeline-feed.ts'
import { createFeedTools } from '../feeds/tools.ts'
import type { Site } from '../site/site.ts'
import { createChangelogPage } from './changelog.ts'
import { createDocuments } from './documents.ts'
import { createErrorPages } from './errors.ts'
import { createForms } from './form.ts'
import { createHomeChangelog, createHomePage } from './home.ts'
import { createLatestPage, createReleasePage } from './release.ts'
import { createTeamPage } from './timeline.ts'
import type { PageTools } from './tools.ts'

export type Pages = ReturnType<typeof createPages>

/** Every page, feed and file, and the errors of pages. */
export function createPages(site: Site, responder: Responder) {
  const tools: PageTools = {
    site,
    respond: responder.long,
    forms: createForms(site, responder.headers),
    documents: createDocuments(site),
  }
  const feeds = createFeedTools(site, responder)
  return {
    ...createErrorPages(site),
    home: createHomePage(tools),
    homeChangelog: createHomeChangelog(tools),
    team: createTeamPage(tools),
    changelog: createChangelogPage(tools),
    version: createReleasePage(tools),
    latest: createLatestPage(tools),
    feed: createChangelogFeed(feeds),
    timelineFeed: createTimelineFeed(feeds),
    markdown: createChangelogFile(feeds),
    badge: createBadge(feeds),
    llms: createLlms(feeds),
    directoryLlms: createDirectoryLlms(feeds),
    robots: createRobots(feeds),
    sitemap: createSitemap(feeds),
    sitemapFile: createSitemapFile(feeds),
  }
}
