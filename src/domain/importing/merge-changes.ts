import { pick } from '../objects.ts'
import type { Change, ChangeDraft } from '../records.ts'
import { CHANGE_TEXT_NAMES, changeTexts } from '../versions/properties.ts'
import type { ChangeField, Correction } from './correction.ts'
import {
  changeFields,
  contentHash,
  fieldHash,
  isByHand,
  orderOf,
  readImported,
  writeImported,
} from './imported.ts'
import { matchChanges } from './match-changes.ts'

/** The changes of a version in order, new ones without an id; and the ids of removed ones. */
export interface ChangeMerge {
  changes: WantedChange[]
  removed: string[]
}

export type WantedChange = Omit<Change, 'id'> & { id: string | null }

export interface CorrectedChanges {
  /** Null if nothing differs. */
  merge: ChangeMerge | null
  corrections: Correction[]
  /** The content hashes of changes that stay deleted. */
  deleted: string[]
  /** The hash of the imported order, if an edited order stays. */
  order: string | undefined
}

/**
 * Merges the changes of an incoming version into those of a stored one, whose `imported` is `importedText`. Edits stay,
 * unless `overwrite`. An export replaces everything: it contains earlier edits.
 */
export function mergedChanges(
  known: readonly Change[],
  { from, version }: { from: string; version: { changes: readonly ChangeDraft[]; isSummary?: true } },
  importedText?: string | null,
  overwrite = false,
): CorrectedChanges {
  const { fields, deleted } = readImported(importedText)
  const order = fields.get('order')
  const isCorrected = deleted.length > 0 || order !== undefined || known.some(({ imported }) => imported)
  if (from === 'export' || !isCorrected || version.isSummary) {
    const merge = version.isSummary ? null : mergeChanges(known, version.changes)
    return { merge, corrections: [], deleted, order }
  }
  return mergeCorrected(known, version.changes, { deleted, order, overwrite })
}

/** Merges changes. A stored change keeps its id even if it was moved or edited. Null if nothing differs. */
export function mergeChanges(
  known: readonly Change[],
  wanted: readonly Omit<Change, 'id'>[],
): ChangeMerge | null {
  // Most versions of a file are unchanged: then nothing has to be hashed.
  if (isSameList(known, wanted)) return null
  const matches = matchChanges(known, wanted)
  const kept = new Set(matches)
  return {
    changes: wanted.map((change, at) => ({ ...change, id: matches[at]?.id ?? null })),
    removed: known.filter((change) => !kept.has(change)).map(({ id }) => id),
  }
}

function mergeCorrected(
  known: readonly Change[],
  wanted: readonly ChangeDraft[],
  { deleted, order, overwrite }: Pick<CorrectedChanges, 'deleted' | 'order'> & { overwrite: boolean },
): CorrectedChanges {
  const corrections: Correction[] = []
  const stillDeleted = deletedAmong(wanted, known, deleted)
  for (const { title } of stillDeleted.keys()) corrections.push({ change: title, what: 'deleted' })
  const rest = overwrite ? wanted : wanted.filter((change) => !stillDeleted.has(change))
  const matches = matchChanges(known, rest)
  let changes = rest.map((change, at) => mergeChange(matches[at] ?? null, change, overwrite, corrections))

  const matched = new Set(matches)
  const left = known.filter((change) => !matched.has(change))
  const byHand = new Set(left.filter(isCorrectedChange))
  for (const { title, imported } of byHand)
    corrections.push({ change: title, what: readImported(imported).isAddedByHand ? 'added' : 'corrected' })
  const removed = overwrite ? left : left.filter((change) => !byHand.has(change))
  if (!overwrite) changes = inserted(changes, known, byHand)

  let keepsOrder = false
  if (order !== undefined && order !== fieldHash(orderOf(known))) {
    const ordered = inOrderOf(known, changes)
    if (ordered.some((change, at) => change !== changes[at])) {
      corrections.push({ change: null, what: 'order' })
      keepsOrder = !overwrite
      if (keepsOrder) changes = ordered
    }
  }
  const isSame = isSameList(known, changes) && changes.every(({ id }, at) => id === known[at]?.id)
  return {
    merge: isSame ? null : { changes, removed: removed.map(({ id }) => id) },
    corrections,
    deleted: overwrite ? [] : [...stillDeleted.values()],
    order: keepsOrder ? order : undefined,
  }
}

