import { Elysia, t } from 'elysia'
import { LATEST } from '../../domain/addresses/paths.ts'
import { ROUTES } from '../routes.ts'
import type { Pages } from './pages.ts'

/** The API's description does not list them. */
const detail = { hide: true }

const team = { detail, params: t.Object({ team: t.String() }) }
const product = { detail, params: t.Object({ team: t.String(), product: t.String() }) }
const version = { detail, params: t.Object({ team: t.String(), product: t.String(), version: t.String() }) }

/** Routes of the pages, feeds and files. */
export const pageRoutes = (pages: () => Pages) =>
  new Elysia({ strictPath: true, normalize: false })
    .get(ROUTES.homePage.path, ({ request }) => pages().home(request), { detail })
    .get(ROUTES.homeAsMarkdown.path, ({ request }) => pages().home(request), { detail })
    .get(ROUTES.teamPage.path, ({ request, params }) => pages().team(request, params), team)
    .get(ROUTES.changelogPage.path, ({ request, params }) => pages().changelog(request, params), product)
    .get(ROUTES.versionPage.path, ({ request, params }) => pages().version(request, params), version)
    .get(
      ROUTES.latestPage.path,
      ({ request, params }) => pages().version(request, { ...params, version: LATEST }),
      product,
    )
    .get(ROUTES.atomFeed.path, ({ request, params }) => pages().feed(request, params, 'atom'), product)
    .get(ROUTES.rssFeed.path, ({ request, params }) => pages().feed(request, params, 'rss'), product)
    .get(ROUTES.jsonFeed.path, ({ request, params }) => pages().feed(request, params, 'json'), product)
    .get(ROUTES.teamAtomFeed.path, ({ request, params }) => pages().teamFeed(request, params, 'atom'), team)
    .get(ROUTES.teamRssFeed.path, ({ request, params }) => pages().teamFeed(request, params, 'rss'), team)
    .get(ROUTES.teamJsonFeed.path, ({ request, params }) => pages().teamFeed(request, params, 'json'), team)
    .get(ROUTES.siteAtomFeed.path, ({ request }) => pages().siteFeed(request, 'atom'), { detail })
    .get(ROUTES.siteRssFeed.path, ({ request }) => pages().siteFeed(request, 'rss'), { detail })
    .get(ROUTES.siteJsonFeed.path, ({ request }) => pages().siteFeed(request, 'json'), { detail })
    .get(ROUTES.markdownFile.path, ({ request, params }) => pages().markdown(request, params), product)
    .get(ROUTES.badge.path, ({ request, params }) => pages().badge(request, params), product)
    .get(ROUTES.llms.path, ({ request, params }) => pages().llms(request, params), product)
    .get(ROUTES.teamLlms.path, ({ request, params }) => pages().teamLlms(request, params), team)
    .get(ROUTES.siteLlms.path, ({ request }) => pages().siteLlms(request), { detail })
    .get(ROUTES.robots.path, ({ request }) => pages().robots(request), { detail })
    .get(ROUTES.sitemap.path, ({ request }) => pages().sitemap(request), { detail })
    .get(ROUTES.sitemapFile.path, ({ request }) => pages().sitemapFile(request), { detail })
