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
import { API_PARAMETERS } from './api-parameters.ts'
import type { Surface } from './request/trace.ts'
import { TOKEN } from './target.ts'

interface Route {
  readonly path: string
  readonly surface: Surface
  /** Known query parameters, in the order of a reduced target. */
  readonly parameters?: readonly string[]
  /** A page is HTML or Markdown. A text is neither, but its errors are Markdown. By default, errors are those of the surface. */
  readonly form?: 'page' | 'text'
}

const PUBLIC_CHANGELOG = publicChangelogPath(':teamSlug', ':productSlug')
const KEYED_CHANGELOG = keyedChangelogPath(':teamSlug', ':productSlug')
export const VERSION = '/versions/:versionId'
const TEAM_PAGE = teamPagePath(':team')
const CHANGELOG_PAGE = changelogPagePath(':team', ':product')
export const FEED_PARAMETERS = ['kind', 'prereleases'] as const
const CHANGELOG_PARAMETERS = ['q', 'kind', 'type', 'prereleases', 'cursor', 'from', 'to'] as const
const TIMELINE_PARAMETERS = ['prereleases', 'cursor', 'after'] as const
const PAGE = { surface: 'pages', form: 'page' } as const

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
  markdownFile: {
    path: `${CHANGELOG_PAGE}/${MARKDOWN}`,
    surface: 'feeds',
    parameters: ['cursor'],
    form: 'text',
  },
  badge: { path: `${CHANGELOG_PAGE}/${BADGE}`, surface: 'feeds' },
  llms: { path: `${CHANGELOG_PAGE}/${LLMS}`, surface: 'feeds', form: 'text' },
  teamAtomFeed: { path: `${TEAM_PAGE}/${FEEDS.atom}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  teamRssFeed: { path: `${TEAM_PAGE}/${FEEDS.rss}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  teamJsonFeed: { path: `${TEAM_PAGE}/${FEEDS.json}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  teamLlms: { path: `${TEAM_PAGE}/${LLMS}`, surface: 'feeds', form: 'text' },
  siteAtomFeed: { path: `/${FEEDS.atom}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  siteRssFeed: { path: `/${FEEDS.rss}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  siteJsonFeed: { path: `/${FEEDS.json}`, surface: 'feeds', parameters: FEED_PARAMETERS },
  siteLlms: { path: `/${LLMS}`, surface: 'feeds', form: 'text' },
  changelogPage: { path: CHANGELOG_PAGE, ...PAGE, parameters: CHANGELOG_PARAMETERS },
  versionPage: { path: `${CHANGELOG_PAGE}/:version`, ...PAGE, parameters: ['page'] },
  teamPage: { path: TEAM_PAGE, ...PAGE, parameters: TIMELINE_PARAMETERS },
  /** With HOME_PAGE, it is a changelog's. */
  homePage: { path: SITE.home, ...PAGE, parameters: TIMELINE_PARAMETERS },
  homeAsMarkdown: { path: HOME_AS_MARKDOWN, ...PAGE, parameters: TIMELINE_PARAMETERS },
  robots: { path: '/robots.txt', surface: 'pages', form: 'text' },
  sitemap: { path: SITE.sitemap, surface: 'pages' },
  /** Its query names one of the files that the sitemap lists. */
  sitemapFile: { path: SITE.sitemapFile, surface: 'pages', parameters: ['after', 'cursor'] },
  /** By POST, and the only route that takes it. */
  mcp: { path: SITE.mcp, surface: 'mcp' },
  // The same for everyone while the server runs.
  openapi: { path: SITE.openapi, surface: 'docs' },
  docs: { path: '/docs', surface: 'docs' },
  exportSchema: { path: '/docs/export.schema.json', surface: 'docs' },
  docsStyle: { path: SITE.docsStyle, surface: 'docs' },
  docsScript: { path: SITE.docsScript, surface: 'docs' },
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

export const routeAt = (path: string): Route | undefined =>
  BY_PATH.get(path) ?? NAMED.find(({ pattern }) => pattern.test(path))?.route

/** The known parameters at a path, in the order of a reduced target. `homePage` is the product at `/`, if any. */
export const parametersAt = (path: string, homePage: string): readonly string[] => {
  const isChangelog = homePage !== '' && (path === SITE.home || path === HOME_AS_MARKDOWN)
  return (isChangelog ? ROUTES.changelogPage : routeAt(path))?.parameters ?? []
}

const PUBLIC_PREFIX = `${PUBLIC_API}/`

/** How the pipeline treats the requests for a path, even if it has no route. */
export interface Treatment {
  /** `other` if there can be no route. */
  readonly surface: Surface
  /** Clients may prefer Markdown there. */
  readonly isPage: boolean
  /** Errors are Markdown, whatever clients prefer. */
  readonly isText: boolean
}

const PUBLIC: Treatment = { surface: 'public', isPage: false, isText: false }

export function treatmentOf(path: string): Treatment {
  // Almost all requests.
  if (path.startsWith(PUBLIC_PREFIX)) return PUBLIC
  const { surface, form } = BY_PATH.get(path) ?? routeLike(path) ?? { surface: 'other' }
  const isPage = form === 'page'
  // A version may be labelled `notes.md`, and its page is one.
  return { surface, isPage, isText: form === 'text' || (isPage && withoutSuffix(path) !== null) }
}

/** By the beginning and the end of a path: patterns would slow down hits. */
function routeLike(path: string): Route | undefined {
  for (const { prefix, ending, route } of NAMED)
    if (path.startsWith(prefix) && path.endsWith(ending)) return route
  return undefined
}
