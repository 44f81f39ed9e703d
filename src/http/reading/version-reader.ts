import type { Audience, Store } from '../../store/store.ts'
import type { Cache } from '../cache/cache.ts'
import { changesJson } from './contents.ts'
import { filled, versionEnvelope } from './serialize.ts'
import { isPartial, MAX_CHANGES } from './slices.ts'
import { readUnchanged, type SoonOrLater } from './unchanged.ts'

export interface Moved {
  movedTo: { id: string; label: string }
}

/** The first changes. */
const FIRST = { skip: 0, limit: MAX_CHANGES }

/**
 * Reads versions as JSON, those with many changes in parts; or where one is now, if it was asked for by a former label. Null if
 * an audience may see none.
 */
export const createVersionReader =
  (store: Store, cache: Cache) =>
  async (
    audience: Audience,
    team: string,
    product: string,
    name: string,
  ): Promise<SoonOrLater<string | Moved | null>> => {
    const { value, revision } = await store.readVersion(audience, team, product, name, FIRST)
    if (!value) return { value, revision }
    if (value.isMoved) return { value: { movedTo: value.version }, revision }
    if (!isPartial(value.version)) return { value: JSON.stringify(versionEnvelope(value)), revision }
    return () =>
      readUnchanged(store, cache, async (reads): Promise<string | Moved | null> => {
        const read = await reads.ask('readVersion', audience, team, product, name, FIRST)
        if (!read) return null
        if (read.isMoved) return { movedTo: read.version }
        const changes = await changesJson({ reads, audience, team, product }, read.version)
        return filled(versionEnvelope({ ...read, version: { ...read.version, changes: [] } }), changes)
      })
  }
