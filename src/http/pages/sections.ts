import type { Change } from '../../domain/records.ts'
import { countKinds, type KindCounts, readCounts } from '../../domain/versions/derived.ts'
import { isBreaking, isListedAside, type Kind, kindOf } from '../../domain/versions/kinds.ts'
import type { VersionContent } from '../../store/store.ts'
import type { Words } from './languages/words.ts'
import { headingOf } from './templates/kinds.ts'

/** Changes under one heading. */
export interface Group {
  heading: string
  kind: Kind
  /** Whether it lists people or bumped packages, which is shown last. */
  isAside: boolean
  changes: Change[]
}

/** The kinds that a release is marked with. */
export const BADGES = ['breaking', 'security'] as const

export const badgesOf = (counts: KindCounts): Kind[] => BADGES.filter((kind) => counts.has(kind))

/** Of all its changes, of which only the first may have been read. */
export const countsOf = ({ kinds, changes }: Pick<VersionContent, 'kinds' | 'changes'>): KindCounts =>
  readCounts(kinds) ?? countKinds(changes)

/** Changes by heading: Breaking first, then Security, then in the author's order, and what is aside last. */
export function groupChanges(words: Words, changes: readonly Change[]): Group[] {
  let previous: Change | undefined
  let heading = ''
  const groups = [
    ...Map.groupBy(changes, (change) => {
      const isSame = previous?.type === change.type && previous.typeLabel === change.typeLabel
      if (!isSame) heading = headingOf(words, change)
      previous = change
      return heading
    }),
  ].map(([heading, own]): Group => {
    const first = own[0] as Change
    return {
      heading,
      kind: kindOf(first.type, first.typeLabel),
      isAside: isListedAside(first),
      changes: own,
    }
  })
  return groups.sort((one, other) => rank(one) - rank(other))
}

const rank = ({ kind, isAside }: Group): number =>
  kind === 'breaking' ? 0 : kind === 'security' ? 1 : isAside ? 3 : 2

/**
 * At most `most` changes, and whatever is breaking or about security, even if that is more. The others share what is
 * left: each heading has its first change before any has a second, and what is aside comes last.
 */
export function clampGroups(groups: readonly Group[], most: number): Group[] {
  const isUrgent = (group: Group, change: Change) => group.kind === 'security' || isBreaking(change)
  const chosen = new Set(groups.flatMap((group) => group.changes.filter((change) => isUrgent(group, change))))
  for (const aside of [false, true]) {
    const waiting = groups
      .filter(({ isAside }) => isAside === aside)
      .map(({ changes }) => changes.filter((change) => !chosen.has(change)))
    for (let turn = 0; waiting.some(({ length }) => length > turn); turn++)
      for (const changes of waiting) {
        const next = changes[turn]
        if (chosen.size < most && next) chosen.add(next)
      }
  }
  return groups
    .map((group) => ({ ...group, changes: group.changes.filter((change) => chosen.has(change)) }))
    .filter(({ changes }) => changes.length > 0)
}
