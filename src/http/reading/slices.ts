import type { Change } from '../../domain/records.ts'
import type { ChangelogInfo, Cursor, VersionContent } from '../../store/store.ts'
import type { Queue } from '../cache/queue.ts'
import type { Names } from './names.ts'
import type { PublicReads } from './public-reads.ts'
import { isPartial, MAX_CHANGES } from './version-reader.ts'

/** Some versions of a changelog with their changes; of a version with more than `MAX_CHANGES`, the first of them. */
export interface VersionSlice {
  changelog: ChangelogInfo
  versions: VersionContent[]
  /** The position after which the next slice begins, if there is one. */
  next: Cursor | null
}

/** Which versions to read, and how many of them in one turn of the event loop. */
export interface SliceLimits {
  after?: Cursor | null
  limit?: number
  size?: number
}

/**
 * The versions of a public changelog, newest first; nothing if there is no such changelog. Every slice but the first
 * has a turn of the event loop of its own, and no more than `MAX_CHANGES` changes.
 */
export async function* readSlices(
  reads: PublicReads,
  queue: Queue,
  { team, product }: Names,
  { after = null, limit = Number.POSITIVE_INFINITY, size = 20 }: SliceLimits = {},
): AsyncGenerator<VersionSlice> {
  let position = after
  let left = limit
  for (;;) {
    const page = { after: position, since: null, withChanges: true, maxChanges: MAX_CHANGES }
    const read = await reads.changelog(team, product, { ...page, limit: Math.min(size, left) })
    if (!read) return
    yield { changelog: read, versions: read.versions as VersionContent[], next: read.next }
    position = read.next
    left -= read.versions.length
    if (!position || left <= 0) return
    await queue(() => {})
  }
}

/** Gives the changes of a version that a slice left out, in parts. */
export type ReadFurther = (version: VersionContent) => AsyncGenerator<Change[]>

/** Each part has a turn of the event loop of its own. */
export const createReadFurther = (reads: PublicReads, queue: Queue, { team, product }: Names): ReadFurther =>
  async function* (version) {
    if (!isPartial(version)) return
    for (let skip = MAX_CHANGES; skip < version.changeCount; skip += MAX_CHANGES) {
      await queue(() => {})
      const read = await reads.version(team, product, version.id, { skip, limit: MAX_CHANGES })
      if (!read) return
      yield read.version.changes
    }
  }
