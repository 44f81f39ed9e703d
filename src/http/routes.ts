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
  teamPagePath,
  withoutSuffix,
} from '../domain/addresses/paths.ts'
import { API_PARAMETERS } from './api-parameters.ts'
import { pathOf } from './target.ts'

/** Parts of the server, by which the pipeline treats requests and metrics count them. */
export const SURFACES = ['public', 'keyed', 'pages', 'feeds', 'mcp', 'docs', 'probes', 'other'] as const
export type Surface = (typeof SURFACES)[number]

interface Route {
  readonly path: string
  readonly surface: Surface
  /** Known query parameters, in the order of a reduced target. */
  readonly parameters?: readonly string[]
  /** Clients can have it as Markdown. */
  readonly hasMarkdown?: true
}

const PUBLIC_CHANGELOG = publicChangelogPath(':teamSlug', ':productSlug')
const KEYED_CHANGELOG = keyedChangelogPath(':teamSlug', ':productSlug')
export const VERSION = '/versions/:versionId'
const TEAM_PAGE = teamPagePath(':team')
const CHANGELOG_PAGE = changelogPagePath(':team', ':product')
export const FEED_PARAMETERS = ['kind', 'prereleases'] as const
const CHANGELOG_PARAMETERS = ['q', 'kind', 'type', 'prereleases', 'cursor', 'from', 'to'] as const
const TIMELINE_PARAMETERS = ['prereleases', 'cursor', 'after'] as const
const PAGE = { surface: 'pages', hasMarkdown: true } as const

/** Not read, but refused. */
export const TOKEN = 'access_token'

