import type { DirectoryEntry, DirectoryRange } from '../../store/store.ts'
import type { PageReads } from '../reading/reads.ts'

const CHANGELOGS_PER_PAGE = 100

/** Sorts after every slug. */
export const LAST_SLUG = '~'

export interface DirectoryPage {
  entries: [DirectoryEntry, ...DirectoryEntry[]]
  /** The last one, if there are more. */
  last: DirectoryEntry | null
}

/** The first public changelogs of a range, or null if there are none. */
export async function readEntries(reads: PageReads, range: DirectoryRange): Promise<DirectoryPage | null> {
  // One more tells whether there is a next page.
  const found = await reads.ask('readDirectory', range, CHANGELOGS_PER_PAGE + 1)
  const [first, ...others] = found.slice(0, CHANGELOGS_PER_PAGE)
  if (!first) return null
  return {
    entries: [first, ...others],
    last: (found.length > CHANGELOGS_PER_PAGE && found[CHANGELOGS_PER_PAGE - 1]) || null,
  }
}
