import { CONFIRMED_MS, type Store } from '../../store/store.ts'
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

interface Pending {
  /** True if its result is as good as that of work that begins now. */
  isCurrent(): boolean
  join(waiter: Waiter): Promise<unknown>
}

/** Coalesces concurrent identical work, of which there is much after a change. */
export function createCoalesce(store: Pick<Store, 'revision' | 'unconfirmedFor'>, queue: Queue) {
  const pending = new Map<string, Pending>()

  const share = (key: string, work: (shared: SharedWork) => Promise<unknown>): Pending => {
    /** Each with a function that rejects its promise. */
    const waiters = new Map<Waiter, (reason: unknown) => void>()
    /** The number of waiters of each client, if the work is long. */
    const clients = new Map<string, number>()
    let isLong = false
    /** While it waits for its turn. */
    let job: Job | null = null
    let beganAt = store.revision()

    const forget = () => {
      if (pending.get(key) === shared) pending.delete(key)
    }

    const drop = (waiter: Waiter, reason: unknown) => {
      waiters.get(waiter)?.(reason)
      waiters.delete(waiter)
      if (job && waiters.size === 0) forget()
    }

    const leave = (waiter: Waiter, client: string) => {
      drop(waiter, new Abandoned())
      const others = (clients.get(client) ?? 0) - 1
      clients.set(client, others)
      if (job && others === 0) queue.leave(job, client)
    }

    /** Only this request is refused if its client waits for too much. */
    const waitInTurn = (waiter: Waiter) => {
      const client = waiter.client()
      try {
        if (job) queue.join(job, client)
      } catch (error) {
        return drop(waiter, error)
      }
      clients.set(client, (clients.get(client) ?? 0) + 1)
      if (waiter.signal.aborted) leave(waiter, client)
      else waiter.signal.addEventListener('abort', () => leave(waiter, client))
    }

    const checkWanted = () => {
      if (waiters.size > 0) return
      forget()
      throw new Abandoned()
    }

    const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        isLong = true
        job = {
          begin: async () => {
            job = null
            try {
              beganAt = store.revision()
              resolve(await work())
            } catch (error) {
              reject(error)
            }
          },
        }
        for (const waiter of [...waiters.keys()]) waitInTurn(waiter)
      })

    const shared = {
      isCurrent: () =>
        job !== null || (beganAt === store.revision() && store.unconfirmedFor() < CONFIRMED_MS),
      join: (waiter: Waiter) => {
        const { promise: dropped, reject } = Promise.withResolvers<never>()
        waiters.set(waiter, reject)
        if (isLong) waitInTurn(waiter)
        return Promise.race([dropped, result])
      },
    }
    const result = work({ checkWanted, inTurn })
    result.then(forget, forget)
    return shared
  }

  return <T>(key: string, waiter: Waiter, work: (shared: SharedWork) => Promise<T>): Promise<T> => {
    let shared = pending.get(key)
    if (!shared?.isCurrent()) {
      shared = share(key, work)
      pending.set(key, shared)
    }
    return shared.join(waiter) as Promise<T>
  }
}
