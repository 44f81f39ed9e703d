import type { MarkdownChangelog } from './keepachangelog/read.ts'
import { DEFAULT_TYPE, type ParsedVersion } from './parsed.ts'

/**
 * In a file with nothing but a line for most versions, `1.2.0 - Mend the door` or a row of a table, the text beside a number
 * is what changed, and no title.
 */
export function withTitlesAsChanges(parsed: MarkdownChangelog): MarkdownChangelog {
  const lines = parsed.versions.filter(isLine)
  if (lines.length < LEAST || lines.length * 4 < parsed.versions.length * 3) return parsed
  const isChanged = new Set(lines)
  const versions = parsed.versions.map((version) =>
    isChanged.has(version)
      ? {
          ...version,
          title: version.label,
          changes: [{ type: DEFAULT_TYPE, title: version.title, description: null }],
        }
      : version,
  )
  return { ...parsed, versions }
}

/** Fewer may have names, and no changes yet. */
const LEAST = 3

const isLine = ({ label, title, description, closing, changes }: ParsedVersion): boolean =>
  changes.length === 0 &&
  description === null &&
  !closing &&
  !title.includes(label) &&
  /\p{L}{2}/u.test(title)
