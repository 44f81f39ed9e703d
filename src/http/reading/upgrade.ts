import type { Change } from '../../domain/records.ts'
import { isListedAside, type Kind } from '../../domain/versions/kinds.ts'
import { isOfKind, urgentKindOf } from '../../domain/versions/marks.ts'
import {
  changesOf,
  foldedOn,
  judgeUpgrade,
  type PassedChange,
  type PassedRelease,
  type Step,
  type Verdict,
  withIntroduction,
} from '../../domain/versions/verdict.ts'
import { showChange } from '../../notes/release.ts'
import { type Form, PAGE_LENGTH, WHOLE, type WrittenChange, writeGroups } from '../../notes/writing.ts'
import {
  type ChangelogInfo,
  type Cursor,
  dateOf,
  type LabelRange,
  type VersionContent,
} from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import type { Marked } from '../html/standing.ts'
import { ApiError } from '../request/errors.ts'
import type { Names } from './names.ts'
import type { Filter } from './search.ts'
import { isMuch, lengthOf, MAX_CHANGES, readFurther, readSlices, type Source } from './slices.ts'

/** The order of kinds on an upgrade page: first those that need work. */
export const URGENT_KINDS = ['breaking', 'security', 'removed', 'deprecated'] as const satisfies Kind[]
export const UPGRADE_KINDS: readonly Kind[] = [...URGENT_KINDS, 'added', 'changed', 'fixed', 'other']

/** How many changes of a kind are shown at first. Breaking and security changes are not cut. */
const SHOWN = 25

const MAX_LABELS = 250

export interface VersionName {
  id: string
  label: string
}

export type UpgradeRange = LabelRange & Partial<Pick<Filter, 'prereleases'>>

export interface Upgrade {
  info: ChangelogInfo
  /** The label it ends with. */
  to: string
  /** About one kind alone, if the request names one. */
  verdict: Verdict
  /** Its ends that are yanked. */
  yanked: Marked[]
  /** Where the rest begins, if this is not all. */
  next: Cursor | null
}

/**
 * A page of the releases between two labels, perhaps with one kind of changes only; or the missing label; null if there is no such
 * changelog. Throws `bad_request` if `from` is not below `to`.
 */
export async function readUpgrade(
  source: Source,
  between: UpgradeRange,
  kind: Kind | null,
  after: Cursor | null,
): Promise<Upgrade | { missingLabel: string } | null> {
  const passed: PassedRelease[] = []
  let begun: { info: ChangelogInfo; to: string; ends: (VersionContent | null)[] } | null = null
  let characters = 0
  let count = 0
  let previous: Cursor | null = null
  const { prereleases = null } = between
  const upgradeUntil = (next: Cursor | null): Upgrade | null => {
    if (!begun) return null
    const [start = null] = begun.ends
    const verdict = judgeUpgrade(between.from, start && dateOf(start), passed)
    const yanked = begun.ends.flatMap((end) => (end?.yanked == null ? [] : end))
    return { ...begun, verdict, yanked, next }
  }
  for await (const slice of readSlices(source, { between, after, prereleases })) {
    if (slice.missingLabel !== undefined) return { missingLabel: slice.missingLabel }
    if (slice.isReversed) throw new ApiError('bad_request', 'from must be below to.')
    const to = slice.upTo ?? between.to ?? between.from ?? ''
    begun ??= { info: slice, to, ends: await readEnds(source, between.from, to) }
    for (const version of slice.versions) {
      const all = [...version.changes]
      for await (const part of readFurther(source, version)) all.push(...part)
      characters += lengthOf(all)
      const shown = withIntroduction(version, all)
      const changes = kind === null ? shown : shown.filter((change) => isOfKind(change, [kind]))
      const folded = foldedOn(begun.ends[1] ?? { label: to }, version, all)
      count += kind === null || folded ? 0 : changes.length
      // A release that does not fit starts the next page, unless it is longer than a page.
      if (count > MAX_CHANGES && previous && count > changes.length) return upgradeUntil(previous)
      const { id, label, title } = version
      passed.push({ id, label, title, date: dateOf(version), folded, changes })
      previous = version
      const isLast = slice.next === null && version === slice.versions.at(-1)
      if (count >= MAX_CHANGES) return upgradeUntil(isLast ? null : version)
    }
    if (isMuch(passed.length, characters) || slice.versions.length === 0) return upgradeUntil(slice.next)
  }
  return upgradeUntil(null)
}

