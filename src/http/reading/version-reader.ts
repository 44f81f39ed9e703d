import type { Change } from '../../domain/records.ts'
import { Unavailable } from '../../domain/refusal.ts'
import type { Audience, Revision, Stamped, Store, VersionContent } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { createQueue, type Queue } from '../cache/queue.ts'
import { changeEntry, type JsonBody, versionEnvelope } from './serialize.ts'

/** How many changes are read and serialized in one turn of the event loop. */
export const MAX_CHANGES = 250

/**
 * Reads versions as JSON. One with many changes is read in parts, each in a turn of its own, so that other requests are
 * answered in between; any other is ready at once.
 */
export function createVersionReader(store: Store, cache: Cache) {
  const queue = createQueue()

  /** The version as that audience may see it, or where it is if it has another label now; null if there is none for it. */
  return (
    audience: Audience,
    team: string,
    product: string,
    name: string,
  ): Promise<Stamped<JsonBody | Moved | null>> =>
    untilUnchanged(async () => {
      const range = { skip: 0, limit: MAX_CHANGES }
      const { value, revision } = await store.readVersion(audience, team, product, name, range)
      if (!value) return { value, revision }
      const { version } = value
      if (value.isFormerLabel) return { value: { movedTo: version }, revision }
      if (!isPartial(version))
        return { value: { isLong: false, body: () => JSON.stringify(versionEnvelope(value)) }, revision }
      const source = { store, cache, queue, audience, team, product }
      const changes = await allChanges(source, version, revision)
      if (changes === 'changed') return changes
      const opening = JSON.stringify(versionEnvelope({ ...value, version: { ...version, changes: [] } }))
      // The list of changes is the last field.
      const body = () => `${opening.replace(/\]\}\}$/, '')}${changes.join(',')}]}}`
      return { value: { isLong: true, body }, revision }
    })
}

/** The version that has another label now than the one it was asked for by. */
export interface Moved {
  movedTo: { id: string; label: string }
}

/** Whether a version has so many changes that only the first of them are read at once. */
export const isPartial = ({ changeCount }: VersionContent): boolean => changeCount > MAX_CHANGES

/** Where the changes of a version are read, and for whom. */
export interface ChangeSource {
  store: Store
  cache: Cache
  queue: Queue
  audience: Audience
  team: string
  product: string
}

/**
 * The changes of a version as JSON, of which the first have been read: those of these types, if there are any. Every
 * further part has a turn of the event loop of its own.
 */
export async function allChanges(
  { store, cache, queue, audience, team, product }: ChangeSource,
  { id, changes, changeCount }: VersionContent,
  revision: Revision,
  types?: readonly string[],
): Promise<string[] | 'changed'> {
  const parts = [changesJson(changes, types)]
  for (let skip = MAX_CHANGES; skip < changeCount; skip += MAX_CHANGES) {
    await queue(() => {})
    if (cache.revision() !== revision) return 'changed'
    const read = await store.readVersion(audience, team, product, id, { skip, limit: MAX_CHANGES })
    if (!read.value || read.revision !== revision) return 'changed'
    parts.push(changesJson(read.value.version.changes, types))
  }
  // The last read may be newer than its revision.
  return cache.revision() === revision ? parts.filter((part) => part !== '') : 'changed'
}

const changesJson = (changes: readonly Change[], types?: readonly string[]): string =>
  JSON.stringify(ofTypes(changes, types).map(changeEntry)).slice(1, -1)

/** The changes of these types; all of them without types. */
export const ofTypes = (changes: readonly Change[], types?: readonly string[]): Change[] =>
  changes.filter(({ type }) => types?.includes(type) ?? true)

/** How often a read is repeated because the data changed, and the pause before the first repetition. */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 5

/**
 * Repeats `work` until the data does not change while it runs. Throws `Unavailable` after the last attempt: reading
 * everything in one turn would block all other requests.
 */
export async function untilUnchanged<T extends object>(
  work: (attempt: number) => Promise<T | 'changed'>,
): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const result = await work(attempt)
    if (result !== 'changed') return result
    await Bun.sleep(FIRST_PAUSE_MS * 2 ** attempt)
  }
  throw new Unavailable('The data changes too often to read all of a long changelog or version.')
}
