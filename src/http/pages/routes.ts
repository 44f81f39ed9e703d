import { Elysia, t } from 'elysia'
import { FEEDS, LATEST, MARKDOWN } from '../../domain/addresses/paths.ts'
import { CHANGELOG_PAGE, HOME_PAGE, ROBOTS, SITEMAP, SITEMAP_FILE, TEAM_PAGE } from '../paths.ts'
import type { Pages } from './pages.ts'

/** The API's description does not list them. */
const detail = { hide: true }

const team = { detail, params: t.Object({ team: t.String() }) }
const product = { detail, params: t.Object({ team: t.String(), product: t.String() }) }
const version = { detail, params: t.Object({ team: t.String(), product: t.String(), version: t.String() }) }

/** Every route of the pages, and of what is for programs beside them. */
export const pageRoutes = (pages: () => Pages) =>
  new Elysia({ strictPath: true, normalize: false })
    .get(HOME_PAGE, ({ request }) => pages().home(request), { detail })
    .get(TEAM_PAGE, ({ request, params }) => pages().team(request, params), team)
    .get(CHANGELOG_PAGE, ({ request, params }) => pages().changelog(request, params), product)
    .get(`${CHANGELOG_PAGE}/:version`, ({ request, params }) => pages().version(request, params), version)
    .get(`${CHANGELOG_PAGE}/${LATEST}`, ({ request, params }) => pages().latest(request, params), product)
    .get(
      `${CHANGELOG_PAGE}/${FEEDS.atom}`,
      ({ request, params }) => pages().feed(request, params, 'atom'),
      product,
    )
    .get(
      `${CHANGELOG_PAGE}/${FEEDS.rss}`,
      ({ request, params }) => pages().feed(request, params, 'rss'),
      product,
    )
    .get(
      `${CHANGELOG_PAGE}/${FEEDS.json}`,
      ({ request, params }) => pages().feed(request, params, 'json'),
      product,
    )
    .get(`${CHANGELOG_PAGE}/${MARKDOWN}`, ({ request, params }) => pages().markdown(request, params), product)
    .get(ROBOTS, ({ request }) => pages().robots(request), { detail })
    .get(SITEMAP, ({ request }) => pages().sitemap(request), { detail })
    .get(SITEMAP_FILE, ({ request }) => pages().sitemapFile(request), { detail })
