import { type Static, Type } from '@sinclair/typebox'
import type { ChangeDraft } from '../domain/records.ts'
import { typeFromHeading } from '../domain/slug.ts'
import { changeFromText } from './changelog/changes.ts'
import { cleanVersions } from './changelog/read.ts'
import type { ChangeKind } from './changelog/sections.ts'
import { writtenTime } from './changelog/versions/dates.ts'
import { check, parseJson } from './json.ts'
import { DEFAULT_TYPE, type ParsedChangelog, type ParsedVersion, type Warning } from './parsed.ts'
import { textThat } from './schema.ts'

const isTime = (date: string): boolean => writtenTime(date) !== null

const Entry = Type.Object({
  version: Type.String({ minLength: 1, title: 'a version such as "1.2.0"' }),
  date: Type.Optional(textThat('rush-time', isTime, 'a time such as "Tue, 06 Oct 2026 00:04:37 GMT"')),
  comments: Type.Record(Type.String(), Type.Array(Type.Object({ comment: Type.String() }))),
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

/** Reads the CHANGELOG.json of Rush and beachball, without authors and commits. Throws a FormatError that names the entry. */
export function parseRush(text: string): ParsedChangelog {
  const { entries } = check(Changelog, parseJson(text.replace(/^\uFEFF/, '')))
  const warnings: Warning[] = []
  // Each entry has one line that begins with its number.
  const lines = text.split('\n').flatMap((written, at) => (/^\s*"version"/.test(written) ? at + 1 : []))
  const versions = entries.map((json, at): ParsedVersion => {
    const { version, date, comments } = check(Entry, json, `entries[${at}]: `)
    const label = version.replace(/\s+/g, ' ').trim()
    return {
      label,
      title: label,
      status: 'published',
      description: null,
      date: date === undefined ? null : writtenTime(date),
      changes: changesOf(comments),
      line: lines[at] ?? 1,
    }
  })
  cleanVersions(versions, warnings)
  return { versions, warnings: warnings.sort((a, b) => a.line - b.line) }
}

const changesOf = (comments: Static<typeof Entry>['comments']): ChangeDraft[] =>
  [...new Set([...Object.keys(KINDS), ...Object.keys(comments)])].flatMap((kind) => {
    const known = KINDS[kind] ?? { type: typeFromHeading(kind) ?? DEFAULT_TYPE }
    return (comments[kind] ?? []).flatMap(({ comment }) => changeFromText(comment, known) ?? [])
  })
