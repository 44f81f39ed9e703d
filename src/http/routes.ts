import {
  BADGE,
  changelogPagePath,
  FEEDS,
  HOME_AS_MARKDOWN,
  keyedChangelogPath,
  LATEST,
  LLMS,
  MARKDOWN,
  PUBLIC_API,
  publicChangelogPath,
  SITE,
  teamPagePath,
  withoutSuffix,
} from '../domain/addresses/paths.ts'
import { namesOf, once } from '../domain/objects.ts'
import { isPictureName, PICTURES } from '../domain/pictures.ts'
import type { Operation } from './api/openapi/operations.ts'
import {
  type Asked,
  CHANGELOG_PARAMETERS,
  FEED_PARAMETERS,
  FILE_PARAMETERS,
  LIST_PARAMETERS,
  type ParameterSet,
  RELEASE_PARAMETERS,
  SITEMAP_PARAMETERS,
  TIMELINE_PARAMETERS,
} from './reading/parameters.ts'
import { jsonResponse } from './request/json-response.ts'
import type { Surface } from './request/trace.ts'
import { TOKEN } from './target.ts'

// Each room is loaded with its first request, but not with `import`, which would delay the response.
const api = once(() => require('./api/api.ts') as typeof import('./api/api.ts'))
export const pages = once(() => require('./pages/pages.ts') as typeof import('./pages/pages.ts'))
const feeds = once(() => require('./feeds/feeds.ts') as typeof import('./feeds/feeds.ts'))
type Reference = typeof import('./reference/reference.ts')
const reference = once(() => require('./reference/reference.ts') as Reference)

type Respond<Names extends string, Set extends ParameterSet> = (
  asked: Asked<Names, Set>,
) => Response | Promise<Response>

export interface Route {
  readonly path: string
  readonly surface: Surface
  /** A page is HTML or Markdown. Errors of a text are Markdown, whatever a client prefers. */
  readonly form?: 'page' | 'text'
  /** The query parameters that it knows, in the order of a reduced target. */
  readonly parameters: ParameterSet
  /** Its name in the OpenAPI document, if it is there. */
  readonly operation?: Operation
  /** Null if the pipeline responds. */
  readonly respond: Respond<string, ParameterSet> | null
}

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Builds rows of a surface. A function gets the names in its path, and its parameters as they are read. */
const rowsOf =
  (surface: Surface, form?: Route['form']) =>
  <const Path extends string, Set extends ParameterSet>(
    path: Path,
    parameters: Set,
    respond: Respond<NamesIn<Path>, Set> | null,
    operation?: Operation,
  ): Route => ({
    path,
    surface,
    parameters,
    respond: respond as Route['respond'],
    ...(form && { form }),
    ...(operation && { operation }),
  })

const open = rowsOf('public')
const keyed = rowsOf('keyed')
const page = rowsOf('pages', 'page')
const feed = rowsOf('feeds')
const text = rowsOf('feeds', 'text')
const robots = rowsOf('pages', 'text')
const file = rowsOf('pages')
const docs = (path: string, part: keyof Reference) =>
  rowsOf('docs')(path, {}, (asked) => reference()[part](asked, ROUTES))
const probe = rowsOf('probes')

const PUBLIC_CHANGELOG = publicChangelogPath(':teamSlug', ':productSlug')
const KEYED_CHANGELOG = keyedChangelogPath(':teamSlug', ':productSlug')
const VERSION = '/versions/:versionId'
const TEAM_PAGE = teamPagePath(':team')
const CHANGELOG_PAGE = changelogPagePath(':team', ':product')

const feedsBelow = <const Path extends string>(
  under: Path,
  respond: (
    asked: Asked<NamesIn<Path>, typeof FEED_PARAMETERS>,
    format: keyof typeof FEEDS,
  ) => Promise<Response>,
) =>
  namesOf(FEEDS).map((format) =>
    feed(`${under}/${FEEDS[format]}`, FEED_PARAMETERS, (asked) =>
      respond(asked as Asked<NamesIn<Path>, typeof FEED_PARAMETERS>, format),
    ),
  )

const ok = (): Response => jsonResponse(200, { status: 'ok' })
const ping: Respond<never, ParameterSet> = (tools) => tools.ping().then(ok)

