import { Type } from '@sinclair/typebox'
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml'
import { changeFromText } from './changelog/changes.ts'
import type { ChangeKind } from './changelog/sections.ts'
import { check, parseJson } from './json.ts'
import { normalise } from './markdown/lines.ts'
import { FormatError, type ParsedChangelog, unreleased, type Warning } from './parsed.ts'

export interface ChangesetFile {
  /** The file name without its folder. */
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

const BUMPS = Object.keys(KINDS) as (keyof typeof KINDS)[]

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
  const packages = new Set(waiting.flatMap(({ releases }) => [...releases.keys()]))
  const version = unreleased()
  const warnings: Warning[] = []
  const bumped = Map.groupBy(waiting, ({ releases }) =>
    BUMPS.find((bump) => releases.values().some((one) => one === bump)),
  )
  for (const bump of BUMPS)
    for (const { path, releases, summary } of bumped.get(bump) ?? []) {
      const named = [...releases].flatMap(([name, one]) => (one === 'none' ? [] : name))
      const change = changeFromText(summary, KINDS[bump], packages.size > 1 ? named.join(', ') : null)
      if (change === null) warnings.push({ text: path, line: 1, message: 'has no text, skipped' })
      else version.changes.push(change)
    }
  for (const { path, summary } of bumped.get(undefined) ?? [])
    if (summary !== '') warnings.push({ text: path, line: 1, message: 'releases no package, skipped' })
  return { versions: [version], warnings }
}

const EXAMPLE = 'expected the lines ---, "package-name": minor and ---, then the text of the change'

function readChangeset({ path, text }: ChangesetFile) {
  const all = normalise(text).split('\n')
  const opened = all.findIndex((line) => line.trim() !== '')
  const closed = all.findIndex((line, at) => at > opened && line.trim() === '---')
  if (all[opened]?.trim() !== '---' || closed === -1)
    throw new FormatError(`${path}: line ${opened + 1 || 1}: not a changeset; ${EXAMPLE}`)
  const lines = new LineCounter()
  const yaml = all.slice(0, closed).with(opened, '').join('\n')
  const { contents, errors } = parseDocument(yaml, {
    lineCounter: lines,
    schema: 'failsafe',
    uniqueKeys: false,
  })
  const fail = (at = 0, reason = EXAMPLE) =>
    new FormatError(`${path}: line ${lines.linePos(at).line}: ${reason}`)
  if (errors[0]) throw fail(errors[0].pos[0])
  if (contents !== null && !isMap(contents)) throw fail(contents.range[0])
  const releases = new Map<string, (typeof BUMPS)[number] | 'none'>()
  for (const { key, value } of contents?.items ?? []) {
    if (!isScalar<string>(key) || !isScalar(value)) throw fail()
    const { value: name } = key
    const bump = [...BUMPS, 'none' as const].find((one) => one === value.value)
    if (bump === undefined)
      throw fail(
        key.range?.[0],
        `expected major, minor, patch or none after the package, such as "${name}": minor`,
      )
    if (releases.has(name)) throw fail(key.range?.[0], `"${name}" is there twice`)
    releases.set(name, bump)
  }
  const summary = all.slice(closed + 1).join('\n')
  return { releases, summary: summary.trim() }
}

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