/** The newest labels, to choose from; others can be in the address of an upgrade. */
export async function readLabels({ ask }: Reads, { team, product }: Names): Promise<string[]> {
  const range = { limit: MAX_LABELS, after: null, since: null, withChanges: false }
  const list = await ask('readChangelog', 'public', team, product, range)
  return (list?.versions ?? []).map(({ label }) => label)
}

/** The versions that the labels lead to, as far as this audience may see them. */
const readEnds = ({ reads, audience, team, product }: Source, from: string | undefined, to: string) =>
  Promise.all(
    [from === to ? undefined : from, to].map(async (label) => {
      if (label === undefined) return null
      const range = { skip: 0, limit: 0 }
      return (await reads.ask('readVersion', audience, team, product, label, range))?.version ?? null
    }),
  )

/** Each change once, as its most urgent kind; or all of one kind. People and bumped packages come last. */
export function changesByKind({ releases }: Verdict, only: Kind | null): Map<Kind, PassedChange[]> {
  const isOwn = ({ change }: PassedChange) => only === null || isOfKind(change, [only])
  const all = changesOf(releases).filter(isOwn)
  const ordered = [false, true].flatMap((aside) =>
    all.filter(({ change }) => isListedAside(change) === aside),
  )
  return Map.groupBy(ordered, ({ change }) => only ?? urgentKindOf(change))
}

export interface WrittenPassed extends WrittenChange {
  version: PassedRelease
}

export interface WrittenStep {
  version: PassedRelease
  changes: WrittenPassed[]
}

export interface WrittenKind {
  kind: Kind
  /** All changes of this kind. */
  all: readonly PassedChange[]
  changes: WrittenPassed[]
}

export type WrittenUpgrade = Awaited<ReturnType<typeof writeUpgrade>>

/** As much as fits on a page. `level` is that of its headings; `prepare` may change a change before. */
export async function writeUpgrade(
  { verdict }: Pick<Upgrade, 'verdict'>,
  only: Kind | null,
  form: Form,
  level: number,
  prepare: (change: Change) => Change = (change) => change,
) {
  let room = PAGE_LENGTH
  const write = async (all: readonly PassedChange[], kind: Kind): Promise<WrittenPassed[]> => {
    const changes = all.map(({ change, version }) => ({ ...showChange(prepare(change)), version }))
    const group = { heading: '', kind, isAside: false, changes }
    const { groups, left } = await writeGroups(form, [group], level, { ...WHOLE, release: room })
    room = left
    return (groups[0]?.changes ?? []) as WrittenPassed[]
  }
  const steps = async (all: readonly Step[]): Promise<WrittenStep[]> => {
    const written: WrittenStep[] = []
    for (const { version, changes } of all)
      written.push({ version, changes: await write(changes.slice(0, MAX_CHANGES), 'breaking') })
    return written
  }
  const first = only === null ? verdict : { checklist: [], unmarked: [] }
  const checklist = await steps(first.checklist)
  const unmarked = await steps(first.unmarked)
  const isAbove = new Set(first.unmarked.flatMap(({ changes }) => changes.map(({ change }) => change)))
  const kinds: WrittenKind[] = []
  // A security change is listed as such, even if it breaks something too.
  const groups = changesByKind(verdict, only)
  if (only === null) groups.set('security', verdict.security).delete('breaking')
  for (const kind of UPGRADE_KINDS) {
    const all = (groups.get(kind) ?? []).filter(({ change }) => !isAbove.has(change))
    const most = only !== null || kind === 'security' ? MAX_CHANGES : SHOWN
    if (all.length > 0) kinds.push({ kind, all, changes: await write(all.slice(0, most), kind) })
  }
  return { checklist, unmarked, kinds }
}
