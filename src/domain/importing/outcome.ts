import type { Change } from '../records.ts'
import { changeTexts } from '../versions/texts.ts'
import { columnsOf, VERSION_FIELDS, type VersionField } from './correction.ts'
import { changeFields } from './imported.ts'
import type { KnownVersion } from './merge.ts'
import type { ChangeMerge } from './merge-changes.ts'

export const NO_CHANGES = { added: 0, changed: 0, removed: 0, moved: false }

/** The edited fields, as reports name them. */
export const updatedFields = (update: Partial<KnownVersion>): VersionField[] =>
  VERSION_FIELDS.filter((field) => columnsOf(field).some((column) => column in update))

/** How many changes a merge adds, changes and removes, and whether it moves stored ones. */
export function countChanges(known: readonly Change[], { changes, removed }: ChangeMerge): typeof NO_CHANGES {
  const byId = new Map(known.map((change, at) => [change.id, { change, at }]))
  const counts = { ...NO_CHANGES, removed: removed.length }
  let last = -1
  for (const change of changes) {
    const before = change.id === null ? undefined : byId.get(change.id)
    if (before === undefined) counts.added++
    else {
      const after = changeFields({ ...changeTexts(before.change), ...change })
      if (!Bun.deepEquals(changeFields(before.change), after)) counts.changed++
      counts.moved ||= before.at < last
      last = before.at
    }
  }
  return counts
}
