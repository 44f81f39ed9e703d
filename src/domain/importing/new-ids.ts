import { idsBetween } from '../id.ts'
import type { Version } from '../records.ts'

/**
 * Ids for the new versions of a file that has stored ones above them. Versions of one moment are ordered by their ids, so the
 * ids of a file's versions fall from its top to its bottom, wherever it has grown.
 */

/** A version of a file, and the stored one that it is, if it is. */
interface FileVersion {
  version: Pick<Version, 'label'>
  stored: Pick<Version, 'id'> | null
}

/**
 * The ids of new versions of a file, newest first, by their labels. Those above every stored one have none here: a new id sorts
 * above. Nor do those for which there is no room.
 */
export function idsOfNew(file: readonly FileVersion[]): Map<string, string> {
  const ids = new Map<string, string>()
  for (let start = 0, end = 0; start < file.length; start = end + 1) {
    end = start
    while (end < file.length && file[end]?.stored === null) end++
    const above = file[start - 1]?.stored?.id
    if (above === undefined || end === start) continue
    const below = file[end]?.stored?.id ?? null
    const run = file.slice(start, end).toReversed()
    // Where stored ids run against the file, what is above decides.
    const lower = below !== null && below < above ? below : null
    const chosen = idsBetween('ver', lower, above, run.length)
    for (const [at, { version }] of run.entries()) if (chosen?.[at]) ids.set(version.label, chosen[at])
  }
  return ids
}
