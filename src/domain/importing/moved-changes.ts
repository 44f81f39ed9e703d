import type { Change, ChangeDraft } from '../records.ts'
import { fieldHash, readImported, titleHash } from './imported.ts'
import { matchChanges, pairAlike } from './match-changes.ts'

/** A version of a file, and the changes of the stored version that it is; none if it is new. */
interface ComparedVersion {
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
 * Changes that a file moved from one version to another, by label in the file: its own version lost it, while another
 * got one with its title, or else a very similar one.
 */
export function movedChanges(versions: readonly ComparedVersion[]): Map<string, Moves> {
  const moves = new Map<string, Moves>()
  // True for nearly all versions: then nothing is hashed.
  const isAsStored = ({ version, stored }: ComparedVersion) =>
    stored?.changes.length === version.changes.length &&
    stored.changes.every(({ title }, at) => title === version.changes[at]?.title)
  const differing = versions.filter((each) => !each.version.isSummary && !isAsStored(each))
  const lost = new Map(differing.flatMap((each) => lostBy(each).toReversed()))
  if (lost.size === 0) return moves
  const move = (hash: string, { from, change }: Lost, to: string): void => {
    lost.delete(hash)
    movesOf(moves, from).leaving.add(change.id)
    movesOf(moves, to).arriving.push(change)
  }
  const fresh = differing.flatMap(freshIn).filter(({ to, hash }) => {
    const found = lost.get(hash)
    if (!found || found.from === to) return true
    move(hash, found, to)
    return false
  })
  // A change like one of its own version was edited there.
  const freshTo = Map.groupBy(fresh, ({ to }) => to)
  const edited = new Set<ChangeDraft>()
  for (const [from, gone] of Map.groupBy(lost.values(), ({ from }) => from)) {
    const arrived = (freshTo.get(from) ?? []).map(({ change }) => change)
    const matches = matchChanges(
      gone.map(({ change }) => change),
      arrived,
    )
    for (const [at, match] of matches.entries())
      if (match && lost.delete(titleHash(match))) edited.add(arrived[at] as ChangeDraft)
  }
  if (lost.size > MOST_ALIKE) return moves
  const left = [...lost]
  const open = fresh.filter(({ change }) => !edited.has(change))
  const pairs = pairAlike(
    left.map(([, { change }]) => change),
    open.map(({ change }) => change),
    ALIKE,
  )
  for (const [at, { to }] of open.entries()) {
    const [hash, found] = left[pairs[at] ?? -1] ?? []
    if (hash !== undefined && found && found.from !== to) move(hash, found, to)
  }
  return moves
}

interface Lost {
  from: string
  change: Change
}

/** Stored changes whose title the file does not have in this version, by the hash of the title. */
function lostBy({ version: { label, changes }, stored }: ComparedVersion): [string, Lost][] {
  const inFile = new Set(stored && changes.map(({ title }) => fieldHash(title)))
  return (stored?.changes ?? [])
    .filter((change) => !readImported(change.imported).isAddedByHand && !inFile.has(titleHash(change)))
    .map((change) => [titleHash(change), { from: label, change }])
}

/** Changes of the file whose title the stored version does not have. */
function freshIn({ version: { label, changes }, stored }: ComparedVersion) {
  const known = new Set(stored?.changes.flatMap((change) => [fieldHash(change.title), titleHash(change)]))
  return changes
    .map((change) => ({ to: label, change, hash: fieldHash(change.title) }))
    .filter(({ hash }) => !known.has(hash))
}

function movesOf(moves: Map<string, Moves>, label: string): Moves {
  const known = moves.get(label) ?? { arriving: [], leaving: new Set() }
  moves.set(label, known)
  return known
}
