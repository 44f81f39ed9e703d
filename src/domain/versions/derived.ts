import type { ChangeDraft } from '../records.ts'
import { isBreaking, isListedAside, KINDS, type Kind, kindOf } from './kinds.ts'
import { precedenceOf } from './precedence.ts'

/** How many changes of each kind there are, without people and bumped packages. `breaking` counts whatever breaks. */
export type KindCounts = ReadonlyMap<Kind, number>

/** What is stored beside a version because lists and ranges need it: its authors never write it. */
export const derivedOf = (label: string, changes: readonly ChangeDraft[]) => ({
  kinds: writeCounts(changes),
  precedence: precedenceOf(label),
})

/** `4:breaking=1,added=3`, behind the number of all changes. */
function writeCounts(changes: readonly ChangeDraft[]): string {
  const counts = countKinds(changes)
  return `${changes.length}:${[...counts].map(([kind, count]) => `${kind}=${count}`).join()}`
}

/** In the order of the kinds; only those that occur. */
export function countKinds(changes: readonly ChangeDraft[]): KindCounts {
  const counts = new Map<Kind, number>()
  const count = (kind: Kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  for (const change of changes) {
    const kind = kindOf(change.type, change.typeLabel)
    if (isBreaking(change)) count('breaking')
    if (kind !== 'breaking' && !isListedAside(change)) count(kind)
  }
  if (counts.size < 2) return counts
  return new Map([...counts].sort(([one], [other]) => KINDS.indexOf(one) - KINDS.indexOf(other)))
}

/** Whether a version with these counts may have changes of a kind, people and bumped packages too. */
export function mayHaveKind(kinds: string | null, kind: Kind): boolean {
  const counts = readCounts(kinds)
  if (counts === null || counts.has(kind)) return true
  const counted = [...counts].reduce((sum, [each, count]) => sum + (each === 'breaking' ? 0 : count), 0)
  return kind === 'other' && Number.parseInt(kinds ?? '', 10) > counted
}

/** The counts in `kinds`; null if they are not known. */
export const readCounts = (kinds: string | null): KindCounts | null =>
  kinds === null
    ? null
    : new Map(
        (kinds.match(/[a-z]+=\d+/g) ?? []).map((each) => {
          const [kind, count] = each.split('=')
          return [kind as Kind, Number(count)] as const
        }),
      )
