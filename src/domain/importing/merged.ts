import type { Change, Instant, Version } from '../records.ts'
import { type Correction, columnsOf, VERSION_FIELDS } from './correction.ts'
import { fieldHash, isByHand, readImported, versionFields, writeImported } from './imported.ts'
import {
  type DraftedVersion,
  type IncomingVersion,
  type KnownVersion,
  mergeVersion,
  textsInFile,
} from './merge.ts'
import { type ChangeMerge, mergedChanges } from './merge-changes.ts'

export interface MergeOptions {
  now: Instant
  /** Whether the file replaces edits. */
  overwrite: boolean
}

export interface Merged {
  fields: Partial<KnownVersion>
  /** Null if nothing differs. */
  changes: ChangeMerge | null
  /** The text to store: see imported.ts. */
  imported: string | null
  corrections: Correction[]
}

/** Merges an incoming version into a stored one. Without differences `fields` is empty, and `changes` is null. */
export function merged(
  known: KnownVersion,
  stored: readonly Change[],
  incoming: IncomingVersion,
  { now, overwrite }: MergeOptions,
): Merged {
  const changes = mergedChanges(stored, incoming, known.imported, overwrite)
  if (incoming.from === 'export') {
    const fields = mergeVersion(known, incoming, now) ?? {}
    const imported = incoming.version.imported ?? null
    return { fields, changes: changes.merge, imported, corrections: [] }
  }
  const version = mergeCorrectedVersion(known, incoming, now, overwrite)
  version.fields.delete('order')
  if (changes.order !== undefined) version.fields.set('order', changes.order)
  return {
    fields: version.update,
    changes: changes.merge,
    imported: writeImported({ isAddedByHand: false, fields: version.fields, deleted: changes.deleted }),
    corrections: [...version.corrections, ...changes.corrections],
  }
}

/** Merges a version of a file into a stored one. Edits that the file lacks stay, unless `overwrite`. `fields` are hashes to store. */
function mergeCorrectedVersion(
  known: KnownVersion,
  incoming: DraftedVersion,
  now: Instant,
  overwrite: boolean,
): { update: Partial<KnownVersion>; corrections: Correction[]; fields: Map<string, string> } {
  const imported = readImported(known.imported)
  const corrections: Correction[] = []
  if (imported.fields.size === 0)
    return { update: mergeVersion(known, incoming, now) ?? {}, corrections, fields: imported.fields }

  const { label } = incoming.version
  const isRelabelled = imported.fields.get('label') === fieldHash(label) && known.label !== label
  const asInFile = isRelabelled && overwrite ? { ...known, label } : known
  const update: Partial<Version> = {
    ...mergeVersion(asInFile, incoming, now),
    ...(isRelabelled && { label }),
  }
  const present = versionFields(known)
  const inFile = wordsOf(known, incoming)
  for (const field of VERSION_FIELDS) {
    if (!imported.fields.has(field)) continue
    const differs = columnsOf(field).some((column) => column in update)
    // On release, the label, status and date of the unreleased draft no longer matter.
    const isPast = incoming.continues?.isRenamed && ['label', 'status', 'date'].includes(field)
    if (!isPast && differs && isByHand(imported, field, present[field])) {
      corrections.push({ change: null, what: field })
      if (!overwrite) {
        for (const column of columnsOf(field)) delete update[column]
        continue
      }
    }
    if (differs || inFile[field] === present[field]) imported.fields.delete(field)
  }
  // Status and date of a schedule belong together: with only one of them, the version might go public too early.
  if (known.scheduled && !overwrite && corrections.some(({ what }) => what === 'status' || what === 'date'))
    for (const column of [...columnsOf('status'), ...columnsOf('date')]) delete update[column]
  return { update, corrections, fields: imported.fields }
}

/** The values in a file; undefined where it has none. */
const wordsOf = (known: KnownVersion, { version }: DraftedVersion) => ({
  label: version.label,
  title: version.title === version.label ? known.label : version.title,
  ...textsInFile(version, known),
  status: version.scheduled ? 'published' : version.status,
  date: version.date ?? undefined,
})
