import { changelogPagePath, versionPagePath } from '../../domain/paths.ts'
import type { ChangelogInfo } from '../../store/port.ts'

export const changelogLink = ({ team, product }: ChangelogInfo): string =>
  changelogPagePath(team.slug, product.slug)

export const versionLink = (
  { team, product }: ChangelogInfo,
  version: { id: string; label: string },
): string => versionPagePath(team.slug, product.slug, version)
