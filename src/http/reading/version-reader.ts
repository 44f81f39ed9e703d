import type { Audience, Stamped, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { createQueue } from '../cache/queue.ts'
import { changesJson } from './contents.ts'
import { filled, type JsonBody, versionEnvelope } from './serialize.ts'
import { isPartial, MAX_CHANGES } from './slices.ts'
import { readUnchanged } from './unchanged.ts'

/** The version that has another label now than the one it was asked for by. */
export interface Moved {
  movedTo: { id: string; label: string }
}

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
