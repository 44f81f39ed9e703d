import type { ChangelogRead, Cursor, Revision, Stamped, VersionContent } from '../../store/store.ts'
import type { RequestedPage } from './paging.ts'
import { type ChangelogBody, changelogOpening, LIST_END, versionEntry } from './serialize.ts'
import { allChanges, type ChangeSource, isPartial, MAX_CHANGES, ofTypes } from './version-reader.ts'

/** How many versions with their changes are read in one turn of the event loop: all, and to find some types. */
const SLICE = { all: 20, searched: 50 }

/** How many slices of a changelog one request searches for changes of some types. */
const MAX_SEARCHED = 50

/** Some versions of a changelog in JSON. */
interface JsonSlice {
  versions: string
  count: number
  next: Cursor | null
  /** Whether it took more than one turn by itself. */
  tookTurns: boolean
}

/**
 * A page of versions with their changes, unless the data changes before it is complete. A slice has a turn of the event loop
 * of its own, and `times` as many versions as usual.
 */
export async function readContents(
  source: ChangeSource,
  page: RequestedPage,
  times: number,
): Promise<Stamped<ChangelogBody | null> | 'changed'> {
  const { store, cache, queue, audience, team, product } = source
  const size = times * (page.types ? SLICE.searched : SLICE.all)
  const slices: JsonSlice[] = []
  let begun: { opening: string; isLabelMissing: boolean; revision: Revision } | undefined
  let left = page.limit ?? Number.POSITIVE_INFINITY
  let next = page.after
  do {
    // The turn in which the request came is the first one.
    if (begun) await queue(() => {})
    if (begun && cache.revision() !== begun.revision) return 'changed'
    const limit = page.types ? size : Math.min(size, left)
    const { value, revision }: Stamped<ChangelogRead | null> = await store.readChangelog(
      audience,
      team,
      product,
      { ...page, after: next, limit, maxChanges: MAX_CHANGES },
    )
    if (!value) return { value, revision }
    begun ??= { opening: changelogOpening(value), isLabelMissing: value.isLabelMissing ?? false, revision }
    if (begun.revision !== revision) return 'changed'
    const read = page.types ? select(value, page.types, left) : value
    const slice = await sliceOf(source, read, revision, page.types)
    if (slice === 'changed') return slice
    slices.push(slice)
    next = slice.next
    left -= slice.count
  } while (next && left > 0 && (!page.types || slices.length < MAX_SEARCHED))
  const { opening, isLabelMissing, revision } = begun
  // The last one may be newer than its stamp.
  if (slices.length > 1 && cache.revision() !== revision) return 'changed'
  const body = () => {
    const versions = slices.map((slice) => slice.versions).filter((text) => text !== '')
    return `${opening}${versions.join(',')}${LIST_END}`
  }
  const isLong = slices.length > 1 || slices.some(({ tookTurns }) => tookTurns)
  return { value: { isLong, body, next, isLabelMissing }, revision }
}

/** What is left of a slice by the types of changes: at most `limit` versions, and none without such changes. */
function select(read: ChangelogRead, types: readonly string[], limit: number): ChangelogRead {
  const selected = (read.versions as VersionContent[])
    .map((version) => ({ ...version, changes: ofTypes(version.changes, types) }))
    // The rest of a partial one is not read yet.
    .filter((version) => isPartial(version) || version.changes.length > 0)
  if (selected.length <= limit) return { ...read, versions: selected }
  const versions = selected.slice(0, limit)
  return { ...read, versions, next: versions.at(-1) ?? null }
}

async function sliceOf(
  source: ChangeSource,
  { versions, next }: ChangelogRead,
  revision: Revision,
  types?: readonly string[],
): Promise<JsonSlice | 'changed'> {
  const [first] = versions
  // A partial one is alone.
  const partial = first && 'changes' in first && isPartial(first) ? first : null
  const changes = partial && (await allChanges(source, partial, revision, types))
  if (changes === 'changed') return changes
  const kept = changes?.length === 0 ? [] : versions
  const json = JSON.stringify(
    kept.map((version) => versionEntry(partial ? { ...partial, changes: [] } : version)),
  )
  return {
    versions:
      changes && kept.length > 0
        ? // The list of changes is the last field.
          `${json.slice(1).replace(/\]\}\]$/, '')}${changes.join(',')}]}`
        : json.slice(1, -1),
    count: kept.length,
    next,
    tookTurns: changes !== null,
  }
}
