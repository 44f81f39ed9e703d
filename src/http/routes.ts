import {
  BADGE,
  changelogPagePath,
  FEEDS,
  HOME_AS_MARKDOWN,
  keyedChangelogPath,
  LATEST,
  LLMS,
  MARKDOWN,
  PAGES,
  PUBLIC_API,
  publicChangelogPath,
  SITE,
  teamPagePath,
  withoutSuffix,
} from '../domain/addresses/paths.ts'
import { namesOf, once } from '../domain/objects.ts'
import { PICTURES } from '../domain/pictures.ts'
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
  /** The names in its path. */
  readonly names: readonly string[]
  /** The query parameters that it knows. */
  readonly parameters: ParameterSet
  /** Their names in the order of a reduced target, and that of a token where there are keys. */
  readonly known: readonly string[]
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
    names: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name),
    parameters,
    known: surface === 'keyed' ? [...Object.keys(parameters), TOKEN] : Object.keys(parameters),
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

/** Where a path leads: null for a path without a route. */
export interface Match extends Treatment {
  readonly route: Route | null
  /** The names in the path, as they are written there. */
  readonly names: readonly string[]
}

/** Paths without a route are treated as their neighbors. */
const AREAS: readonly (readonly [prefix: string, treatment: Treatment])[] = [
  [`${PUBLIC_API}/`, { surface: 'public', isPage: false, isText: false }],
  [keyedChangelogPath('', '').split('//')[0] as string, { surface: 'keyed', isPage: false, isText: false }],
  [`${PAGES}/`, { surface: 'pages', isPage: true, isText: false }],
]
const ELSEWHERE: Treatment = { surface: 'other', isPage: false, isText: false }

/** A step of a path: the texts that may come next, and a name. */
interface Step {
  readonly texts: Map<string, Step>
  name?: Step
  route?: Route
}

export type Matcher = ReturnType<typeof compileRoutes>

/** Compiles a table to the one function that tells where a path leads. A text takes precedence over a name. */
export function compileRoutes(routes: readonly Route[]) {
  const newStep = (): Step => ({ texts: new Map() })
  const fixed = new Map<string, Route>()
  /** By the beginning of their paths, up to the first name. */
  const named = new Map<string, Step>()
  for (const route of routes) {
    const [prefix = '', ...rest] = route.path.split(/(?=:)/, 2)
    if (rest.length === 0) fixed.set(prefix, route)
    if (rest.length === 0) continue
    let step = named.get(prefix) ?? newStep()
    named.set(prefix, step)
    for (const part of route.path.slice(prefix.length).split('/')) {
      const next = (part[0] === ':' ? step.name : step.texts.get(part)) ?? newStep()
      if (part[0] === ':') step.name = next
      else step.texts.set(part, next)
      step = next
    }
    step.route = route
  }
  const beginnings = [...named]

  const find = (step: Step, path: string, start: number, names: string[]): Route | undefined => {
    if (start > path.length) return step.route
    const slash = path.indexOf('/', start)
    const end = slash < 0 ? path.length : slash
    const part = path.slice(start, end)
    const text = step.texts.get(part)
    const found = text && find(text, path, end + 1, names)
    if (found || !step.name || part === '') return found
    names.push(part)
    const named = find(step.name, path, end + 1, names)
    if (!named) names.pop()
    return named
  }

  return (path: string): Match => {
    const names: string[] = []
    let route = fixed.get(path) ?? null
    if (!route)
      for (const [prefix, step] of beginnings)
        if (path.startsWith(prefix)) route = find(step, path, prefix.length, names) ?? null
    if (!route)
      return { route, names, ...(AREAS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? ELSEWHERE) }
    const { surface, form } = route
    const isPage = form === 'page'
    // A version may be labelled `notes.md`, and its page is one.
    return {
      route,
      names,
      surface,
      isPage,
      isText: form === 'text' || (isPage && withoutSuffix(path) !== null),
    }
  }
}

/** The names in the path of a match, decoded. */
export const paramsOf = ({ route, names }: Match): Readonly<Record<string, string>> =>
  names.length === 0
    ? NO_PARAMS
    : Object.fromEntries(route?.names.map((name, at) => [name, decoded(names[at] ?? '')]) ?? [])

const NO_PARAMS = {}

/** Nothing is called like an invalid escape, and a key is checked all the same. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return '\uFFFD'
  }
}