/** Every route. If two match a path, the first counts. */
export const ROUTES: readonly Route[] = [
  open(PUBLIC_CHANGELOG, LIST_PARAMETERS, (asked) => api().changelog(asked), 'readPublicChangelog'),
  open(`${PUBLIC_CHANGELOG}${VERSION}`, {}, (asked) => api().version(asked), 'readPublicVersion'),
  keyed(KEYED_CHANGELOG, LIST_PARAMETERS, (asked) => api().changelog(asked), 'readChangelog'),
  keyed(`${KEYED_CHANGELOG}${VERSION}`, {}, (asked) => api().version(asked), 'readVersion'),
  page(`${CHANGELOG_PAGE}/${LATEST}`, {}, (asked) => pages().latest(asked)),
  ...feedsBelow(CHANGELOG_PAGE, (asked, format) => feeds().changelog(asked, format)),
  text(`${CHANGELOG_PAGE}/${MARKDOWN}`, FILE_PARAMETERS, (asked) => feeds().markdown(asked)),
  feed(`${CHANGELOG_PAGE}/${BADGE}`, {}, (asked) => feeds().badge(asked)),
  text(`${CHANGELOG_PAGE}/${LLMS}`, {}, (asked) => feeds().llms(asked)),
  ...feedsBelow(TEAM_PAGE, (asked, format) => feeds().timeline(asked, format)),
  text(`${TEAM_PAGE}/${LLMS}`, {}, (asked) => feeds().directoryLlms(asked)),
  ...feedsBelow('', (asked, format) => feeds().timeline(asked, format)),
  text(`/${LLMS}`, {}, (asked) => feeds().directoryLlms(asked)),
  page(CHANGELOG_PAGE, CHANGELOG_PARAMETERS, (asked) => pages().changelog(asked)),
  page(`${CHANGELOG_PAGE}/:version`, RELEASE_PARAMETERS, (asked) => pages().version(asked)),
  // Below the pages: its path ends with any name, as theirs.
  rowsOf('pictures')(`${CHANGELOG_PAGE}/${PICTURES}/:picture`, {}, (asked) => feeds().picture(asked)),
  page(TEAM_PAGE, TIMELINE_PARAMETERS, (asked) => pages().timeline(asked)),
  page(SITE.home, TIMELINE_PARAMETERS, (asked) => pages().timeline(asked)),
  page(HOME_AS_MARKDOWN, TIMELINE_PARAMETERS, (asked) => pages().timeline(asked)),
  robots('/robots.txt', {}, (asked) => feeds().robots(asked)),
  file(SITE.sitemap, {}, (asked) => feeds().sitemap(asked)),
  file(SITE.sitemapFile, SITEMAP_PARAMETERS, (asked) => feeds().sitemapFile(asked)),
  // By POST, and the only route that takes it.
  rowsOf('mcp')(SITE.mcp, {}, null),
  // The same for everyone while the server runs.
  docs(SITE.openapi, 'document'),
  docs('/docs', 'page'),
  docs('/docs/export.schema.json', 'exportSchema'),
  docs(SITE.docsStyle, 'style'),
  docs(SITE.docsScript, 'script'),
  docs('/widget.js', 'widget'),
  // These pass neither gate nor limiter: for the process, and for the store, under two names.
  probe('/livez', {}, ok, 'checkProcess'),
  probe('/readyz', {}, ping, 'checkReadiness'),
  probe('/healthz', {}, ping, 'checkHealth'),
]

const isHome = ({ path }: Route): boolean => path === SITE.home || path === HOME_AS_MARKDOWN

/** The table for a site: with HOME_PAGE, `/` is the page of a changelog. */
export const routesFor = (homePage: string): readonly Route[] =>
  ROUTES.map((route) =>
    homePage !== '' && isHome(route)
      ? page(route.path, CHANGELOG_PARAMETERS, (asked) => pages().changelog(asked))
      : route,
  )

/** How the pipeline treats the requests for a path, even if it has no route. */
export interface Treatment {
  /** `other` if there can be no route. */
  readonly surface: Surface
  /** Clients may prefer Markdown there. */
  readonly isPage: boolean
  /** Errors are Markdown, whatever clients prefer. */
  readonly isText: boolean
}

const PUBLIC_PREFIX = `${PUBLIC_API}/`
const PUBLIC: Treatment = { surface: 'public', isPage: false, isText: false }

export type RouteIndex = ReturnType<typeof indexRoutes>

/** Finds rows of a table by path. */
export function indexRoutes(routes: readonly Route[]) {
  const byPath = new Map(routes.map((route) => [route.path, route]))
  const named = routes
    .filter(({ path }) => path.includes(':'))
    .map((route) => {
      const parts = route.path.split('/').map((part) => (part[0] === ':' ? '[^/]+' : RegExp.escape(part)))
      const [prefix = ''] = route.path.split(':', 1)
      const ending = route.path.replace(/.*:[^/]+/, '')
      return { route, prefix, ending, pattern: new RegExp(`^${parts.join('/')}$`) }
    })

  const routeAt = (path: string): Route | undefined =>
    byPath.get(path) ?? named.find(({ pattern }) => pattern.test(path))?.route

  /** By the beginning and the end of a path: patterns would slow down hits. */
  const routeLike = (path: string): Route | undefined => {
    for (const { prefix, ending, route } of named)
      if (path.startsWith(prefix) && path.endsWith(ending)) return route
    return undefined
  }

  return {
    routeAt,

    /** The known parameters at a path, in the order of a reduced target. */
    parametersAt: (path: string): readonly string[] => {
      const { surface, parameters = {} } = routeAt(path) ?? {}
      return surface === 'keyed' ? [...Object.keys(parameters), TOKEN] : Object.keys(parameters)
    },

    treatmentOf: (path: string): Treatment => {
      // Almost all requests.
      if (path.startsWith(PUBLIC_PREFIX)) return PUBLIC
      const like = isPictureName(path) ? routeAt(path) : routeLike(path)
      const { surface, form } = byPath.get(path) ?? like ?? { surface: 'other' }
      const isPage = form === 'page'
      // A version may be labelled `notes.md`, and its page is one.
      return { surface, isPage, isText: form === 'text' || (isPage && withoutSuffix(path) !== null) }
    },
  }
}
