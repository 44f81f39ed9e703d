import { LRUCache } from 'lru-cache'
import type { Revision } from '../../store/port.ts'
import type { Collector } from './collector.ts'

/**
 * What the server keeps of the store, valid for one revision of it. When the revision changes, everything is
 * dropped at once. So the next request sees what another process committed: entries have no lifetime, and no
 * process has to signal a change.
 */
export interface Cache {
  /** The store's revision now. */
  revision(): Revision
  /** A map of at most so many bytes; the least recently used entry is dropped first. */
  map<Value extends object>(bytes: number, sizeOf: (value: Value, key: string) => number): CacheMap<Value>
}

export interface CacheMap<Value> {
  get(key: string): Value | undefined
  /** Keeps a value that was read at this revision; drops it if the revision is null or no longer the store's. */
  set(key: string, value: Value, revision: Revision | null): void
}

/** `askRevision` may throw when the store fails: then nothing is served from the cache. */
export function createCache(askRevision: () => Revision, collector: Collector): Cache {
  const maps: { clear(): void }[] = []
  let current: Revision | undefined

  const revision = (): Revision => {
    const asked = askRevision()
    if (asked !== current) {
      for (const map of maps) map.clear()
      current = asked
    }
    return asked
  }

  return {
    revision,
    map: <Value extends object>(bytes: number, sizeOf: (value: Value, key: string) => number) => {
      const release = (value: object, key: string) => collector.release(sizeOf(value as Value, key))
      if (bytes === 0) return { get: () => undefined, set: (key, value) => release(value, key) }
      const entries = new LRUCache<string, object>({
        maxSize: bytes,
        sizeCalculation: (value, key) => sizeOf(value as Value, key),
        dispose: release,
      })
      maps.push(entries)
      return {
        get: (key) => {
          try {
            revision()
          } catch {
            return undefined
          }
          return entries.get(key) as Value | undefined
        },
        set: (key, value, readAt) => {
          if (readAt !== null && readAt === revision()) entries.set(key, value)
          if (entries.peek(key) !== value) release(value, key)
        },
      }
    },
  }
}
