import type { DirectoryRange } from '../../store/port.ts'
import type { PublicReads } from '../responses/public-reads.ts'
import type { Queue } from '../responses/queue.ts'
import type { Entry } from './templates/lists.ts'

/** How many changelogs a page lists, and how many products are looked at in one turn of the event loop. */
const PAGE_SIZE = 100
const SCANNED = 250

/** After every slug. */
export const LAST_SLUG = '~'

/** Some public changelogs. */
export interface EntryList {
  entries: [Entry, ...Entry[]]
  /** The last of them, if there are more. */
  last: Entry | null
}

/** The first public changelogs of a range, or null if there are none. */
export async function readEntries(
  reads: PublicReads,
  queue: Queue,
  range: DirectoryRange,
): Promise<EntryList | null> {
  const found: Entry[] = []
  let rest = range
  for (;;) {
    const { changelogs, end } = await reads.directory(rest, SCANNED)
    found.push(...changelogs)
    if (!end || found.length > PAGE_SIZE) break
    rest = { ...rest, ...end }
    await queue(() => {})
  }
  const [first, ...others] = found.slice(0, PAGE_SIZE)
  if (!first) return null
  return { entries: [first, ...others], last: (found.length > PAGE_SIZE && found[PAGE_SIZE - 1]) || null }
}
