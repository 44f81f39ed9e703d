import type { Tool } from '../tool.ts'
import { compareVersions } from './compare-versions.ts'
import { getChangelog } from './get-changelog.ts'
import { getVersion } from './get-version.ts'
import { listChangelogs } from './list-changelogs.ts'
import { searchChangelog } from './search.ts'

export const TOOLS: readonly Tool[] = [
  listChangelogs,
  getChangelog,
  getVersion,
  compareVersions,
  searchChangelog,
]
