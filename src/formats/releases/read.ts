import { repositoryOfRelease } from '../../domain/addresses/repository.ts'
import { cleanVersions } from '../changelog/read.ts'
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
    const { line } = found
    const { label, title } = release
    repository ??= repositoryOfRelease(page)
    const { texts, warnings: inBody } = readReleaseBody(body, label, title)
    for (const { message, cause = message } of inBody)
      warnings.push({ line, message: `${label}: ${message}`, cause })
    const isSummary = body.trim() === ''
    const fate = 'has no text, so the stored text is kept'
    if (isSummary) warnings.push({ line, message: `${label} ${fate}`, cause: `a release ${fate}` })
    versions.push({ ...release, ...texts, line, ...(isSummary && { isSummary }) })
  }
  cleanVersions(versions, warnings)
  return {
    versions,
    warnings: warnings.sort((a, b) => a.line - b.line),
    ...(repository !== null && { repository }),
  }
}
