import { changelogPagePath, publicChangelogPath, versionPagePath } from '../domain/addresses/paths.ts'
import type { EventType } from '../domain/hooks.ts'
import type { Instant, Product } from '../domain/records.ts'
import type { PublicVersion } from '../store/records/types.ts'

/** What a hook is told, before it is written for its kind. */
export type Message = { at: Instant } & (
  | { type: 'version.published' | 'version.updated'; found: PublicVersion }
  /** Only what was public before: nothing else of it may be told now. */
  | { type: 'version.withdrawn'; id: string; label: string }
  /** Newest first. */
  | { type: 'versions.published'; product: Product; versions: readonly PublicVersion[] }
  | { type: 'hook.test'; id: string }
)

export type MessageType = EventType | 'hook.test'

/** Addresses of what a message is about. */
export interface Links {
  changelog(product: Product): { url: string; apiUrl: string }
  version(found: PublicVersion): { url: string; apiUrl: string }
}

/** `base` is PUBLIC_URL. Without pages for people, links lead to the API. */
export function createLinks(base: string, hasPages: boolean): Links {
  const leading = (page: string, api: string) => ({ url: base + (hasPages ? page : api), apiUrl: base + api })
  return {
    changelog: ({ team, slug }) =>
      leading(changelogPagePath(team.slug, slug), publicChangelogPath(team.slug, slug)),
    version: ({ product: { team, slug }, version }) =>
      leading(
        versionPagePath(team.slug, slug, version),
        `${publicChangelogPath(team.slug, slug)}/versions/${version.id}`,
      ),
  }
}
