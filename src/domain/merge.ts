import type { ChangeDraft } from './records.ts'

/** The fields of an update that differ from the known ones. */
export const differing = <T extends object>(known: T, update: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(update).filter(([name, value]) => value !== known[name as keyof T]),
  ) as Partial<T>

/** A change as it is stored. */
export interface KnownChange extends ChangeDraft {
  id: string
}

/** What becomes of a version's changes: each wanted one in order, its id null if it is new; and the removed ids. */
export interface ChangeMerge {
  changes: (ChangeDraft & { id: string | null })[]
  removed: string[]
}

/**
 * Matches the changes of a version with those of a file. Equal ones keep their ids; the rest of both sides is
 * paired in order, as edits, which keep their ids too. What remains is new, or removed. Null if nothing differs.
 */
export function mergeChanges(
  known: readonly KnownChange[],
  wanted: readonly ChangeDraft[],
): ChangeMerge | null {
  if (
    known.length === wanted.length &&
    known.every((change, at) => isSame(change, wanted[at] as ChangeDraft))
  )
    return null
  const byContent = Map.groupBy(known, contentKey)
  const kept = wanted.map((change) => byContent.get(contentKey(change))?.shift()?.id ?? null)
  const matched = new Set(kept)
  const left = known.filter((change) => !matched.has(change.id))
  const changes = wanted.map((change, at) => ({ ...change, id: kept[at] ?? left.shift()?.id ?? null }))
  return { changes, removed: left.map((change) => change.id) }
}

const isSame = (one: ChangeDraft, other: ChangeDraft): boolean =>
  one.title === other.title && one.type === other.type && one.description === other.description

const contentKey = ({ type, title, description }: ChangeDraft): string =>
  JSON.stringify([type, title, description])
