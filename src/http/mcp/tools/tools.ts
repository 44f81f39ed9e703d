import type { Source } from '../../reading/slices.ts'
import type { ToolOf } from '../tool.ts'
import { compareVersions } from './compare-versions.ts'
import { getChangelog } from './get-changelog.ts'
import { getVersion } from './get-version.ts'
import { listChangelogs } from './list-changelogs.ts'
import { searchChangelog } from './search.ts'

/** The tools that are about one changelog, and have its name in `changelog`. */
export const CHANGELOG_TOOLS = [
  getChangelog,
  getVersion,
  compareVersions,
  searchChangelog,
] as readonly ToolOf<Source>[]

export const TOOLS = [listChangelogs, ...CHANGELOG_TOOLS] as const
