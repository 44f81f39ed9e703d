import { pick } from '../../domain/objects.ts'
import type { Audience, ChangelogRead, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { readContents } from './contents.ts'
import type { RequestedPage } from './paging.ts'
import { changelogEnvelope, changelogOpening, LIST_END, type ListJson, versionEntry } from './serialize.ts'
import { readSummaries, type Source } from './slices.ts'
import { readUnchanged, type SoonOrLater } from './unchanged.ts'

/** The most versions of a list that is read at once. */
const SHORT = 100

/** Versions without changes that are read and serialized in one turn of the event loop. */
const SLICE = 500

/** Reads pages of changelogs as JSON: short ones at once, others in slices. Null if an audience may see none. */
export const createChangelogReader =
  (store: Store, cache: Cache) =>
  async (
    audience: Audience,
    team: string,
    product: string,
    page: RequestedPage,
  ): Promise<SoonOrLater<ListJson | null>> => {
    if (!page.withChanges) {
      const part = { ...page, limit: page.limit ?? SHORT }
      const { value, revision } = await store.readChangelog(audience, team, product, part)
      if (page.limit !== null || !value?.next)
        return { value: value && listJson(value, JSON.stringify(changelogEnvelope(value))), revision }
    }
    return () =>
      readUnchanged(store, cache, (reads) => {
        const source = { reads, audience, team, product }
        return page.withChanges ? readContents(source, page) : readVersions(source, page)
      })
  }

async function readVersions(source: Source, page: RequestedPage): Promise<ListJson | null> {
  const parts: string[] = []
  let first: ChangelogRead | undefined
  for await (const slice of readSummaries(source, page, SLICE)) {
    first ??= slice
    if (slice.versions.length > 0) parts.push(JSON.stringify(slice.versions.map(versionEntry)).slice(1, -1))
  }
  if (!first) return null
  return listJson({ ...first, next: null }, changelogOpening(first) + parts.join(',') + LIST_END)
}

const listJson = (read: ChangelogRead, json: string): ListJson => ({
  ...pick(read, 'next', 'missingLabel', 'isReversed'),
  json,
})
