import type { Cursor, Store, VersionContent } from '../../store/port.ts'
import type { Queue } from '../responses/queue.ts'

/** Some versions of a changelog with their changes. */
export interface Slice {
  versions: VersionContent[]
  /** The position after which the next slice begins, if there is one. */
  next: Cursor | null
}

/** How many versions are read in one turn of the event loop. */
const SLICE = 20

/**
 * The versions of a public changelog after a position, newest first. Every slice but the first has a turn of the event
 * loop of its own.
 */
export async function* readSlices(
  store: Store,
  queue: Queue,
  { team, product }: { team: string; product: string },
  after: Cursor | null = null,
  size = SLICE,
): AsyncGenerator<Slice> {
  let position = after
  for (;;) {
    const page = { limit: size, after: position, since: null, withChanges: true }
    const read = await store.readChangelog('public', team, product, page)
    if (!read) return
    yield { versions: read.versions as VersionContent[], next: read.next }
    position = read.next
    if (!position) return
    await queue(() => {})
  }
}
