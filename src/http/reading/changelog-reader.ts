import { pick } from '../../domain/objects.ts'
import type { ChangelogRead } from '../../store/store.ts'
import {
  changelogEnvelope,
  changelogOpening,
  LIST_END,
  type ListJson,
  versionEntry,
} from '../api/serialize.ts'
import { readContents } from './contents.ts'
import type { RequestedPage } from './paging.ts'
import type { Reads } from './reads.ts'
import { readSummaries, type Source } from './slices.ts'

/** The most versions of a list that is read at once. */
const SHORT = 100

/** Versions without changes that are read and serialized in one turn of the event loop. */
const SLICE = 500

/** A page of a changelog as JSON, or a function that reads a long one in slices. Null if the audience may see none. */
export async function readChangelog(
  { reads, ...names }: Source,
  page: RequestedPage,
): Promise<ListJson | null | ((reads: Reads) => Promise<ListJson | null>)> {
  if (!page.withChanges) {
    const part = { ...page, limit: page.limit ?? SHORT }
    const read = await reads.ask('readChangelog', names.audience, names.team, names.product, part)
    if (page.limit !== null || !read?.next)
      return read && listJson(read, JSON.stringify(changelogEnvelope(read)))
  }
  const readLong = page.withChanges ? readContents : readVersions
  return (reads) => readLong({ reads, ...names }, page)
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
