import { LRUCache } from 'lru-cache'
import { CONFIRMED_MS, type Revision, type Store } from '../../store/store.ts'

/**
 * What the server keeps of the store, valid for one revision of it. When the revision changes, everything is
 * dropped at once. So the next request sees what another process committed: entries have no lifetime, and no
 * process has to signal a change. Where the store cannot be asked at each request, what is served was right less than a
 * second ago.
 */
export interface Cache {
  /** The store's revision now. */
  revision(): Revision
  /** A map of at most so many bytes; the least recently used entry is dropped first. */
  map<Value extends object>(bytes: number, sizeOf: (value: Value, key: string) => number): CacheMap<Value>
  /** What all maps together hold. */
  usage(): { bytes: number; entries: number }
}

export interface CacheMap<Value> {
  get(key: string): Value | undefined
  /** The same while the store does not answer: what was right when it last did, if that was not too long ago. */
  getDuringOutage(key: string): Value | undefined
  /** Keeps a value that was read at this revision; drops it if the revision is null or no longer the store's. */
  set(key: string, value: Value, revision: Revision | null): void
}

/**
 * `revision` may throw when the store fails: then nothing is served. `outageMs` is how long ago "not too long" is. `onChange` is
 * called when everything was dropped because the data has changed.
 */
export function createCache(
  store: Pick<Store, 'revision' | 'unconfirmedFor'>,
  outageMs: number,
  onChange: () => void = () => {},
): Cache {
  const maps: LRUCache<string, object>[] = []
  let current: Revision | undefined

  const revision = (): Revision => {
    const asked = store.revision()
    if (asked !== current) {
      for (const map of maps) map.clear()
      if (current !== undefined) onChange()
      current = asked
    }
    return asked
  }

  return {
    revision,
    usage: () => ({
      bytes: maps.reduce((sum, map) => sum + map.calculatedSize, 0),
      entries: maps.reduce((sum, map) => sum + map.size, 0),
    }),
    map: <Value extends object>(bytes: number, sizeOf: (value: Value, key: string) => number) => {
      if (bytes === 0)
        return {
          get: () => undefined,
          getDuringOutage: () => undefined,
          set: () => {},
        }
      const entries = new LRUCache<string, object>({
        maxSize: bytes,
        sizeCalculation: (value, key) => sizeOf(value as Value, key),
      })
      maps.push(entries)
      const get = (key: string, oldestMs: number): Value | undefined => {
        try {
          revision()
        } catch {
          return undefined
        }
        return store.unconfirmedFor() < oldestMs ? (entries.get(key) as Value | undefined) : undefined
      }
      return {
        get: (key) => get(key, CONFIRMED_MS),
        getDuringOutage: (key) => get(key, outageMs),
        set: (key, value, readAt) => {
          if (readAt !== null && readAt === revision()) entries.set(key, value)
        },
      }
    },
  }
}
