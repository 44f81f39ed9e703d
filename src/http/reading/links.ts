import { changelogPagePath, MARKDOWN, versionPagePath } from '../../domain/addresses/paths.ts'
import type { ChangelogInfo, Cursor } from '../../store/store.ts'
import { writeCursor } from './cursor.ts'

/** A path with those of these parameters that have a value, in this order. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | null | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}

export const changelogLink = ({ team, product }: ChangelogInfo): string =>
  changelogPagePath(team.slug, product.slug)

export const versionLink = (
  { team, product }: ChangelogInfo,
  version: { id: string; label: string },
): string => versionPagePath(team.slug, product.slug, version)

/** The changelog as text after this position. */
export const markdownLink = (changelog: ChangelogInfo, after: Cursor | null): string =>
  `${changelogLink(changelog)}/${MARKDOWN}${after ? `?cursor=${writeCursor(after)}` : ''}`
