import { LRUCache } from 'lru-cache'
import { CONFIRMED_MS, type Revision, type Store } from '../store/store.ts'

/**
 * Caches reads of the store at one revision. When the revision changes, all entries are dropped, so the next
 * request sees the commit of another process; entries need no lifetime. Only entries with a stamp stay, and are served
 * again once their stamp has been read and is the same. On PostgreSQL, a served entry was confirmed less than a second ago.
 */
export interface Cache {
  revision(): Revision
  /** A map of at most so many bytes; the least recently used entry is dropped first. */
  map<Value extends object>(bytes: number, sizeOf: (value: Value, key: string) => number): CacheMap<Value>
  usage(): { bytes: number; entries: number }
}

export interface CacheMap<Value> {
  get(key: string): Value | undefined
  /** For an outage: an entry that was valid when the store last answered, unless it is too old. */
  getDuringOutage(key: string): Value | undefined
  /**
   * The value if it has this stamp, that of `revision`: then it is good at that revision too. One with another stamp is dropped.
   * Without a stamp, the same as `get`.
   */
  renewed(key: string, stamp: Stamp, revision: Revision): Value | undefined
  /**
   * Ignores a value if its revision is null, and one without a stamp if that is no longer the store's. A stamp must not be newer
   * than the value.
   */
  set(key: string, value: Value, revision: Revision | null, stamp?: Stamp): void
}

/** Another text whenever a value may be another; null if only the revision of the store tells that. */
export type Stamp = string | null

interface Entry {
  value: object
  stamp: Stamp
  /** At which the value was last found good. */
  revision: Revision
}

/**
 * `outageMs` is the maximum age of entries during an outage. `changed` is called when the revision changes, and `failed` if the
 * store cannot tell it.
 */
export function createCache(
  store: Pick<Store, 'revision' | 'unconfirmedFor'>,
  outageMs: number,
  { changed = () => {}, failed = () => {} } = {},
): Cache {
  const maps: { entries: LRUCache<string, Entry>; passing: Set<string> }[] = []
  let current: Revision | undefined

  const askStore = (): Revision => {
    try {
      return store.revision()
    } catch (error) {
      failed()
      throw error
    }
  }

  const revision = (): Revision => {
    const asked = askStore()
    if (asked !== current) {
      for (const { entries, passing } of maps)
        if (passing.size === entries.size) entries.clear()
        else for (const key of [...passing]) entries.delete(key)
      if (current !== undefined) changed()
      current = asked
    }
    return asked
  }

  return {
    revision,
    usage: () => ({
      bytes: maps.reduce((sum, { entries }) => sum + entries.calculatedSize, 0),
      entries: maps.reduce((sum, { entries }) => sum + entries.size, 0),
    }),
    map: <Value extends object>(bytes: number, sizeOf: (value: Value, key: string) => number) => {
      if (bytes === 0)
        return {
          get: () => undefined,
          getDuringOutage: () => undefined,
          renewed: () => undefined,
          set: () => {},
        }
      /** The keys of entries without a stamp. */
      const passing = new Set<string>()
      const entries = new LRUCache<string, Entry>({
        maxSize: bytes,
        sizeCalculation: ({ value, stamp }, key) => sizeOf(value as Value, key) + (stamp?.length ?? 0),
        dispose: (_, key) => void passing.delete(key),
      })
      maps.push({ entries, passing })
      const get = (key: string, oldestMs: number): Value | undefined => {
        try {
          revision()
        } catch {
          return undefined
        }
        const entry = store.unconfirmedFor() < oldestMs ? entries.get(key) : undefined
        return entry?.revision === current ? (entry?.value as Value | undefined) : undefined
      }
      return {
        get: (key) => get(key, CONFIRMED_MS),
        getDuringOutage: (key) => get(key, outageMs),
        renewed: (key, stamp, readAt) => {
          const entry = entries.get(key)
          if (entry?.stamp !== stamp) entries.delete(key)
          if (!entry || entry.stamp !== stamp) return undefined
          if (stamp === null) return get(key, CONFIRMED_MS)
          if (entry.revision !== revision()) entry.revision = readAt
          return entry.value as Value
        },
        set: (key: string, value: Value, readAt, stamp = null) => {
          if (readAt === null || (stamp === null && readAt !== revision())) return
          entries.set(key, { value, stamp, revision: readAt })
          if (stamp === null && entries.has(key)) passing.add(key)
        },
      }
    },
  }
}
