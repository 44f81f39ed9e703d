import { contentHash } from '../corrections/imported.ts'
import type { Change, ChangeDraft } from '../records.ts'
import { pairAlike } from './likeness.ts'

/**
 * Finds the stored change that each change of a file is, or null if it is new. Equal ones belong together, then those
 * that were equal when they were imported, and of the rest of both sides those that are alike.
 */
export function matchChanges(known: readonly Change[], wanted: readonly ChangeDraft[]): (Change | null)[] {
  const byContent = Map.groupBy(known, contentKey)
  const matches = wanted.map((change) => byContent.get(contentKey(change))?.shift() ?? null)
  const taken = new Set(matches)

  const edited = known.filter((change) => change.imported && !taken.has(change))
  if (edited.length > 0) {
    const byHash = Map.groupBy(edited, contentHash)
    for (const [at, change] of wanted.entries())
      if (matches[at] === null) matches[at] = byHash.get(contentHash(change))?.shift() ?? null
    for (const match of matches) taken.add(match)
  }

  const left = known.filter((change) => !taken.has(change))
  const open = [...wanted.keys()].filter((at) => matches[at] === null)
  const pairs = pairAlike(
    left,
    open.map((at) => wanted[at] as ChangeDraft),
  )
  for (const [index, at] of open.entries()) matches[at] = left[pairs[index] ?? -1] ?? null
  return matches
}

const contentKey = ({ type, title, description }: ChangeDraft): string =>
  JSON.stringify([type, title, description])
