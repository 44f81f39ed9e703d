import { LRUCache } from 'lru-cache'
import type { Revision } from '../../store/port.ts'

/**
 * What the server may remember: things read from the store, each true for one revision of it. When the
 * revision changes, everything is forgotten at once. So what another process commits is seen by the next
 * request, with no lifetime to wait out and nobody to signal.
 */
export interface Fresh {
  /** The store's revision now. */
  revision(): Revision
  /** Told that so many bytes are needed no more. What leaves a map tells so by itself. */
  discard(bytes: number): void
  /** A map of at most so many bytes; the least recently used leaves first. */
  map<Value extends object>(bytes: number, sizeOf: (value: Value, key: string) => number): FreshMap<Value>
}

export interface FreshMap<Value> {
  get(key: string): Value | undefined
  /** Keeps a value that was read while the store had this revision; lets it go if that has passed, or is none. */
  set(key: string, value: Value, revision: Revision | null): void
}

/** `askRevision` may throw when the store does not answer: then nothing is remembered either. */
export function createFresh(askRevision: () => Revision): Fresh {
  const maps: { clear(): void }[] = []
  const discard = createCollector()
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
    discard,
    map: <Value extends object>(bytes: number, sizeOf: (value: Value, key: string) => number) => {
      const size = (value: object, key: string) => sizeOf(value as Value, key)
      if (bytes === 0) return { get: () => undefined, set: (key, value) => discard(size(value, key)) }
      const kept = new LRUCache<string, object>({
        maxSize: bytes,
        sizeCalculation: size,
        dispose: (value, key) => discard(size(value, key)),
      })
      maps.push(kept)
      return {
        get: (key) => {
          try {
            revision()
          } catch {
            return undefined
          }
          return kept.get(key) as Value | undefined
        },
        set: (key, value, readAt) => {
          if (readAt !== null && readAt === revision()) kept.set(key, value)
          if (kept.peek(key) !== value) discard(size(value, key))
        },
      }
    },
  }
}

/** How much may lie around that nobody needs any more; and how long, if it is more. */
const LITTER_BYTES = 2 ** 20
const LITTER_MS = 250

/**
 * Told of the bytes that are let go, has them collected before they are many. By itself the engine would wait
 * for a multiple of what is in use: on a machine with much memory, several times the bound on what is kept.
 */
function createCollector(): (bytes: number) => void {
  let litter = 0
  let isDue = false
  const collect = (): void => {
    litter = 0
    isDue = false
    Bun.gc(true)
  }
  return (bytes) => {
    litter += bytes
    if (isDue || litter < LITTER_BYTES) return
    isDue = true
    setTimeout(collect, LITTER_MS).unref()
  }
}
