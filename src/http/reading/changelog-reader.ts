import type { Audience, ChangelogRead, Cursor, Stamped, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { createQueue } from '../cache/queue.ts'
import { readContents } from './contents.ts'
import { changelogKey } from './names.ts'
import { type RequestedPage, WHOLE } from './paging.ts'
import { type ChangelogBody, changelogEnvelope } from './serialize.ts'
import { readUnchanged, type UnchangedSource } from './unchanged.ts'
import { VersionList } from './version-list.ts'

/** Versions without changes that are read and serialized in one turn of the event loop. */
const SLICE = 250

/** The most versions of a changelog that is read at once: what is read of a longer one is read again. */
const SHORT = { ...WHOLE, limit: 100 }

/** After a change, slices are this many times larger, so that the read ends before the next change. */
const SLICES_AFTER_CHANGE = 4

/**
 * Reads changelogs as JSON. A long one is read in slices, each in its own turn, so that other requests are served in
 * between. What was read of a long one from its beginning is cached in at most `cacheBytes`: every page of it is cut
 * from that.
 */
export function createChangelogReader(store: Store, cache: Cache, cacheBytes: number) {
  const queue = createQueue()
  const lists = cache.map<VersionList>(cacheBytes, ({ size }, key) => size + 2 * key.length)

  return {
    /** Null if this audience may see none. */
    read: (
      audience: Audience,
      team: string,
      product: string,
      page: RequestedPage,
    ): Promise<Stamped<ChangelogBody | null>> => {
      const source = { queue, audience, team, product }
      return readUnchanged(store, cache, (reads, attempt) => {
        const times = attempt === 0 ? 1 : SLICES_AFTER_CHANGE
        return page.withChanges
          ? readContents({ ...source, reads }, page, times)
          : readVersions({ ...source, reads }, page, times * SLICE)
      })
    },

    /** All of a short one without changes; null if it is long, or the store does not read at once. */
    readNow: (audience: Audience, team: string, product: string): Stamped<ChangelogBody | null> | null => {
      if (!store.readsAtOnce || lists.get(changelogKey(audience, team, product))) return null
      const read = store.readChangelog(audience, team, product, SHORT)
      if (read instanceof Promise || read.value?.next) return null
      return { value: read.value && shortJson(read.value), revision: read.revision }
    },
  }

  /** A page without changes. */
  async function readVersions(
    { reads, audience, team, product }: UnchangedSource,
    page: RequestedPage,
    size: number,
  ): Promise<ChangelogBody | null> {
    const key = changelogKey(audience, team, product)
    const ends = Number(page.since !== null) + Number(page.newerThan !== undefined)
    // With two bounds, the cached list may extend past the one that is not known yet.
    const isFromBeginning = page.limit === null && page.after === null && ends < 2 && !page.between
    let list: VersionList | undefined
    let beyond: Cursor | undefined
    for (;;) {
      const cached = page.between ? undefined : lists.get(key)
      // Another request may have read more since.
      if (cached && cached.count > (list?.count ?? 0)) {
        const value = cached.cut(page, beyond)
        // It may extend past a label that it does not have: the first read tells where that is.
        const isBeginning = isFromBeginning && (page.newerThan === undefined || beyond !== undefined)
        if (value || isBeginning) reads.add(cached.revision)
        if (value) return value
        if (isBeginning) list = cached
      }
      const after = list?.next ?? page.after
      const slice = { ...page, after, limit: page.limit ?? size }
      const read = await reads.ask('readChangelog', audience, team, product, slice)
      if (!read) return null
      const isShort = !list && (page.limit !== null || !read.next)
      if (isShort || read.isLabelMissing || read.isReversed) return shortJson(read)
      beyond = read.beyond
      list = list?.with(read) ?? VersionList.begin(read, reads.revision())
      // A full slice is the same for every end of a page.
      const isShared = isFromBeginning && (read.next !== null || ends === 0)
      const isLonger = list.count > (lists.get(key)?.count ?? 0)
      if (isShared && isLonger && list.size <= cacheBytes) lists.set(key, list, list.revision)
      if (!read.next) return list.whole()
      await queue(() => {})
    }
  }
}

const shortJson = (read: ChangelogRead): ChangelogBody => ({
  isLong: false,
  body: () => JSON.stringify(changelogEnvelope(read)),
  next: read.next,
  isLabelMissing: read.isLabelMissing ?? false,
  isReversed: read.isReversed ?? false,
})
