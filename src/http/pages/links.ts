import { changelogPagePath } from '../../domain/paths.ts'
import { type ChangelogInfo, LATEST } from '../../store/port.ts'

/** The names under a changelog that are not versions. */
export const FEEDS = { atom: 'feed.atom', rss: 'feed.rss', json: 'feed.json' } as const
export const MARKDOWN = 'CHANGELOG.md'

const FIXED: ReadonlySet<string> = new Set([...Object.values(FEEDS), MARKDOWN, LATEST])

export const changelogLink = ({ team, product }: ChangelogInfo): string =>
  changelogPagePath(team.slug, product.slug)

/** The path of a version's page: by its label, unless that is taken or, as `..`, cannot be in a path. */
export const versionLink = (changelog: ChangelogInfo, version: { id: string; label: string }): string =>
  `${changelogLink(changelog)}/${isOwnName(version.label) ? encodeURIComponent(version.label) : version.id}`

/** Whether a version is found by this label. */
export const isOwnName = (label: string): boolean => !FIXED.has(label) && label !== '.' && label !== '..'
