import type { Revision } from '../../store/store.ts'

/** Coalesces concurrent identical reads, of which there are many after a change. */
export type Coalesce = <T>(
  key: string,
  /** May call `checkWanted` before each step, which throws `Abandoned` once the clients of all requests are gone. */
  work: (checkWanted: () => void) => Promise<T>,
  /** Aborted when the client is gone. */
  signal?: AbortSignal,
) => Promise<T>

/** No client waits any more. */
export class Abandoned extends Error {}

/** An older read is not shared: its result could be more than a second old. */
const MAX_AGE_MS = 250

interface Pending {
  result: Promise<unknown>
  revision: Revision
  sentAt: number
  waiting: (AbortSignal | undefined)[]
}

/** Reads at another revision are not shared either. */
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
      throw new Abandoned()
    })
    pending.set(key, { result, ...current, waiting })
    result.then(end, end)
    return result
  }
}
