import type { Change, Instant } from '../records.ts'
import type { Correction } from './correction.ts'
import { writeImported } from './imported.ts'
import { type IncomingVersion, type KnownVersion, mergeVersion } from './merge.ts'
import { type ChangeMerge, mergedChanges } from './merge-changes.ts'
import { mergeCorrectedVersion } from './merge-version.ts'

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
