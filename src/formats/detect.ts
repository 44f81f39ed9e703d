import { FormatError } from './parsed.ts'

export const FORMATS = ['keepachangelog', 'github', 'gitlab', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** As much of a file as `detectFormat` wants to see. */
export const HEAD_LENGTH = 64 * 1024

/**
 * Tells the format of a file from its name and the beginning of its text. Whatever is not JSON is markdown;
 * JSON is ours when it says so, and otherwise told apart by fields only one of the hosts has. Throws
 * FormatError for JSON of neither kind, so that it is not imported as one large paragraph.
 */
export function detectFormat(fileName: string, head: string): Format {
  const text = head
    .slice(0, HEAD_LENGTH)
    .replace(/^\uFEFF/, '')
    .trimStart()
  const isNamedJson = /\.(json|ndjson|jsonl)$/i.test(fileName)
  const isNamedText = /\.(md|markdown|mdown|txt|rst)$/i.test(fileName)
  if (isNamedText || !(isNamedJson || /^(\{\s*"|\[\s*[[{\]])/.test(text))) return 'keepachangelog'
  if (/^\{[^{[]*"format"\s*:\s*"changelogd"/.test(text)) return 'json'
  if (/"(released_at|upcoming_release|tag_path|description_html)"\s*:/.test(text)) return 'gitlab'
  if (/"(published_at|prerelease|draft|tarball_url|target_commitish)"\s*:/.test(text)) return 'github'
  if (/^\[[\s[\]]*$/.test(text)) return 'github'
  throw new FormatError(
    'this JSON is neither an export of changelogd nor the answer of the GitHub or GitLab releases endpoint',
  )
}
