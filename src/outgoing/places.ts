import { inTime } from '../domain/time/waiting.ts'

export interface Peer {
  host: string
  isFailing: boolean
}

/** How many that failed last time run at a time for one host. Others have room beside them. */
const FAILING_OF_HOST = 2

/**
 * Runs what waits for the network: many at a time, since waiting costs next to nothing, but few for one host, and fewer that
 * failed last time. So a slow host holds up only itself.
 */
export class Places {
  private readonly waiting = new Map<string, () => boolean>()
  private readonly running = new Map<string, Promise<unknown>>()
  private readonly taken = new Map<string, number>()

  /** After `slowMs`, one makes room for others of its host, unless it failed last time. */
  constructor(private readonly most: { all: number; ofHost: number; slowMs: number }) {}

  has(name: string): boolean {
    return this.running.has(name) || this.waiting.has(name)
  }

  /** Runs it as soon as there is room, those that were added sooner first. Resolves and rejects as it does. */
  add<T>(name: string, place: Peer, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const bounds = Object.entries(this.boundsOf(place))
    const taken = (what: string) => this.taken.get(what) ?? 0
    const leave = (left: typeof bounds) => {
      for (const [what] of left) this.taken.set(what, taken(what) - 1)
      for (const [next, start] of this.waiting) if (start()) this.waiting.delete(next)
    }
    const makeRoom = () => {
      // Half of all are for other hosts.
      if (taken('all') <= this.most.all / 2) leave(bounds.splice(1))
      return new Error('slow')
    }
    const end = () => {
      this.running.delete(name)
      leave(bounds)
    }
    const start = () => {
      if (bounds.some(([what, most]) => taken(what) >= most)) return false
      for (const [what] of bounds) this.taken.set(what, taken(what) + 1)
      const done = work().then(resolve, reject)
      this.running.set(name, done.finally(end))
      inTime(place.isFailing ? Infinity : this.most.slowMs, done, makeRoom).catch(() => {})
      return true
    }
    if (!start()) this.waiting.set(name, start)
    return promise
  }

  /** Resolves once nothing runs or waits. */
  async ended(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values())
  }

  private boundsOf({ host, isFailing }: Peer): Record<string, number> {
    const { all, ofHost } = this.most
    if (!isFailing) return { all, [`host ${host}`]: ofHost }
    return { all, failing: all / 2, [`failing ${host}`]: FAILING_OF_HOST }
  }
}
