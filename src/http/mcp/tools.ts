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
    description: 'Returns the notes and changes of one version, in the order of its author.',
  },
  compare_versions: {
    title: 'Compare two versions',
    description:
      'Returns what it means to go from one version to another, and every change: breaking, security, removed and deprecated first. Use it before you upgrade a dependency; breakingOnly leaves out the rest.',
  },
  search: {
    title: 'Search a changelog',
    description:
      'Finds changes of one changelog by words, such as the name of a function. The newest version comes first. To search several changelogs, call it for each: list_changelogs has their names.',
  },
}

export const INSTRUCTIONS =
  'Changelogs of software products. A changelog is named by its team and product, such as acme/app. Before an upgrade, call compare_versions with the version in use. Answers are short: where something is left out, they say how to get it.'

/** Reads of the tools that are about one changelog. */
export const READS: {
  readonly [Name in ChangelogTool]: (source: Source, given: Input[Name]) => Promise<Output[Name] | null>
} = {
  get_changelog: getChangelog,
  get_version: getVersion,
  compare_versions: compareVersions,
  search: searchChangelog,
}
