import type { Revision } from '../../store/store.ts'

/**
 * Coalesces concurrent identical reads. After a change the cache is empty, and every request that arrives before the first
 * read ends would otherwise repeat it.
 */
export type Coalesce = <T>(
  key: string,
  /** May call `checkWanted` before each of its steps, which throws `Abandoned` once the clients of all requests have gone. */
  work: (checkWanted: () => void) => Promise<T>,
  /** Tells that the client has gone. */
  signal?: AbortSignal,
) => Promise<T>

/** Nobody waits for the work any more. */
export class Abandoned extends Error {}

/** A read that started longer ago is not shared: its result could be more than a second old. */
const MAX_AGE_MS = 250

interface Pending {
  result: Promise<unknown>
  revision: Revision
  sentAt: number
  waiting: (AbortSignal | undefined)[]
}

/** A read that started at another revision is not shared either. */
export function createCoalesce(
  revision: () => Revision,
  now: () => number = () => performance.now(),
): Coalesce {
  const pending = new Map<string, Pending>()
  return <T>(
    key: string,
    work: (checkWanted: () => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const known = pending.get(key)
    const current = { revision: revision(), sentAt: now() }
    if (known?.revision === current.revision && current.sentAt - known.sentAt < MAX_AGE_MS) {
      known.waiting.push(signal)
      return known.result as Promise<T>
    }
    const waiting = [signal]
    const end = () => {
      if (pending.get(key)?.waiting === waiting) pending.delete(key)
    }
    const result = work(() => {
      if (waiting.some((each) => !each?.aborted)) return
      end()
      throw new Abandoned('The clients have gone.')
    })
    pending.set(key, { result, ...current, waiting })
    result.then(end, end)
    return result
  }
}
