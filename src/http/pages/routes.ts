import { Elysia } from 'elysia'
import { CHANGELOG_PAGE, HOME_PAGE, TEAM_PAGE } from '../paths.ts'
import { LATEST } from './links.ts'
import type { Pages } from './pages.ts'

/** The API's description does not list them. */
const hidden = { detail: { hide: true } }

/** Every route of the pages. */
export const pageRoutes = (pages: Pages) =>
  new Elysia({ strictPath: true, normalize: false })
    .get(HOME_PAGE, ({ request }) => pages.home(request), hidden)
    .get(TEAM_PAGE, ({ request, params }) => pages.team(request, params), hidden)
    .get(CHANGELOG_PAGE, ({ request, params }) => pages.changelog(request, params), hidden)
    .get(`${CHANGELOG_PAGE}/${LATEST}`, ({ request, params }) => pages.latest(request, params), hidden)
    .get(
      `${CHANGELOG_PAGE}/:version`,
      ({ request, params }) => pages.version(request, params, params.version),
      hidden,
    )
