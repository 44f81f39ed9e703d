import type { Change } from '../records.ts'
import type { VersionField } from './correction.ts'
import { changeFields } from './imported.ts'
import type { KnownVersion } from './merge.ts'
import type { ChangeMerge } from './merge-changes.ts'

export const NO_CHANGES = { added: 0, changed: 0, removed: 0, moved: false }

/** The edited fields, as reports name them. */
export const updatedFields = (update: Partial<KnownVersion>): VersionField[] => [
  ...(['label', 'title', 'description', 'closing'] as const).filter((name) => name in update),
  ...('status' in update || 'scheduled' in update ? (['status'] as const) : []),
  ...(['publishedAt', 'dated', 'dateKnown'].some((name) => name in update) ? (['date'] as const) : []),
]

/** How many changes a merge adds, changes and removes, and whether it moves stored ones. */
export function countChanges(known: readonly Change[], { changes, removed }: ChangeMerge): typeof NO_CHANGES {
  const byId = new Map(known.map((change, at) => [change.id, { change, at }]))
  const counts = { ...NO_CHANGES, removed: removed.length }
  let last = -1
  for (const change of changes) {
    const before = change.id === null ? undefined : byId.get(change.id)
    if (before === undefined) counts.added++
    else {
      if (!Bun.deepEquals(changeFields(before.change), changeFields(change))) counts.changed++
      counts.moved ||= before.at < last
      last = before.at
    }
  }
  return counts
}
