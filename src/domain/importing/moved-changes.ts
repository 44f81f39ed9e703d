import type { Change, ChangeDraft } from '../records.ts'
import { fieldHash, readImported, titleHash } from './imported.ts'
import { pairAlike } from './likeness.ts'
import { matchChanges } from './match-changes.ts'

/** A version of a file, and the changes of the stored version that it is; none if it is new. */
export interface ComparedVersion {
  version: { label: string; changes: readonly ChangeDraft[]; isSummary?: true }
  stored: { changes: readonly Change[] } | null
}

/** Stored changes that came to a version, and the ids of those that left it. */
export interface Moves {
  arriving: Change[]
  leaving: Set<string>
}

/** Changes of two versions that are this much alike are the same. More than so many are not compared. */
const ALIKE = 0.8
const MOST_ALIKE = 200

/**
 * What a file moved from one version to another, by label in the file. A change is moved if its own version lost it, and
 * another one got a change with its title; or else a very similar one that is like no change of its version.
 */
export function movedChanges(versions: readonly ComparedVersion[]): Map<string, Moves> {
  const moves = new Map<string, Moves>()
  const known = versions.filter(({ version }) => !version.isSummary)
  // Nearly always nothing is gone: then nothing is kept in memory.
  if (!known.some((one) => one.stored !== null && differenceOf(one).gone.size > 0)) return moves
  const compared = known.map(differenceOf)
  const move = (from: Difference, gone: Change, to: Difference, fresh: ChangeDraft): void => {
    movesOf(moves, from.label).leaving.add(gone.id)
    movesOf(moves, to.label).arriving.push(gone)
    from.gone.delete(gone)
    to.fresh.delete(fresh)
  }

  const lost = new Map<string, { from: Difference; gone: Change }>()
  for (const from of compared)
    for (const gone of [...from.gone].toReversed()) lost.set(titleHash(gone), { from, gone })
  for (const to of compared)
    for (const fresh of [...to.fresh]) {
      const found = lost.get(fieldHash(fresh.title))
      if (!found || found.from === to) continue
      lost.delete(titleHash(found.gone))
      move(found.from, found.gone, to, fresh)
    }

  for (const { gone, fresh } of compared) {
    const open = [...fresh]
    for (const [at, match] of matchChanges([...gone], open).entries())
      if (match && gone.delete(match)) fresh.delete(open[at] as ChangeDraft)
  }
  const left = compared.flatMap((from) => [...from.gone].map((change) => ({ from, change })))
  const open = compared.flatMap((to) => [...to.fresh].map((change) => ({ to, change })))
  if (left.length > MOST_ALIKE) return moves
  const titles = (list: readonly { change: ChangeDraft }[]) => list.map(({ change }) => change)
  for (const [at, index] of pairAlike(titles(left), titles(open), ALIKE).entries()) {
    const [source, target] = [left[index ?? -1], open[at]]
    if (source && target) move(source.from, source.change, target.to, target.change)
  }
  return moves
}

interface Difference {
  label: string
  /** Stored changes whose title the file does not have in this version, and the other way round. */
  gone: Set<Change>
  fresh: Set<ChangeDraft>
}

function differenceOf({ version: { label, changes }, stored }: ComparedVersion): Difference {
  if (stored === null) return { label, gone: new Set(), fresh: new Set(changes) }
  const known = stored.changes
  if (known.length === changes.length && known.every(({ title }, at) => title === changes[at]?.title))
    return { label, gone: new Set(), fresh: new Set() }
  const inFile = new Set(changes.map(({ title }) => fieldHash(title)))
  const isStored = new Set(known.flatMap((change) => [fieldHash(change.title), titleHash(change)]))
  const isGone = (change: Change) =>
    !readImported(change.imported).isAddedByHand && !inFile.has(titleHash(change))
  return {
    label,
    gone: new Set(known.filter(isGone)),
    fresh: new Set(changes.filter(({ title }) => !isStored.has(fieldHash(title)))),
  }
}

function movesOf(moves: Map<string, Moves>, label: string): Moves {
  const known = moves.get(label) ?? { arriving: [], leaving: new Set() }
  moves.set(label, known)
  return known
}
