import type { Audience, Stamped, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { createQueue } from '../cache/queue.ts'
import { changesJson } from './contents.ts'
import { filled, type JsonBody, versionEnvelope } from './serialize.ts'
import { isPartial, MAX_CHANGES } from './slices.ts'
import { readUnchanged } from './unchanged.ts'

export interface Moved {
  movedTo: { id: string; label: string }
}

/** Reads versions as JSON. Many changes are read in parts, each in its own turn of the event loop. */
export function createVersionReader(store: Store, cache: Cache) {
  const queue = createQueue()

  /** The version, or where it is now if it was asked for by a former label; null if this audience may see none. */
  return (
    audience: Audience,
    team: string,
    product: string,
    name: string,
  ): Promise<Stamped<JsonBody | Moved | null>> =>
    readUnchanged(store, cache, async (reads) => {
      const range = { skip: 0, limit: MAX_CHANGES }
      const read = await reads.ask('readVersion', audience, team, product, name, range)
      if (!read) return null
      const { version } = read
      if (read.isFormerLabel) return { movedTo: version }
      if (!isPartial(version)) return { isLong: false, body: () => JSON.stringify(versionEnvelope(read)) }
      const changes = await changesJson({ reads, queue, audience, team, product }, version)
      const envelope = versionEnvelope({ ...read, version: { ...version, changes: [] } })
      return { isLong: true, body: () => filled(envelope, changes) }
    })
}
