import type { Audience, ChangelogRead, Cursor, Stamped, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { createQueue } from '../cache/queue.ts'
import { readContents } from './contents.ts'
import type { RequestedPage } from './paging.ts'
import { type ChangelogBody, changelogEnvelope } from './serialize.ts'
import { VersionList } from './version-list.ts'
import { type ChangeSource, untilUnchanged } from './version-reader.ts'

/** How many versions without their changes are read and serialized in one turn of the event loop. */
const SLICE = 250

/** After a change, slices are this many times larger, so that the read ends before the next change. */
const SLICES_AFTER_CHANGE = 4

/**
 * Reads changelogs as JSON. A long one is read in slices, each in a turn of its own, so that other requests are
 * answered in between; a short one is ready at once. What was read of a long one from its beginning on is cached in at
 * most `cacheBytes`: every page of it is cut from that.
 */
export function createChangelogReader(store: Store, cache: Cache, cacheBytes: number) {
  const queue = createQueue()
  const lists = cache.map<VersionList>(cacheBytes, ({ size }, key) => size + 2 * key.length)

  /** The changelog as that audience may see it, or null if there is none for it. */
  return (
    audience: Audience,
    team: string,
    product: string,
    page: RequestedPage,
  ): Promise<Stamped<ChangelogBody | null>> => {
    const source = { store, cache, queue, audience, team, product }
    return untilUnchanged((attempt) => {
      const times = attempt === 0 ? 1 : SLICES_AFTER_CHANGE
      return page.withChanges ? readContents(source, page, times) : readVersions(source, page, times * SLICE)
    })
  }

  /** A page without the versions' changes, unless the data changes before it is complete. */
  async function readVersions(
    { audience, team, product }: ChangeSource,
    page: RequestedPage,
    size: number,
  ): Promise<Stamped<ChangelogBody | null> | 'changed'> {
    const key = `${readerOf(audience)} ${team}/${product}`
    const ends = Number(page.since !== null) + Number(page.newerThan !== undefined)
    // With two bounds, the cached list may extend past the one that is not known yet.
    const isFromBeginning = page.limit === null && page.after === null && ends < 2
    let list: VersionList | undefined
    let beyond: Cursor | undefined
    for (;;) {
      const cached = lists.get(key)
      // Another request may have read more meanwhile.
      if (cached && cached.count > (list?.count ?? 0)) {
        if (list && list.revision !== cached.revision) return 'changed'
        const value = cached.cut(page, beyond)
        if (value) return { value, revision: cached.revision }
        // It may extend past a label that it does not have: the first read tells where that is.
        if (isFromBeginning && (page.newerThan === undefined || beyond)) list = cached
      }
      const { value, revision }: Stamped<ChangelogRead | null> = await store.readChangelog(
        audience,
        team,
        product,
        { ...page, after: list?.next ?? page.after, limit: page.limit ?? size },
      )
      if (!value) return { value, revision }
      const isShort = !list && (page.limit !== null || !value.next)
      if (isShort || value.isLabelMissing) return { value: shortJson(value), revision }
      if (list && list.revision !== revision) return 'changed'
      beyond = value.beyond
      list = list?.with(value) ?? VersionList.begin(value, revision)
      // A full slice is the same for every end that a page may have.
      const isShared = isFromBeginning && (value.next !== null || ends === 0)
      const isLonger = list.count > (lists.get(key)?.count ?? 0)
      if (isShared && isLonger && list.size <= cacheBytes) lists.set(key, list, revision)
      if (value.next) await queue(() => {})
      // The last one may be newer than its stamp.
      if (cache.revision() !== revision) return 'changed'
      if (!value.next) return { value: list.whole(), revision }
    }
  }
}

const shortJson = (read: ChangelogRead): ChangelogBody => ({
  isLong: false,
  body: () => JSON.stringify(changelogEnvelope(read)),
  next: read.next,
  isLabelMissing: read.isLabelMissing ?? false,
})

/** Names the audience in the key of what is cached for it. */
export const readerOf = (audience: Audience): string => (audience === 'public' ? '' : audience.keyId)
