import type {
  Audience,
  ChangelogRead,
  Cursor,
  Revision,
  Stamped,
  Store,
  VersionContent,
} from '../../store/port.ts'
import type { Cache } from '../pipeline/cache.ts'
import type { RequestedPage } from './paging.ts'
import { createQueue } from './queue.ts'
import { changelogEnvelope, versionEntry } from './serialize.ts'
import {
  allChanges,
  type ChangeSource,
  isPartial,
  MAX_CHANGES,
  ofTypes,
  untilUnchanged,
} from './version-reader.ts'

/** A changelog as the JSON text of a response. */
export interface ChangelogJson {
  /** Whether the text is so long that it took more than one turn of the event loop to read. */
  isLong: boolean
  /** Puts the text together. */
  json(): string
  /** Where the next page begins, if there is one. */
  next: Cursor | null
  /** Whether there is no version with the label that the page should be newer than. */
  lacksLabel: boolean
}

/**
 * How many versions are read and serialized in one turn of the event loop: with their changes, without them, and to
 * find those with changes of some types.
 */
const SLICE = { withChanges: 20, plain: 250, searched: 50 }

/** How many times as many they are if the data has changed meanwhile: the fewer turns, the sooner it is done. */
const SLICES_AFTER_CHANGE = 4

/** How many slices of a changelog one request searches for changes of some types. */
const MAX_SEARCHED = 50

/** Some versions of a changelog in JSON. */
interface Slice {
  /** The changelog up to its versions. */
  opening: string
  versions: string
  count: number
  /** When the last of the versions was published. */
  oldest: number
  next: Cursor | null
  lacksLabel: boolean
  /** Whether it took more than one turn by itself. */
  tookTurns: boolean
  /** The revision at which it was read. */
  revision: Revision
}

/**
 * Reads changelogs as JSON. A long one is read in slices, each in a turn of its own, so that other requests are
 * answered in between; a short one is ready at once. Full slices of complete lists are cached: lists that differ in
 * `since` alone share them.
 */
export function createChangelogReader(store: Store, cache: Cache, cacheBytes: number) {
  const queue = createQueue()
  const slices = cache.map<Slice>(
    cacheBytes,
    ({ opening, versions }, key) => 2 * (opening.length + versions.length + key.length),
  )

  /** The changelog as that audience may see it, or null if there is none for it. */
  return (
    audience: Audience,
    team: string,
    product: string,
    page: RequestedPage,
  ): Promise<Stamped<ChangelogJson | null>> =>
    untilUnchanged((attempt) =>
      readInSlices(audience, team, product, page, attempt === 0 ? 1 : SLICES_AFTER_CHANGE),
    )

  /** The same, unless the data changes before it is complete. */
  async function readInSlices(
    audience: Audience,
    team: string,
    product: string,
    page: RequestedPage,
    times: number,
  ): Promise<Stamped<ChangelogJson | null> | 'changed'> {
    const size = times * (page.types ? SLICE.searched : page.withChanges ? SLICE.withChanges : SLICE.plain)
    const source = { store, cache, queue, audience, team, product }
    const isShared =
      page.limit === null && page.after === null && page.newerThan === undefined && !page.withChanges
    const read: Slice[] = []
    let left = page.limit ?? Number.POSITIVE_INFINITY
    let next = page.after
    // The turn in which the request came is the first one.
    let hasTurn = true
    do {
      const key = `${readerOf(audience)} ${team}/${product} ${next?.publishedAt} ${next?.id}`
      let slice = isShared ? slices.get(key) : undefined
      if (!slice || slice.oldest < (page.since ?? slice.oldest)) {
        if (!hasTurn) {
          await queue(() => {})
          if (cache.revision() !== read[0]?.revision) return 'changed'
          hasTurn = true
          // Another request may have read it meanwhile.
          continue
        }
        const limit = page.types ? size : Math.min(size, left)
        const { value, revision }: Stamped<ChangelogRead | null> = await store.readChangelog(
          audience,
          team,
          product,
          { ...page, after: next, limit, maxChanges: MAX_CHANGES },
        )
        if (!value) return { value, revision }
        const made = await sliceOf(
          source,
          page.types ? select(value, page.types, left) : value,
          revision,
          page.types,
        )
        if (made === 'changed') return made
        slice = made
        hasTurn = false
        // A full slice is the same without `since`.
        if (isShared && slice.next) slices.set(key, slice, revision)
      }
      if (read[0] && read[0].revision !== slice.revision) return 'changed'
      read.push(slice)
      next = slice.next
      left -= slice.count
    } while (next && left > 0 && (!page.types || read.length < MAX_SEARCHED))
    const { revision } = read[0] as Slice
    // The last one may be newer than its stamp.
    const isConsistent = read.length === 1 || cache.revision() === revision
    return isConsistent ? { value: jsonOf(read), revision } : 'changed'
  }
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
  { versions, next, lacksLabel = false, ...changelog }: ChangelogRead,
  revision: Revision,
  types?: readonly string[],
): Promise<Slice | 'changed'> {
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
    // The list of versions is the last field.
    opening: JSON.stringify(changelogEnvelope({ ...changelog, versions: [], next })).replace(/\]\}\}$/, ''),
    // And so is the list of changes.
    versions:
      changes && kept.length > 0
        ? `${json.slice(1).replace(/\]\}\]$/, '')}${changes.join(',')}]}`
        : json.slice(1, -1),
    count: kept.length,
    oldest: versions.at(-1)?.publishedAt ?? Number.POSITIVE_INFINITY,
    next,
    lacksLabel,
    tookTurns: changes !== null,
    revision,
  }
}

const jsonOf = (slices: readonly Slice[]): ChangelogJson => ({
  isLong: slices.length > 1 || slices.some((slice) => slice.tookTurns),
  json: () => {
    const versions = slices.map((slice) => slice.versions).filter((text) => text !== '')
    return `${slices[0]?.opening}${versions.join(',')}]}}`
  },
  next: slices.at(-1)?.next ?? null,
  lacksLabel: slices[0]?.lacksLabel ?? false,
})

/** Names the audience in the key of what is cached for it. */
export const readerOf = (audience: Audience): string => (audience === 'public' ? '' : audience.keyId)
