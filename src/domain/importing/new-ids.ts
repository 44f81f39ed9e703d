import { idsBetween } from '../id.ts'
import type { Version } from '../records.ts'

/** Ids order versions of one date, so they must fall from the top of a file to its bottom, however it has grown. */

interface FileVersion {
  version: Pick<Version, 'label'>
  stored: Pick<Version, 'id'> | null
}

/** Ids for new versions by label, newest first. None where a new id sorts right, or where there is no room. */
export function idsOfNew(file: readonly FileVersion[]): Map<string, string> {
  const ids = new Map<string, string>()
  for (let start = 0, end = 0; start < file.length; start = end + 1) {
    end = start
    while (end < file.length && file[end]?.stored === null) end++
    const above = file[start - 1]?.stored?.id
    if (above === undefined || end === start) continue
    const below = file[end]?.stored?.id ?? null
    const run = file.slice(start, end).toReversed()
    // If stored ids contradict the file, the one above decides.
    const lower = below !== null && below < above ? below : null
    const chosen = idsBetween('ver', lower, above, run.length)
    for (const [at, { version }] of run.entries()) if (chosen?.[at]) ids.set(version.label, chosen[at])
  }
  return ids
}
