import { Unavailable } from '../../domain/refusal.ts'
import type { Audience, Revision, Stamped, Store, VersionContent } from '../../store/port.ts'
import type { Cache } from '../pipeline/cache.ts'
import { createQueue, type Queue } from './queue.ts'
import { changeEntry, versionEnvelope } from './serialize.ts'

/** How many changes are read and serialized in one turn of the event loop. */
export const MAX_CHANGES = 500

/** A version as the JSON text of a response. */
export interface VersionJson {
  /** Whether the text is so long that it took more than one turn of the event loop to read. */
  isLong: boolean
  /** Puts the text together. */
  json(): string
}

/**
 * Reads versions as JSON. One with many changes is read in parts, each in a turn of its own, so that other requests are
 * answered in between; any other is ready at once.
 */
export function createVersionReader(store: Store, cache: Cache) {
  const queue = createQueue()

  /** The version as that audience may see it, or null if there is none for it. */
  return (
    audience: Audience,
    team: string,
    product: string,
    name: string,
  ): Promise<Stamped<VersionJson | null>> =>
    untilUnchanged(async () => {
      const range = { skip: 0, limit: MAX_CHANGES }
      const { value, revision } = await store.readVersion(audience, team, product, name, range)
      if (!value) return { value, revision }
      const opening = JSON.stringify(versionEnvelope(value))
      const source = { store, cache, queue, audience, team, product }
      const rest = isPartial(value.version) ? await restOfChanges(source, value.version, revision) : []
      if (rest === 'changed') return rest
      const isLong = rest.length > 0
      // The list of changes is the last field.
      const json = () => (isLong ? `${[opening.replace(/\]\}\}$/, ''), ...rest].join(',')}]}}` : opening)
      return { value: { isLong, json }, revision }
    })
}

/** Whether only the first of its changes were read. */
export const isPartial = ({ changes, changeCount }: VersionContent): boolean =>
  changes.length === MAX_CHANGES && changeCount > MAX_CHANGES

/** Where the changes of a version are read, and for whom. */
export interface ChangeSource {
  store: Store
  cache: Cache
  queue: Queue
  audience: Audience
  team: string
  product: string
}

/** All further changes of a version as JSON, a part for each turn of the event loop, unless the data changes meanwhile. */
export async function restOfChanges(
  { store, cache, queue, audience, team, product }: ChangeSource,
  { id, changeCount }: VersionContent,
  revision: Revision,
): Promise<string[] | 'changed'> {
  const parts: string[] = []
  for (let skip = MAX_CHANGES; skip < changeCount; skip += MAX_CHANGES) {
    await queue(() => {})
    if (cache.revision() !== revision) return 'changed'
    const read = await store.readVersion(audience, team, product, id, { skip, limit: MAX_CHANGES })
    if (!read.value || read.revision !== revision) return 'changed'
    parts.push(JSON.stringify(read.value.version.changes.map(changeEntry)).slice(1, -1))
  }
  // The last one may be newer than its stamp.
  return cache.revision() === revision ? parts : 'changed'
}

/** How often a read begins anew because the data has changed meanwhile, and how long it waits before the second time. */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 5

/**
 * What `work` gives once the data stays the same for as long as it takes. Throws `Unavailable` if it never does: to read
 * everything at once instead would hold up all other requests.
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
