import { CONFIRMED_MS, type Revision, type Store } from '../../store/store.ts'
import type { Job, Queue } from './queue.ts'

export interface Waiter {
  /** Names its client in the queue. Asked only for long work. */
  client(): string
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal
}

/** Work that is done once for all requests that wait for its result. */
export interface SharedWork {
  /** Throws `Abandoned` once no client waits. To be called before each step of long work. */
  checkWanted(): void
  /** Runs long work when its turn comes. Until then, it has not begun. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

/** The client has gone. */
export class Abandoned extends Error {}

/**
 * Short work begins at once, and ends whoever waits. Long work waits for its turn first, and each of its clients may leave. The
 * result of work is as new as the revision that it began at.
 */
type State =
  | { is: 'short'; beganAt: Revision }
  | { is: 'waiting'; job: Job }
  | { is: 'long'; beganAt: Revision }

interface Shared {
  state: State
  /** Each with a function that rejects its promise. */
  readonly waiters: Map<Waiter, (reason: unknown) => void>
  readonly result: Promise<unknown>
}

/** Coalesces concurrent identical work, of which there is much after a change. */
export function createCoalesce(store: Pick<Store, 'revision' | 'unconfirmedFor'>, queue: Queue) {
  const pending = new Map<string, Shared>()

  const forget = (key: string, shared: Shared): void => {
    if (pending.get(key) === shared) pending.delete(key)
  }

  /** True if its result is as good as that of work that begins now. */
  const isCurrent = ({ state }: Shared): boolean =>
    state.is === 'waiting' || (state.beganAt === store.revision() && store.unconfirmedFor() < CONFIRMED_MS)

  const drop = (key: string, shared: Shared, waiter: Waiter, reason: unknown): void => {
    shared.waiters.get(waiter)?.(reason)
    shared.waiters.delete(waiter)
    if (shared.state.is === 'waiting' && shared.waiters.size === 0) forget(key, shared)
  }

  /** Lets a waiter of long work leave. Only this request is refused if its client waits for too much. */
  const stay = (key: string, shared: Shared, waiter: Waiter): void => {
    const client = waiter.client()
    try {
      if (shared.state.is === 'waiting') queue.join(shared.state.job, client)
    } catch (error) {
      drop(key, shared, waiter, error)
      return
    }
    const leave = () => {
      drop(key, shared, waiter, new Abandoned())
      if (shared.state.is === 'waiting') queue.leave(shared.state.job, client)
    }
    if (waiter.signal.aborted) leave()
    else waiter.signal.addEventListener('abort', leave)
  }

  const begin = (key: string, work: (shared: SharedWork) => Promise<unknown>): Shared => {
    const { promise: result, resolve, reject } = Promise.withResolvers<unknown>()
    const shared: Shared = { state: { is: 'short', beganAt: store.revision() }, waiters: new Map(), result }
    pending.set(key, shared)
    work({
      checkWanted: () => {
        if (shared.waiters.size > 0) return
        forget(key, shared)
        throw new Abandoned()
      },
      inTurn: <T>(work: () => Promise<T>) => {
        const { promise, resolve, reject } = Promise.withResolvers<T>()
        const job: Job = {
          begin: async () => {
            try {
              shared.state = { is: 'long', beganAt: store.revision() }
              resolve(await work())
            } catch (error) {
              reject(error)
            }
          },
        }
        shared.state = { is: 'waiting', job }
        for (const waiter of [...shared.waiters.keys()]) stay(key, shared, waiter)
        return promise
      },
    }).then(resolve, reject)
    const end = () => forget(key, shared)
    result.then(end, end)
    return shared
  }

  return <T>(key: string, waiter: Waiter, work: (shared: SharedWork) => Promise<T>): Promise<T> => {
    const known = pending.get(key)
    const shared = known && isCurrent(known) ? known : begin(key, work)
    const { promise: dropped, reject } = Promise.withResolvers<never>()
    shared.waiters.set(waiter, reject)
    if (shared.state.is !== 'short') stay(key, shared, waiter)
    return Promise.race([dropped, shared.result]) as Promise<T>
  }
}
