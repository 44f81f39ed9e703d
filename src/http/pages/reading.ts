import type { ChangelogInfo, Cursor, VersionContent } from '../../store/port.ts'
import type { PublicReads } from '../responses/public-reads.ts'
import type { Queue } from '../responses/queue.ts'
import type { Names } from './names.ts'

/** Some versions of a changelog with their changes. */
export interface Slice {
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
 * has a turn of the event loop of its own.
 */
export async function* readSlices(
  reads: PublicReads,
  queue: Queue,
  { team, product }: Names,
  { after = null, limit = Number.POSITIVE_INFINITY, size = 20 }: SliceLimits = {},
): AsyncGenerator<Slice> {
  let position = after
  let left = limit
  for (;;) {
    const page = { limit: Math.min(size, left), after: position, since: null, withChanges: true }
    const read = await reads.changelog(team, product, page)
    if (!read) return
    yield { changelog: read, versions: read.versions as VersionContent[], next: read.next }
    position = read.next
    left -= size
    if (!position || left <= 0) return
    await queue(() => {})
  }
}
