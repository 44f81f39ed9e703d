import type { Audience, Stamped, Store, VersionRead } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { createQueue } from '../cache/queue.ts'
import { changesJson } from './contents.ts'
import { filled, type JsonBody, versionEnvelope } from './serialize.ts'
import { isPartial, MAX_CHANGES } from './slices.ts'
import { readUnchanged } from './unchanged.ts'

export interface Moved {
  movedTo: { id: string; label: string }
}

type Found = JsonBody | Moved | null

/** Reads versions as JSON. Many changes are read in parts, each in its own turn of the event loop. */
export function createVersionReader(store: Store, cache: Cache) {
  const queue = createQueue()

  return {
    /** The version, or where it is now if it was asked for by a former label; null if this audience may see none. */
    read: (audience: Audience, team: string, product: string, name: string) =>
      readUnchanged(store, cache, async (reads): Promise<Found> => {
        const read = await reads.ask('readVersion', audience, team, product, name, FIRST)
        const whole = wholeOf(read)
        if (!read || whole !== undefined) return whole ?? null
        const changes = await changesJson({ reads, queue, audience, team, product }, read.version)
        const envelope = versionEnvelope({ ...read, version: { ...read.version, changes: [] } })
        return { isLong: true, body: () => filled(envelope, changes) }
      }),

    /** The same; null if it has many changes, or the store does not read at once. */
    readNow: (audience: Audience, team: string, product: string, name: string): Stamped<Found> | null => {
      const read = store.readsAtOnce && store.readVersion(audience, team, product, name, FIRST)
      if (!read || read instanceof Promise) return null
      const value = wholeOf(read.value)
      return value === undefined ? null : { value, revision: read.revision }
    },
  }
}

const FIRST = { skip: 0, limit: MAX_CHANGES }

/** Undefined if not all changes were read. */
function wholeOf(read: VersionRead | null): Found | undefined {
  if (!read) return null
  if (read.isFormerLabel) return { movedTo: read.version }
  return isPartial(read.version)
    ? undefined
    : { isLong: false, body: () => JSON.stringify(versionEnvelope(read)) }
}
