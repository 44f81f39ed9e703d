import { LATEST } from '../../domain/addresses/paths.ts'
import type { Context } from '../context.ts'
import { ROUTES } from '../routes.ts'
import { typedRoutes } from '../typed-routes.ts'
import type { FeedFormat } from './feeds/feed.ts'
import type { Pages } from './pages.ts'

/** Routes of the pages, feeds and files. */
export function createPageRoutes(pages: Pages, report: (error: unknown) => void) {
  const teamFeed =
    (format: FeedFormat) =>
    ({ context, params }: { context: Context; params: { team: string } }) =>
      pages.timelineFeed(context, params.team, format)
  return typedRoutes(report)
    .get(ROUTES.homePage.path, ({ context }) => pages.home(context))
    .get(ROUTES.homeAsMarkdown.path, ({ context }) => pages.home(context))
    .get(ROUTES.teamPage.path, ({ context, params }) => pages.team(context, params))
    .get(ROUTES.changelogPage.path, ({ context, params }) => pages.changelog(context, params))
    .get(ROUTES.versionPage.path, ({ context, params }) => pages.version(context, params))
    .get(ROUTES.latestPage.path, ({ context, params }) =>
      pages.version(context, { ...params, version: LATEST }),
    )
    .get(ROUTES.atomFeed.path, ({ context, params }) => pages.feed(context, params, 'atom'))
    .get(ROUTES.rssFeed.path, ({ context, params }) => pages.feed(context, params, 'rss'))
    .get(ROUTES.jsonFeed.path, ({ context, params }) => pages.feed(context, params, 'json'))
    .get(ROUTES.teamAtomFeed.path, teamFeed('atom'))
    .get(ROUTES.teamRssFeed.path, teamFeed('rss'))
    .get(ROUTES.teamJsonFeed.path, teamFeed('json'))
    .get(ROUTES.siteAtomFeed.path, ({ context }) => pages.timelineFeed(context, null, 'atom'))
    .get(ROUTES.siteRssFeed.path, ({ context }) => pages.timelineFeed(context, null, 'rss'))
    .get(ROUTES.siteJsonFeed.path, ({ context }) => pages.timelineFeed(context, null, 'json'))
    .get(ROUTES.markdownFile.path, ({ context, params }) => pages.markdown(context, params))
    .get(ROUTES.badge.path, ({ context, params }) => pages.badge(context, params))
    .get(ROUTES.llms.path, ({ context, params }) => pages.llms(context, params))
    .get(ROUTES.teamLlms.path, ({ context, params }) => pages.directoryLlms(context, params.team))
    .get(ROUTES.siteLlms.path, ({ context }) => pages.directoryLlms(context, null))
    .get(ROUTES.robots.path, ({ context }) => pages.robots(context))
    .get(ROUTES.sitemap.path, ({ context }) => pages.sitemap(context))
    .get(ROUTES.sitemapFile.path, ({ context }) => pages.sitemapFile(context))
}