/** The changes of a file that were deleted by hand, with their hashes. */
function deletedAmong(
  wanted: readonly ChangeDraft[],
  known: readonly Change[],
  deleted: readonly string[],
): Map<ChangeDraft, string> {
  if (deleted.length === 0) return new Map()
  // Keeps as many equal changes as were deleted and are not stored again.
  const left = new Map<string, number>()
  const count = (hash: string, by: number) => left.set(hash, (left.get(hash) ?? 0) + by)
  const hashed = wanted.map((change) => [change, contentHash(change)] as const)
  for (const [, hash] of hashed) count(hash, 1)
  for (const change of known) count(contentHash(change), -1)
  const times = Map.groupBy(deleted, (hash) => hash)
  return new Map(
    hashed.filter(([, hash]) => {
      const isDeleted = (left.get(hash) ?? 0) > 0 && times.get(hash)?.pop() !== undefined
      if (isDeleted) count(hash, -1)
      return isDeleted
    }),
  )
}

/** Takes the file's values, except for fields that were edited. */
function mergeChange(
  known: Change | null,
  wanted: ChangeDraft,
  overwrite: boolean,
  corrections: Correction[],
): WantedChange {
  if (!known?.imported) return { ...wanted, id: known?.id ?? null }
  const imported = readImported(known.imported)
  const [present, inFile] = [changeFields(known), changeFields(wanted)]
  const isKept = (field: ChangeField): boolean => {
    if (present[field] === inFile[field] || !isByHand(imported, field, present[field])) {
      imported.fields.delete(field)
      return false
    }
    corrections.push({ change: known.title, what: field })
    return !overwrite
  }
  const merged = {
    id: known.id,
    ...(isKept('type') ? typeOf(known) : typeOf(wanted)),
    title: isKept('title') ? known.title : wanted.title,
    ...changeTexts(wanted),
    ...pick(known, ...CHANGE_TEXT_NAMES.filter((name) => name in wanted && isKept(name))),
  }
  const isAsInFile = isSame(merged, wanted)
  return { ...merged, imported: isAsInFile ? null : writeImported(imported) }
}

const typeOf = ({ type, typeLabel = null }: ChangeDraft) => ({ type, typeLabel })

const isCorrectedChange = (change: Change): boolean => {
  const imported = readImported(change.imported)
  return Object.entries(changeFields(change)).some(([field, value]) => isByHand(imported, field, value))
}

/** Adds stored changes, each after the one it follows in the stored order. */
function inserted(
  changes: readonly WantedChange[],
  known: readonly Change[],
  more: ReadonlySet<Change>,
): WantedChange[] {
  if (more.size === 0) return [...changes]
  const ids = new Set(changes.map(({ id }) => id))
  const following = new Map<string | null, WantedChange[]>()
  let previous: string | null = null
  for (const change of known)
    if (ids.has(change.id)) previous = change.id
    else if (more.has(change)) following.set(previous, [...(following.get(previous) ?? []), change])
  const after = (id: string | null) => following.get(id) ?? []
  return [...after(null), ...changes.flatMap((each) => (each.id === null ? each : [each, ...after(each.id)]))]
}

/** Sorts changes into the stored order, each new one after the one it follows in the file. */
function inOrderOf(known: readonly Change[], changes: readonly WantedChange[]): WantedChange[] {
  const places = new Map(known.map(({ id }, at) => [id, at]))
  let place = -1
  return changes
    .map((change) => {
      place = change.id === null ? place : (places.get(change.id) as number)
      return { change, place }
    })
    .sort((a, b) => a.place - b.place)
    .map(({ change }) => change)
}

const isSameList = (known: readonly Change[], wanted: readonly Omit<Change, 'id'>[]): boolean =>
  known.length === wanted.length &&
  known.every((change, at) => {
    const other = wanted[at] as Omit<Change, 'id'>
    return isSame(change, other) && (change.imported ?? null) === (other.imported ?? null)
  })

const isSame = (one: ChangeDraft, other: ChangeDraft): boolean =>
  one.title === other.title &&
  one.type === other.type &&
  (one.typeLabel ?? null) === (other.typeLabel ?? null) &&
  CHANGE_TEXT_NAMES.every((name) => !(name in other) || one[name] === other[name])

export const NO_CHANGES = { added: 0, changed: 0, removed: 0, moved: false }

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
