import type { Kind } from '../../domain/versions/kinds.ts'
import { isOfKind } from '../../domain/versions/marks.ts'
import { type VersionFilter, versionFilter } from '../../domain/versions/properties.ts'
import {
  foldedOn,
  judgeUpgrade,
  type PassedRelease,
  type Verdict,
  withTextsAround,
} from '../../domain/versions/verdict.ts'
import {
  type ChangelogInfo,
  type Cursor,
  dateOf,
  type LabelRange,
  type VersionContent,
} from '../../store/store.ts'
import type { Reads } from '../answers/reads.ts'
import type { Names } from './addresses.ts'
import { isMuch, lengthOf, MAX_CHANGES, readFirst, readFurther, readSlices, type Source } from './slices.ts'

/** The most labels to choose from. */
export const MAX_LABELS = 250

export type UpgradeRange = LabelRange & VersionFilter

export interface Upgrade {
  info: ChangelogInfo
  /** The labels it begins after and ends with. */
  from: string | undefined
  to: string
  /** About one kind alone, if the request names one. */
  verdict: Verdict
  /** The ends that are yanked. */
  yanked: VersionContent[]
  /** Where the rest begins, if this is not all. */
  next: Cursor | null
}

/**
 * A page of the releases between two labels, perhaps with one kind of changes only; or the missing label, or that `from` is not
 * below `to`; null if there is no such changelog.
 */
export async function readUpgrade(
  source: Source,
  between: UpgradeRange,
  kind: Kind | null,
  after: Cursor | null,
): Promise<Upgrade | { missingLabel: string } | 'reversed' | null> {
  const passed: PassedRelease[] = []
  let begun: (Pick<Upgrade, 'info' | 'from' | 'to'> & { ends: (VersionContent | null)[] }) | null = null
  let characters = 0
  let count = 0
  let previous: Cursor | null = null
  const upgradeUntil = (next: Cursor | null): Upgrade | null => {
    if (!begun) return null
    const [start = null] = begun.ends
    const verdict = judgeUpgrade(begun.from, start && dateOf(start), passed)
    const yanked = begun.ends.flatMap((end) => (end?.yanked == null ? [] : end))
    return { ...begun, verdict, yanked, next }
  }
  for await (const slice of readSlices(source, { between, after, ...versionFilter(between) })) {
    if (slice.missingLabel !== undefined) return { missingLabel: slice.missingLabel }
    if (slice.isReversed) return 'reversed'
    const to = slice.upTo ?? between.to ?? between.from ?? ''
    const from = slice.above ?? between.from
    begun ??= { info: slice, from, to, ends: await readEnds(source, from, to) }
    for (const version of slice.versions) {
      const all = [...version.changes]
      for await (const part of readFurther(source, version)) all.push(...part)
      characters += lengthOf(all)
      const shown = withTextsAround(version, all)
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
    if (isMuch({ versions: passed.length, characters }) || slice.versions.length === 0)
      return upgradeUntil(slice.next)
  }
  return upgradeUntil(null)
}

/** The newest labels, to choose from; others can be in the address of an upgrade. */
export async function readLabels(reads: Reads, names: Names): Promise<string[]> {
  const list = await readFirst(reads, names, null, { limit: MAX_LABELS })
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