/** Every route. If two match a path, the first counts. */
export const ROUTES = {
  publicChangelog: { path: PUBLIC_CHANGELOG, surface: 'public', parameters: API_PARAMETERS },
  publicVersion: { path: `${PUBLIC_CHANGELOG}${VERSION}`, surface: 'public' },
  keyedChangelog: { path: KEYED_CHANGELOG, surface: 'keyed', parameters: [...API_PARAMETERS, TOKEN] },
  keyedVersion: { path: `${KEYED_CHANGELOG}${VERSION}`, surface: 'keyed', parameters: [TOKEN] },
  latestPage: { path: `${CHANGELOG_PAGE}/${LATEST}`, ...PAGE },
  atomFeed: { path: `${CHANGELOG_PAGE}/${FEEDS.atom}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  rssFeed: { path: `${CHANGELOG_PAGE}/${FEEDS.rss}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  jsonFeed: { path: `${CHANGELOG_PAGE}/${FEEDS.json}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  markdownFile: { path: `${CHANGELOG_PAGE}/${MARKDOWN}`, surface: 'feeds', parameters: ['cursor'] },
  badge: { path: `${CHANGELOG_PAGE}/${BADGE}`, surface: 'feeds' },
  llms: { path: `${CHANGELOG_PAGE}/${LLMS}`, surface: 'feeds' },
  teamAtomFeed: { path: `${TEAM_PAGE}/${FEEDS.atom}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  teamRssFeed: { path: `${TEAM_PAGE}/${FEEDS.rss}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  teamJsonFeed: { path: `${TEAM_PAGE}/${FEEDS.json}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  teamLlms: { path: `${TEAM_PAGE}/${LLMS}`, surface: 'feeds' },
  siteAtomFeed: { path: `/${FEEDS.atom}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  siteRssFeed: { path: `/${FEEDS.rss}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  siteJsonFeed: { path: `/${FEEDS.json}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  siteLlms: { path: `/${LLMS}`, surface: 'feeds' },
  changelogPage: { path: CHANGELOG_PAGE, ...PAGE, parameters: CHANGELOG_PARAMETERS },
  versionPage: { path: `${CHANGELOG_PAGE}/:version`, ...PAGE, parameters: ['page'] },
  teamPage: { path: TEAM_PAGE, ...PAGE, parameters: TIMELINE_PARAMETERS },
  /** With HOME_PAGE, it is a changelog's. */
  homePage: { path: '/', ...PAGE, parameters: TIMELINE_PARAMETERS },
  homeAsMarkdown: { path: HOME_AS_MARKDOWN, ...PAGE, parameters: TIMELINE_PARAMETERS },
  robots: { path: '/robots.txt', surface: 'pages' },
  sitemap: { path: '/sitemap.xml', surface: 'pages' },
  /** Its query names one of the files that the sitemap lists. */
  sitemapFile: { path: '/sitemap-pages.xml', surface: 'pages', parameters: ['after', 'cursor'] },
  /** By POST, and the only route that takes it. */
  mcp: { path: '/mcp', surface: 'mcp' },
  // The same for everyone while the server runs.
  openapi: { path: '/openapi.json', surface: 'docs' },
  docs: { path: '/docs', surface: 'docs' },
  exportSchema: { path: '/docs/export.schema.json', surface: 'docs' },
  docsStyle: { path: '/docs/reference.css', surface: 'docs' },
  docsScript: { path: '/docs/reference.js', surface: 'docs' },
  widget: { path: '/widget.js', surface: 'docs' },
  // These pass neither gate nor limiter: for the process, and for the store, under two names.
  live: { path: '/livez', surface: 'probes' },
  ready: { path: '/readyz', surface: 'probes' },
  health: { path: '/healthz', surface: 'probes' },
} as const satisfies Record<string, Route>

const ALL: readonly Route[] = Object.values(ROUTES)
const BY_PATH = new Map(ALL.map((route) => [route.path, route]))

const NAMED = ALL.filter(({ path }) => path.includes(':')).map((route) => {
  const parts = route.path.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
  const [prefix = ''] = route.path.split(':', 1)
  const ending = route.path.replace(/.*:[^/]+/, '')
  return { route, prefix, ending, pattern: new RegExp(`^${parts.join('/')}$`) }
})

/** True if `/` is at a path, by either name. */
export const isHome = (path: string): boolean => path === ROUTES.homePage.path || path === HOME_AS_MARKDOWN

export const routeAt = (path: string): Route | undefined =>
  BY_PATH.get(path) ?? NAMED.find(({ pattern }) => pattern.test(path))?.route

const PUBLIC_PREFIX = `${PUBLIC_API}/`

/** Also without a route; `other` if there can be none. */
export const surfaceOf = (target: string): Surface =>
  // Almost all requests.
  target.startsWith(PUBLIC_PREFIX) ? 'public' : surfaceAt(pathOf(target))

/** By the beginning and the end of a path: patterns would slow down hits. */
function surfaceAt(path: string): Surface {
  const exact = BY_PATH.get(path)
  if (exact) return exact.surface
  for (const { prefix, ending, route } of NAMED)
    if (path.startsWith(prefix) && path.endsWith(ending)) return route.surface
  return 'other'
}

/** The parameter of a page that a client prefers as Markdown. The pipeline adds it; that of a client is dropped as unknown. */
const PREFERRED = 'as=markdown'

/** A page as the variant that is Markdown: the target is the key of all caches. */
export function markdownTarget(target: string): string {
  // Paths without Markdown are exact, which is faster to find than a pattern.
  const exact = BY_PATH.get(pathOf(target))
  if (exact && !exact.hasMarkdown) return target
  return `${target}${target.includes('?') ? '&' : '?'}${PREFERRED}`
}

/** The target without what `markdownTarget` added; null if it did not. A path may end in the same characters. */
export const preferredAsMarkdown = (target: string): string | null =>
  target.endsWith(PREFERRED) && target.includes('?') ? target.slice(0, -PREFERRED.length - 1) : null

/** True if a target is text, and so are errors there: a page as Markdown, or a file such as `llms.txt`. */
export function isText(target: string, surface: Surface = surfaceOf(target)): boolean {
  if (surface !== 'pages') return surface === 'feeds' && TEXT_FILE.test(pathOf(target))
  const path = pathOf(target)
  // A version may be labelled `notes.txt`, and its page is one.
  return preferredAsMarkdown(target) !== null || withoutSuffix(path) !== null || path === ROUTES.robots.path
}

const TEXT_FILE = /\.(md|txt)$/
