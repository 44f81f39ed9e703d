import { isDebian } from './lines/debian.ts'
import { FormatError } from './parsed.ts'

/** The formats of files, and `changesets`, which is a folder. */
export const FORMATS = ['keepachangelog', 'github', 'gitlab', 'changesets', 'rush', 'debian', 'json'] as const
export type Format = (typeof FORMATS)[number]

/** How many bytes of a file `detectFormat` needs. */
export const HEAD_LENGTH = 64 * 1024

/**
 * Detects the format from the file name and the beginning of the text. A text is Debian's if its lines
 * have that form, else `keepachangelog`. JSON is an export if it says so, else a host's, by fields that only that host has.
 * Throws a FormatError for other JSON, which would be imported as one large paragraph.
 */
export function detectFormat(fileName: string, head: string): Format {
  const text = beginning(head)
  const isNamedJson = /\.(json|ndjson|jsonl)$/i.test(fileName)
  const isNamedText = /\.(md|markdown|mdown|txt|rst)$/i.test(fileName)
  if (isNamedText || !(isNamedJson || /^(\{\s*"|\[\s*[[{\]])/.test(text))) return textFormat(fileName, text)
  if (!/^[[{]/.test(text)) throw new FormatError(text === '' ? 'empty' : 'not valid JSON')
  if (isExport(head)) return 'json'
  if (/^\{[^{[]*"entries"\s*:\s*\[/.test(text)) return 'rush'
  if (/"(released_at|upcoming_release|tag_path|description_html)"\s*:/.test(text)) return 'gitlab'
  if (/"(published_at|prerelease|draft|tarball_url|target_commitish|tagName)"\s*:/.test(text)) return 'github'
  if (/^\[[\s[\]]*$/.test(text)) return 'github'
  throw new FormatError(
    'unknown JSON; expected a changelogd export, releases from the GitHub or GitLab API, or a Rush CHANGELOG.json',
  )
}

const textFormat = (fileName: string, text: string): 'keepachangelog' | 'debian' =>
  !/\.(md|markdown|mdown|rst)$/i.test(fileName) && isDebian(text) ? 'debian' : 'keepachangelog'

export const isExport = (head: string): boolean =>
  /^\{[^{[]*"format"\s*:\s*"changelogd"/.test(beginning(head))

const beginning = (head: string): string =>
  head
    .slice(0, HEAD_LENGTH)
    .replace(/^\uFEFF/, '')
    .trimStart()

/** The newest version of our own format that this program reads. */
const NEWEST_EXPORT = 2

/** True if an export of ours is JSON Lines, not one document. Throws a FormatError for one of a newer program. */
export function isJsonLines(head: string): boolean {
  const version = Number(/^[^[{]*\{[^[{]*"version"\s*:\s*(\d+)/.exec(head)?.[1] ?? 1)
  if (version > NEWEST_EXPORT)
    throw new FormatError(
      `a newer changelogd wrote this file (version ${version}, this program reads up to ${NEWEST_EXPORT})`,
    )
  try {
    return !('teams' in JSON.parse(head.split('\n', 1)[0] ?? ''))
  } catch {
    return version === NEWEST_EXPORT
  }
}
