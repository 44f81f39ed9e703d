import type { Revision } from '../../store/store.ts'

/**
 * Runs a work once for all who ask for it while it is under way. After a change of the data nothing is cached, and a store
 * that is awaited would otherwise read the same for every request that comes before the first has its answer.
 */
export type Coalesce = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** What was sent longer ago is not waited for: with the time it takes, it could be more than a second old. */
const MAX_AGE_MS = 250

interface Pending {
  result: Promise<unknown>
  revision: Revision
  sentAt: number
}

/** `revision` is asked at each request: what was begun at another one is not waited for either. */
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
