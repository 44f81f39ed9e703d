import { repositoryOfRelease } from '../../domain/addresses/repository.ts'
import { cleanVersions } from '../keepachangelog/read.ts'
import type { ParsedChangelog, ParsedVersion, Warning } from '../parsed.ts'
import { readReleaseBody } from './body.ts'
import { githubRelease, gitlabRelease } from './hosts.ts'
import { objectsIn } from './objects.ts'

const HOSTS = { github: githubRelease, gitlab: gitlabRelease }

export type ReleaseHost = keyof typeof HOSTS

/**
 * Reads GitHub's and GitLab's releases: one list, several (pages of `gh api --paginate`), a list of lists, or one
 * release a line; and `gh release list` and `gh release view` with `--json`. The label is the tag. Throws a FormatError
 * with the line.
 */
export function parseReleases(text: string, host: ReleaseHost): ParsedChangelog {
  const versions: ParsedVersion[] = []
  const warnings: Warning[] = []
  let repository: string | null = null
  for (const found of objectsIn(text)) {
    const { body, page, ...release } = HOSTS[host](found)
    repository ??= repositoryOfRelease(page)
    const { line } = found
    if (body === null || body.trim() === '') {
      const cause = 'a release has no text, so the stored text is kept'
      warnings.push({ line, message: `${release.label} has no text, so the stored text is kept`, cause })
      versions.push({ ...release, description: null, changes: [], isSummary: true, line })
      continue
    }
    const { texts, warnings: inBody } = readReleaseBody(body, release.label, release.title)
    for (const { message, cause = message } of inBody)
      warnings.push({ line, message: `${release.label}: ${message}`, cause })
    versions.push({ ...release, ...texts, line })
  }
  cleanVersions(versions, warnings)
  return {
    versions,
    warnings: warnings.sort((a, b) => a.line - b.line),
    ...(repository !== null && { repository }),
  }
}
