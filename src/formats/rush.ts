import { type Static, Type } from '@sinclair/typebox'
import { typeFromHeading } from '../domain/slug.ts'
import { check, parseJson } from './json.ts'
import { changeFromText } from './keepachangelog/changes.ts'
import { cleanVersions } from './keepachangelog/read.ts'
import type { ChangeKind } from './keepachangelog/sections.ts'
import { writtenTime } from './keepachangelog/versions/dates.ts'
import {
  DEFAULT_TYPE,
  FormatError,
  type ParsedChangelog,
  type ParsedVersion,
  type Warning,
} from './parsed.ts'
import { TOKEN } from './releases/objects.ts'

const Comments = Type.Array(Type.Object({ comment: Type.String() }))

const Entry = Type.Object({
  version: Type.String({ minLength: 1, title: 'a version such as "1.2.0"' }),
  date: Type.Optional(Type.String()),
  comments: Type.Record(Type.String(), Comments),
})

const Changelog = Type.Object({ entries: Type.Array(Type.Unknown()) })

/** The kinds of comments, in the order and with the headings that Rush and beachball write. */
const KINDS: Record<string, ChangeKind> = {
  major: { type: 'breaking-changes' },
  premajor: { type: 'major-changes-pre-release', typeLabel: 'Major changes (pre-release)' },
  minor: { type: 'minor-changes' },
  preminor: { type: 'minor-changes-pre-release', typeLabel: 'Minor changes (pre-release)' },
  patch: { type: 'patches' },
  prepatch: { type: 'patches-pre-release', typeLabel: 'Patches (pre-release)' },
  prerelease: { type: 'changes' },
  hotfix: { type: 'hotfixes' },
  dependency: { type: 'dependencies' },
  none: { type: 'internal' },
}

/** Reads the CHANGELOG.json of Rush and beachball, without authors and commits. Throws a FormatError with the line. */
export function parseRush(text: string): ParsedChangelog {
  const { entries } = check(Changelog, parseWhole(text))
  const lines = [...entriesIn(text)].map(({ line }) => line)
  const versions: ParsedVersion[] = []
  const warnings: Warning[] = []
  for (const [at, json] of entries.entries()) {
    const line = lines[at] ?? 1
    const entry = check(Entry, json, `line ${line}: `)
    versions.push(versionOf(entry, line))
  }
  cleanVersions(versions, warnings)
  return { versions, warnings: warnings.sort((a, b) => a.line - b.line) }
}

function versionOf({ version, date, comments }: Static<typeof Entry>, line: number): ParsedVersion {
  const label = version.replace(/\s+/g, ' ').trim()
  const kinds = Object.keys(comments).sort((a, b) => rank(a) - rank(b))
  const changes = kinds.flatMap((kind) =>
    (comments[kind] ?? []).flatMap(
      ({ comment }) => changeFromText(comment, KINDS[kind] ?? unknownKind(kind)) ?? [],
    ),
  )
  return {
    ...{ label, title: label, date: timeOf(date, line), status: 'published', description: null },
    changes,
    line,
  }
}

const ORDER = Object.keys(KINDS)

const rank = (kind: string): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length)

const unknownKind = (kind: string): ChangeKind => ({ type: typeFromHeading(kind) ?? DEFAULT_TYPE })

function timeOf(date: string | undefined, line: number): number | null {
  if (date === undefined) return null
  const instant = writtenTime(date)
  if (instant === null)
    throw new FormatError(
      `line ${line}: date must be a time such as "Tue, 06 Oct 2026 00:04:37 GMT", not ${JSON.stringify(date.slice(0, 80))}`,
    )
  return instant
}

/** An error inside an entry is reported with the line of the entry. */
function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    for (const { source, line } of entriesIn(text)) parseJson(source, `line ${line}: `)
    return parseJson(text)
  }
}

/** The JSON of each entry, and its line. */
function* entriesIn(text: string): Generator<{ source: string; line: number }> {
  let depth = 0
  let key = ''
  let start = -1
  let line = 1
  let counted = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') {
      if (depth === 2 && token === '{' && key === '"entries"') start = index
      depth++
    } else if (token === '}' || token === ']') {
      depth--
      if (depth !== 2 || start === -1) continue
      for (; counted < start; counted++) if (text[counted] === '\n') line++
      yield { source: text.slice(start, index + 1), line }
      start = -1
    } else if (depth === 1 && token.startsWith('"')) key = token
  }
}
