import type { Change } from '../domain/records.ts'
import { isListedAside, type Kind } from '../domain/versions/kinds.ts'
import { isOfKind, urgentKindOf } from '../domain/versions/marks.ts'
import type { PassedChange, PassedRelease, Step, Verdict } from '../domain/versions/verdict.ts'
import { showChange, withoutHeading } from './release.ts'
import { type Form, PAGE_LENGTH, WHOLE, type WrittenChange, writeGroups } from './writing.ts'

/** The order of kinds on an upgrade page: first those that need work. */
export const URGENT_KINDS = ['breaking', 'security', 'removed', 'deprecated'] as const satisfies Kind[]
export const UPGRADE_KINDS: readonly Kind[] = [...URGENT_KINDS, 'added', 'changed', 'fixed', 'other']

/** How many changes of a kind are shown at first. Breaking and security changes are not cut. */
const SHOWN = 25
/** The most changes of a list. */
const MOST = 250

/** Each change once, as its most urgent kind; or all of one kind. People and bumped packages come last. */
export function changesByKind({ changes }: Verdict, only: Kind | null): Map<Kind, PassedChange[]> {
  const isOwn = ({ change }: PassedChange) => only === null || isOfKind(change, [only])
  const all = changes.filter(isOwn)
  const ordered = [false, true].flatMap((aside) =>
    all.filter(({ change }) => isListedAside(change) === aside),
  )
  return Map.groupBy(ordered, ({ change }) => only ?? urgentKindOf(change))
}

export interface WrittenPassed extends WrittenChange {
  version: PassedRelease
}

export type WrittenUpgrade = Awaited<ReturnType<typeof writeUpgrade>>
export type WrittenStep = WrittenUpgrade['checklist'][number]
export type WrittenKind = WrittenUpgrade['kinds'][number]

/** As much as fits on a page. `level` is that of its headings; `prepare` may change a change before. */
export async function writeUpgrade(
  verdict: Verdict,
  only: Kind | null,
  form: Form,
  level: number,
  prepare: (change: Change) => Change | Promise<Change> = (change) => change,
) {
  let room = PAGE_LENGTH
  const write = async (all: readonly PassedChange[], kind: Kind): Promise<WrittenPassed[]> => {
    const changes = await Array.fromAsync(all, async ({ change, version }) => {
      const shown = showChange(await prepare(change))
      return { ...(kind === 'removed' ? shown : withoutHeading(shown)), version }
    })
    const group = { heading: '', kind, isAside: false, changes }
    const { groups, left } = await writeGroups(form, [group], level, { ...WHOLE, release: room })
    room = left
    return (groups[0]?.changes ?? []) as WrittenPassed[]
  }
  const steps = async (all: readonly Step[], kind: Kind) => {
    const written: { version: PassedRelease; changes: WrittenPassed[] }[] = []
    for (const { version, changes } of all)
      written.push({ version, changes: await write(changes.slice(0, MOST), kind) })
    return written
  }
  const first = only === null ? verdict : { checklist: [], lookFirst: [] }
  const checklist = await steps(first.checklist, 'breaking')
  // These have their kinds beside them, so that a removal need not say that it is one.
  const lookFirst = await steps(first.lookFirst, 'removed')
  const isAbove = new Set(first.lookFirst.flatMap(({ changes }) => changes.map(({ change }) => change)))
  /** All changes of a kind, and those that are written. */
  const kinds: { kind: Kind; all: readonly PassedChange[]; changes: WrittenPassed[] }[] = []
  // A security change is listed as such, even if it breaks something too.
  const groups = changesByKind(verdict, only)
  if (only === null) groups.set('security', verdict.security).delete('breaking')
  for (const kind of UPGRADE_KINDS) {
    const all = (groups.get(kind) ?? []).filter(({ change }) => !isAbove.has(change))
    const most = only !== null || kind === 'security' ? MOST : SHOWN
    if (all.length > 0) kinds.push({ kind, all, changes: await write(all.slice(0, most), kind) })
  }
  return { checklist, lookFirst, kinds }
}
