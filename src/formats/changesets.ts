import { Type } from '@sinclair/typebox'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { check, parseJson } from './json.ts'
import { changeFromText } from './keepachangelog/changes.ts'
import type { ChangeKind } from './keepachangelog/sections.ts'
import { FormatError, type ParsedChangelog, type ParsedVersion, UNRELEASED, type Warning } from './parsed.ts'
import { linesOf } from './text-lines.ts'

export interface ChangesetFile {
  /** Without its folder. */
  name: string
  /** How messages name it. */
  path: string
  text: string
}

/** The bumps, largest first, with the headings that changesets writes. */
const KINDS = {
  major: { type: 'major-changes', typeLabel: 'Major Changes' },
  minor: { type: 'minor-changes', typeLabel: 'Minor Changes' },
  patch: { type: 'patch-changes', typeLabel: 'Patch Changes' },
} satisfies Record<string, ChangeKind>

type Bump = keyof typeof KINDS

const BUMPS = Object.keys(KINDS) as Bump[]

interface Changeset {
  releases: { name: string; bump: Bump | 'none' }[]
  summary: string
}

export const isChangeset = (name: string): boolean =>
  name.endsWith('.md') && !name.startsWith('.') && !/^readme\.md$/i.test(name)

/** Names the changesets that a prerelease has released. */
export const PRERELEASE_FILE = 'pre.json'

/**
 * Reads pending changesets as one draft, Unreleased, with a change for each. Its type is its largest bump. If the
 * folder names several packages, those of a changeset precede its title. Changesets of a prerelease are left out.
 * Throws a FormatError that begins with file and line.
 */
export function parseChangesets(files: readonly ChangesetFile[]): ParsedChangelog {
  const released = releasedIn(files.find(({ name }) => name === PRERELEASE_FILE))
  const waiting = files
    .filter(({ name }) => isChangeset(name) && !released.has(name.slice(0, -'.md'.length)))
    .map((file) => ({ path: file.path, ...readChangeset(file) }))
  const packages = new Set(waiting.flatMap(({ releases }) => releases.map(({ name }) => name)))
  const version: ParsedVersion = {
    label: UNRELEASED,
    title: UNRELEASED,
    status: 'draft',
    date: null,
    description: null,
    changes: [],
    line: 1,
  }
  const warnings: Warning[] = []
  const bumped = Map.groupBy(waiting, ({ releases }) =>
    BUMPS.find((bump) => releases.some((release) => release.bump === bump)),
  )
  for (const bump of BUMPS)
    for (const { path, releases, summary } of bumped.get(bump) ?? []) {
      const named = releases.filter((release) => release.bump !== 'none').map(({ name }) => name)
      const change = changeFromText(summary, KINDS[bump], packages.size > 1 ? named.join(', ') : null)
      if (change === null) warnings.push({ text: path, line: 1, message: 'has no text, skipped' })
      else version.changes.push(change)
    }
  for (const { path, summary } of bumped.get(undefined) ?? [])
    if (summary !== '') warnings.push({ text: path, line: 1, message: 'releases no package, skipped' })
  return { versions: [version], warnings }
}

const EXAMPLE = 'expected the lines ---, "package-name": minor and ---, then the text of the change'

/** Enough for thousands of packages. The YAML parser takes hundreds of times this memory. */
const MOST_MATTER = 200_000

function readChangeset({ path, text }: ChangesetFile): Changeset {
  const all = linesOf(text)
  const opened = all.findIndex((line) => line.trim() !== '')
  const closed = all.findIndex((line, at) => at > opened && line.trim() === '---')
  if (all[opened]?.trim() !== '---' || closed === -1)
    throw new FormatError(`${path}: line ${opened + 1 || 1}: not a changeset; ${EXAMPLE}`)
  const matter = all.slice(opened + 1, closed).join('\n')
  const summary = all
    .slice(closed + 1)
    .join('\n')
    .trim()
  if (matter.length > MOST_MATTER)
    throw new FormatError(
      `${path}: line ${opened + 1}: more than ${MOST_MATTER.toLocaleString('en')} characters before the second ---; ${EXAMPLE}`,
    )
  const lines = new LineCounter()
  const fail = (at: number, reason: string) =>
    new FormatError(`${path}: line ${opened + 1 + lines.linePos(at).line}: ${reason}`)
  const document = parseDocument(matter, { lineCounter: lines, prettyErrors: false })
  const [error] = document.errors
  if (error) throw fail(error.pos[0], `not YAML (${error.message}); ${EXAMPLE}`)
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return { releases: [], summary }
  if (!isMap(contents)) throw fail(contents.range?.[0] ?? 0, EXAMPLE)
  const releases = contents.items.map(({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : ''
    const bump = isScalar(value) ? value.value : null
    if (name.trim() === '' || !isBump(bump)) {
      const at = isScalar(key) ? key.range?.[0] : undefined
      throw fail(
        at ?? 0,
        `expected major, minor, patch or none after the package, such as "${name || 'package-name'}": minor`,
      )
    }
    return { name, bump }
  })
  return { releases, summary }
}

const isBump = (value: unknown): value is Bump | 'none' =>
  value === 'none' || BUMPS.some((bump) => bump === value)

const Prerelease = Type.Object({
  mode: Type.String(),
  changesets: Type.Array(Type.String()),
})

/** The changesets of a prerelease. Once that mode ends, they belong to the next release. */
function releasedIn(file: ChangesetFile | undefined): Set<string> {
  if (file === undefined) return new Set()
  const { mode, changesets } = check(Prerelease, parseJson(file.text, `${file.path}: `), `${file.path}: `)
  return new Set(mode === 'pre' ? changesets : [])
}
