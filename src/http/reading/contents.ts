import type { Change } from '../../domain/records.ts'
import type { Cursor, VersionContent } from '../../store/store.ts'
import type { RequestedPage } from './paging.ts'
import { type ChangelogBody, changeEntry, changelogOpening, filled, LIST_END, versionEntry } from './serialize.ts'
import { readFurther, readSlices, type Source } from './slices.ts'
import type { UnchangedSource } from './unchanged.ts'

/** How many versions with their changes are read in one turn of the event loop: all, and to find some types. */
const SLICE = { all: 20, searched: 50 }

/** How many slices of a changelog one request searches for changes of some types. */
const MAX_SEARCHED = 50

/** A page of versions with their changes, in slices of `times` as many versions as usual. */
export async function readContents(
  source: UnchangedSource,
  page: RequestedPage,
  times: number,
): Promise<ChangelogBody | null> {
  const { types, limit } = page
  const slices = types
    ? readSlices(source, { ...page, limit: null }, times * SLICE.searched)
    : readSlices(source, page, times * SLICE.all)
  const entries: string[] = []
  let opening: string | undefined
  let isLabelMissing = false
  let next: Cursor | null = null
  let searched = 0
  for await (const slice of slices) {
    opening ??= changelogOpening(slice)
    isLabelMissing = slice.isLabelMissing ?? false
    next = slice.next
    let last: VersionContent | undefined
    for (const version of slice.versions) {
      const changes = await changesJson(source, version, types)
      if (types && changes.length === 0) continue
      if (last && entries.length === limit) {
        next = last
        break
      }
      entries.push(filled(versionEntry({ ...version, changes: [] }), changes))
      last = version
    }
    if (types && (entries.length === limit || ++searched === MAX_SEARCHED)) break
  }
  if (opening === undefined) return null
  const body = () => `${opening}${entries.join(',')}${LIST_END}`
  return { isLong: source.reads.areSeveral(), body, next, isLabelMissing }
}

/** All changes of a version in JSON, in parts; only those of these types, if there are any. */
export async function changesJson(
  source: Source,
  version: VersionContent,
  types?: readonly string[],
): Promise<string[]> {
  const parts: string[] = []
  const add = (changes: readonly Change[]) => {
    const kept = types ? changes.filter(({ type }) => types.includes(type)) : changes
    if (kept.length > 0) parts.push(JSON.stringify(kept.map(changeEntry)).slice(1, -1))
  }
  add(version.changes)
  for await (const changes of readFurther(source, version)) add(changes)
  return parts
}
