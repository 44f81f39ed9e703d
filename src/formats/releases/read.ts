import { isWritable } from '../../domain/time.ts'
import { cleanVersions, readReleaseBody } from '../keepachangelog/read.ts'
import { CLOSE_ARRAY, COMMA, isSpace, JsonScan, OPEN_ARRAY } from '../native/json-scan.ts'
import { FormatError, type ParsedChangelog, type ParsedVersion, type Warning } from '../parsed.ts'

export type ReleaseHost = 'github' | 'gitlab'

/**
 * Reads what the releases endpoints of GitHub and GitLab answer: one list, several lists one after the other
 * (pages, as `gh api --paginate` prints them), a list of lists, or one release a line.
 *
 * - The label is the tag; a draft that has none yet is called by its name.
 * - GitHub's drafts are drafts. So are GitLab's upcoming releases, dated for the day they are planned.
 * - Prereleases are releases.
 *
 * Throws FormatError when the text is not JSON or not a list of releases.
 */
export function parseReleases(text: string, host: ReleaseHost): ParsedChangelog {
  const versions: ParsedVersion[] = []
  const warnings: Warning[] = []
  for (const { value, line } of releasesIn(text)) {
    const release = host === 'github' ? githubRelease(value, line) : gitlabRelease(value, line)
    const body = readReleaseBody(release.body, release.label)
    for (const { message } of body.warnings) warnings.push({ line, message: `${release.label}: ${message}` })
    versions.push({
      label: release.label,
      title: release.title,
      date: release.date,
      status: release.status,
      description: body.description,
      changes: body.changes,
      line,
    })
  }
  cleanVersions(versions, warnings)
  return { versions, warnings: warnings.sort((a, b) => a.line - b.line), preamble: null }
}

interface Release {
  label: string
  title: string
  date: number | null
  status: 'draft' | 'published'
  body: string
}

function githubRelease(value: Record<string, unknown>, line: number): Release {
  const isDraft = value.draft === true
  const { label, title } = names(value, line, isDraft)
  return {
    label,
    title,
    date:
      time(value.published_at, line, 'published_at') ??
      (isDraft ? null : time(value.created_at, line, 'created_at')),
    status: isDraft ? 'draft' : 'published',
    body: words(value.body),
  }
}

function gitlabRelease(value: Record<string, unknown>, line: number): Release {
  const { label, title } = names(value, line, false)
  return {
    label,
    title,
    date: time(value.released_at, line, 'released_at') ?? time(value.created_at, line, 'created_at'),
    status: value.upcoming_release === true ? 'draft' : 'published',
    body: words(value.description),
  }
}

function names(
  value: Record<string, unknown>,
  line: number,
  isDraft: boolean,
): { label: string; title: string } {
  const name = words(value.name).replace(/\s+/g, ' ').trim()
  const tag = words(value.tag_name).replace(/\s+/g, ' ').trim()
  const label = isDraft && /^(untagged-.*)?$/.test(tag) ? name || tag : tag
  if (label === '')
    throw new FormatError(
      `line ${line}: a release without tag_name; expected the answer of a releases endpoint`,
    )
  return { label, title: name || label }
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function time(value: unknown, line: number, field: string): number | null {
  if (value === null || value === undefined) return null
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at) || !isWritable(at))
    throw new FormatError(`line ${line}: ${field} ${JSON.stringify(value)} is not a time`)
  return at
}

interface Found {
  value: Record<string, unknown>
  line: number
}

/** Walks into lists, however they are nested or strung together, and reads the objects in them one by one. */
function* releasesIn(text: string): Generator<Found> {
  const bytes = new TextEncoder().encode(text.replace(/^\uFEFF/, ''))
  const scan = new JsonScan()
  const decoder = new TextDecoder()
  let line = 1
  let counted = 0
  let depth = 0
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number
    if (isSpace(byte) || byte === COMMA || byte === OPEN_ARRAY || byte === CLOSE_ARRAY) {
      if (byte === OPEN_ARRAY) depth++
      if (byte === CLOSE_ARRAY) depth--
      at++
      continue
    }
    for (; counted < at; counted++) if (bytes[counted] === NEWLINE) line++
    scan.begin(at)
    const end = scan.end(bytes, bytes.length, true)
    yield {
      value: readObject(end === -1 ? null : decoder.decode(bytes.subarray(at, Math.max(end, at + 1))), line),
      line,
    }
    at = end
  }
  if (depth !== 0) throw new FormatError('the JSON ends too early: a list is not closed')
}

const NEWLINE = 0x0a

function readObject(json: string | null, line: number): Record<string, unknown> {
  if (json === null) throw new FormatError(`line ${line}: the JSON ends too early`)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new FormatError(`line ${line}: not JSON`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new FormatError(`line ${line}: expected a release, found ${json.slice(0, 40)}`)
}
