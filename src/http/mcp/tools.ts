import type { Source } from '../reading/slices.ts'
import { compareVersions, getChangelog, getVersion, searchChangelog } from './answers.ts'
import type { Input, Output, ToolName } from './schemas.ts'

export type ChangelogTool = Exclude<ToolName, 'list_changelogs'>

/** Agents read these to choose a tool. */
export const DESCRIPTIONS: Readonly<Record<ToolName, { title: string; description: string }>> = {
  list_changelogs: {
    title: 'List changelogs',
    description: 'Lists the changelogs on this server, each with its newest version.',
  },
  get_changelog: {
    title: 'Read a changelog',
    description:
      'Returns the newest versions of a changelog with their changes, or only the changes of one kind. To prepare an upgrade, use compare_versions.',
  },
  get_version: {
    title: 'Read one version',
    description: 'Returns the notes and changes of one version, in the author’s order.',
  },
  compare_versions: {
    title: 'Compare two versions',
    description:
      'Summarizes an upgrade from one version to another, and lists every change: breaking, security, removed and deprecated first. Use it before you upgrade a dependency. breakingOnly omits the rest.',
  },
  search: {
    title: 'Search a changelog',
    description:
      'Finds changes of one changelog by words, such as the name of a function. The newest version comes first. To search several changelogs, call it for each. See list_changelogs.',
  },
}

export const INSTRUCTIONS =
  'Changelogs of software products. A changelog is named by its team and product, such as acme/app. Before an upgrade, call compare_versions with the version in use. Responses are short, and say how to get what they omit.'

/** Reads of the tools that are about one changelog. */
export const READS: {
  readonly [Name in ChangelogTool]: (source: Source, given: Input[Name]) => Promise<Output[Name] | null>
} = {
  get_changelog: getChangelog,
  get_version: getVersion,
  compare_versions: compareVersions,
  search: searchChangelog,
}
