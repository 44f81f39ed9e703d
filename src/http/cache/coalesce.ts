import type { Revision } from '../../store/store.ts'

/**
 * Coalesces concurrent identical reads. After a change the cache is empty, and every request that arrives before the first
 * read ends would otherwise repeat it.
 */
export type Coalesce = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** A read that started longer ago is not shared: its result could be more than a second old. */
const MAX_AGE_MS = 250

interface Pending {
  result: Promise<unknown>
  revision: Revision
  sentAt: number
}

/** A read that started at another revision is not shared either. */
export function createCoalesce(
  revision: () => Revision,
  now: () => number = () => performance.now(),
): Coalesce {
  const pending = new Map<string, Pending>()
  return <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const known = pending.get(key)
    const current = { revision: revision(), sentAt: now() }
    if (known?.revision === current.revision && current.sentAt - known.sentAt < MAX_AGE_MS)
      return known.result as Promise<T>
    const result = work()
    const begun: Pending = { result, ...current }
    pending.set(key, begun)
    const end = () => {
      if (pending.get(key) === begun) pending.delete(key)
    }
    result.then(end, end)
    return result
  }
}
