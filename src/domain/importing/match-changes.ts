import type { Change, ChangeDraft } from '../records.ts'
import { contentHash, titleHash } from './imported.ts'
import { pairAlike, pairMisspelled, type Titled } from './likeness.ts'

/**
 * The stored change that each change of a file is, or null if it is new. Equal changes match first; then edited ones
 * that were equal when they were imported, or had the same title; then those with the same title; then similar ones.
 */
export function matchChanges(known: readonly Change[], wanted: readonly ChangeDraft[]): (Change | null)[] {
  const byContent = Map.groupBy(known, contentKey)
  const matches = wanted.map((change) => byContent.get(contentKey(change))?.shift() ?? null)
  const taken = new Set(matches)

  for (const hash of [contentHash, titleHash]) {
    const corrected = known.filter((change) => change.imported && !taken.has(change))
    if (corrected.length === 0) break
    const byHash = Map.groupBy(corrected, hash)
    for (const [at, change] of wanted.entries()) {
      matches[at] ??= byHash.get(hash(change))?.shift() ?? null
      taken.add(matches[at] as Change | null)
    }
  }

  const match = (pair: typeof pairAlike): void => {
    const left = known.filter((change) => !taken.has(change))
    const open = [...wanted.keys()].filter((at) => matches[at] === null)
    if (left.length === 0 || open.length === 0) return
    const pairs = pair(
      left,
      open.map((at) => wanted[at] as ChangeDraft),
    )
    for (const [index, at] of open.entries()) {
      matches[at] = left[pairs[index] ?? -1] ?? null
      taken.add(matches[at])
    }
  }
  for (const pair of [pairTitled, pairAlike, pairMisspelled]) match(pair)
  return matches
}

/** Pairs equal titles: their types differ. */
function pairTitled(known: readonly Titled[], wanted: readonly Titled[]): (number | null)[] {
  const byTitle = Map.groupBy(known.keys(), (at) => known[at]?.title)
  return wanted.map(({ title }) => byTitle.get(title)?.shift() ?? null)
}

const contentKey = ({ type, title, description }: ChangeDraft): string =>
  JSON.stringify([type, title, description])
