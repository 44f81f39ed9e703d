import { t } from 'elysia'
import { LATEST } from '../../domain/addresses/paths.ts'
import type { FeedFormat } from '../feeds/feed.ts'
import type { Context } from '../request/context.ts'
import { ROUTES } from '../routes.ts'
import { typedRoutes } from '../typed-routes.ts'
import type { Pages } from './pages.ts'

/** The API's description does not list them. */
const detail = { hide: true }

const team = { detail, params: t.Object({ team: t.String() }) }
const product = { detail, params: t.Object({ team: t.String(), product: t.String() }) }
const version = { detail, params: t.Object({ team: t.String(), product: t.String(), version: t.String() }) }

/** Routes of the pages, feeds and files. */
export function createPageRoutes(pages: Pages, report: (error: unknown) => void) {
  const teamFeed =
    (format: FeedFormat) =>
    ({ context, params }: { context: Context; params: { team: string } }) =>
      pages.timelineFeed(context, params.team, format)
  return typedRoutes(report)
    .get(ROUTES.homePage.path, ({ context }) => pages.home(context), { detail })
    .get(ROUTES.homeAsMarkdown.path, ({ context }) => pages.home(context), { detail })
    .get(ROUTES.teamPage.path, ({ context, params }) => pages.team(context, params), team)
    .get(ROUTES.changelogPage.path, ({ context, params }) => pages.changelog(context, params), product)
    .get(ROUTES.versionPage.path, ({ context, params }) => pages.version(context, params), version)
    .get(
      ROUTES.latestPage.path,
      ({ context, params }) => pages.version(context, { ...params, version: LATEST }),
      product,
    )
    .get(ROUTES.atomFeed.path, ({ context, params }) => pages.feed(context, params, 'atom'), product)
    .get(ROUTES.rssFeed.path, ({ context, params }) => pages.feed(context, params, 'rss'), product)
    .get(ROUTES.jsonFeed.path, ({ context, params }) => pages.feed(context, params, 'json'), product)
    .get(ROUTES.teamAtomFeed.path, teamFeed('atom'), team)
    .get(ROUTES.teamRssFeed.path, teamFeed('rss'), team)
    .get(ROUTES.teamJsonFeed.path, teamFeed('json'), team)
    .get(ROUTES.siteAtomFeed.path, ({ context }) => pages.timelineFeed(context, null, 'atom'), { detail })
    .get(ROUTES.siteRssFeed.path, ({ context }) => pages.timelineFeed(context, null, 'rss'), { detail })
    .get(ROUTES.siteJsonFeed.path, ({ context }) => pages.timelineFeed(context, null, 'json'), { detail })
    .get(ROUTES.markdownFile.path, ({ context, params }) => pages.markdown(context, params), product)
    .get(ROUTES.badge.path, ({ context, params }) => pages.badge(context, params), product)
    .get(ROUTES.llms.path, ({ context, params }) => pages.llms(context, params), product)
    .get(ROUTES.teamLlms.path, ({ context, params }) => pages.directoryLlms(context, params.team), team)
    .get(ROUTES.siteLlms.path, ({ context }) => pages.directoryLlms(context, null), { detail })
    .get(ROUTES.robots.path, ({ context }) => pages.robots(context), { detail })
    .get(ROUTES.sitemap.path, ({ context }) => pages.sitemap(context), { detail })
    .get(ROUTES.sitemapFile.path, ({ context }) => pages.sitemapFile(context), { detail })
}
