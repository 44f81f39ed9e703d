import { LRUCache } from 'lru-cache'
import { CONFIRMED_MS, type Revision, type Store } from '../store/store.ts'

/**
 * Caches reads of the store at one revision. When the revision changes, all entries are dropped, so the next
 * request sees the commit of another process; entries need no lifetime. On PostgreSQL, a served entry was confirmed
 * less than a second ago.
 */
export interface Cache {
  revision(): Revision
  /** A map of at most so many bytes; the least recently used entry is dropped first. */
  map<Value extends object>(
    bytes: number,
    sizeOf: (value: Value, key: string) => number,
    share?: Share<Value>,
  ): CacheMap<Value>
  usage(): { bytes: number; entries: number }
}

/** Entries of a kind that have at most so many of the bytes: the oldest of them are dropped first. */
export interface Share<Value> {
  is(value: Value): boolean
  bytes: number
}

export interface CacheMap<Value> {
  get(key: string): Value | undefined
  /** For an outage: an entry that was valid when the store last answered, unless it is too old. */
  getDuringOutage(key: string): Value | undefined
  /** Ignores a value if its revision is null or no longer the store's. */
  set(key: string, value: Value, revision: Revision | null): void
}

/** `outageMs` is the maximum age of entries during an outage. `onChange` is called when a change empties the cache. */
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
    map: <Value extends object>(
      bytes: number,
      sizeOf: (value: Value, key: string) => number,
      share?: Share<Value>,
    ) => {
      if (bytes === 0)
        return {
          get: () => undefined,
          getDuringOutage: () => undefined,
          set: () => {},
        }
      /** The sizes of entries of the share, by key. */
      const shared = new Map<string, number>()
      let used = 0
      const entries = new LRUCache<string, object>({
        maxSize: bytes,
        sizeCalculation: (value, key) => sizeOf(value as Value, key),
        ...(share && {
          dispose: (_, key) => {
            used -= shared.get(key) ?? 0
            shared.delete(key)
          },
        }),
      })
      const keepShare = (key: string, value: Value): void => {
        if (!share?.is(value) || !entries.has(key)) return
        const size = sizeOf(value, key)
        shared.set(key, size)
        used += size
        for (const [oldest] of shared) {
          if (used <= share.bytes) return
          entries.delete(oldest)
        }
      }
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
        set: (key: string, value: Value, readAt) => {
          if (readAt === null || readAt !== revision()) return
          entries.set(key, value)
          keepShare(key, value)
        },
      }
    },
  }
}
