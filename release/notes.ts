import { SEEN } from './platforms.ts'
import type { Source } from './source.ts'

/** The text that announces a release: what changed, and what was tested on each platform. */
export function releaseNotes({ version, commit }: Source, changelog: string): string {
  const rows = Object.entries(SEEN).map(([name, seen]) => `| ${name} | ${seen} |`)
  return `# changelogd ${version}

Built from commit ${commit}.

${changesOf(version, changelog)}
## Platforms

| Program | What was tested |
|---|---|
${rows.join('\n')}

There is none for Windows: under Wine the command line ran, but \`serve\` returned 503 for everything.

\`SHA256SUMS\` has the sum of every file; \`changelogd-${version}.cdx.json\` lists what the program is made of (CycloneDX).
`
}

/** The section of a version in CHANGELOG.md without its heading, or what is unreleased. */
function changesOf(version: string, changelog: string): string {
  const sections = new Map(
    changelog.split(/^## \[/m).map((section) => {
      const end = section.indexOf(']')
      return [section.slice(0, end), section.slice(section.indexOf('\n') + 1).trim()]
    }),
  )
  const changes = sections.get(version) ?? sections.get('Unreleased') ?? ''
  // The notes are beside the archives, which have the pages.
  const unlinked = changes.replace(/\[([^\]]*)\]\((?!\w+:)([^)#]+)[^)]*\)/g, '$1 ($2)')
  return `${unlinked.replace(/^### /gm, '## ')}\n`
}
