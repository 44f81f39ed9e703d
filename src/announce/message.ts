import type { Config } from '../config/config.ts'
import {
  changelogPagePath,
  FEEDS,
  publicChangelogPath,
  teamPagePath,
  versionPagePath,
} from '../domain/addresses/paths.ts'
import type { Instant, Language, Product } from '../domain/records.ts'
import type { PublicVersion } from '../store/records/types.ts'

/** A message, before it is written for a kind of hook. */
export type Message = { at: Instant } & (
  | { type: 'version.published' | 'version.updated'; found: PublicVersion }
  /** A hidden version: only facts that were public may be told. */
  | { type: 'version.withdrawn'; id: string; label: string; product: string | null }
  /** Newest first. */
  | { type: 'versions.published'; product: Product; versions: readonly PublicVersion[] }
  | { type: 'hook.test'; id: string; name: string }
)

/** Addresses in a message. */
export type Links = ReturnType<typeof createLinks>

/** The feeds that change with a release: those of its product, of its team and of all products. */
export const FEED_SCOPES = ['product', 'team', 'site'] as const
type FeedScope = (typeof FEED_SCOPES)[number]

/** Feeds are `team feed.atom` in deliveries. */
export const feedLabels = (scope: FeedScope): string[] =>
  Object.values(FEEDS).map((name) => `${scope} ${name}`)

/** How mail looks, as pages do. */
type Look = Pick<Config, 'siteLanguage' | 'brandColor'>
const USUAL_LOOK: Look = { siteLanguage: 'en', brandColor: '#3b5bdb' }

/** `base` is PUBLIC_URL. Without pages for people, links lead to the API. A language is that of people who get mail. */
export function createLinks(base: string, pages: Config['pages'], look: Look = USUAL_LOOK) {
  const leading = (page: string, api: string) => ({
    url: base + (pages === 'off' ? api : page),
    apiUrl: base + api,
  })
  return {
    base,
    language: (product: Product | null): Language => product?.language ?? look.siteLanguage,
    brandColor: look.brandColor,
    changelog: ({ team, slug }: Product) =>
      leading(changelogPagePath(team.slug, slug), publicChangelogPath(team.slug, slug)),
    version: ({ product: { team, slug }, version }: PublicVersion) =>
      leading(
        versionPagePath(team.slug, slug, version),
        `${publicChangelogPath(team.slug, slug)}/versions/${version.id}`,
      ),
    /** Feeds by label; null if there is no such feed. */
    feed: (label: string, { team, slug }: Product): string | null => {
      const [scope, name] = label.split(' ') as [FeedScope, string]
      if (pages === 'off' || (pages === 'unlisted' && scope !== 'product')) return null
      const paths = { product: changelogPagePath(team.slug, slug), team: teamPagePath(team.slug), site: '' }
      return `${base}${paths[scope]}/${name}`
    },
  }
}
