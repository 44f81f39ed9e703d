/** How many wait for one host at a time that failed last time. Those that did not have room beside them. */
const FAILING_OF_HOST = 2

export interface Place {
  host: string
  /** Whether it failed last time. */
  isFailing: boolean
}

interface Task extends Place {
  work(): Promise<void>
}

/**
 * Runs what waits for the network: many at a time, since waiting costs next to nothing, but few for one host, and fewer that
 * failed last time. So a slow host holds up only itself.
 */
export class Places {
  private readonly waiting = new Map<string, Task>()
  private readonly running = new Map<string, Promise<void>>()
  private readonly taken = new Map<string, number>()

  constructor(private readonly most: { all: number; ofHost: number }) {}

  has(name: string): boolean {
    return this.running.has(name) || this.waiting.has(name)
  }

  /** Runs it as soon as there is room, those that were added sooner first. `work` must not reject. */
  add(name: string, { host, isFailing }: Place, work: () => Promise<void>): void {
    const task = { host, isFailing, work }
    if (!this.start(name, task)) this.waiting.set(name, task)
  }

  /** Forgets what has not begun. */
  clear(): void {
    this.waiting.clear()
  }

  /** Resolves once nothing runs or waits. */
  async ended(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values())
  }

  private start(name: string, task: Task): boolean {
    const bounds = this.boundsOf(task)
    if (bounds.some(([what, most]) => this.count(what) >= most)) return false
    const change = (by: number) => {
      for (const [what] of bounds) this.taken.set(what, this.count(what) + by)
    }
    const end = () => {
      change(-1)
      this.running.delete(name)
      for (const [next, each] of this.waiting) if (this.start(next, each)) this.waiting.delete(next)
    }
    change(1)
    this.running.set(name, task.work().finally(end))
    return true
  }

  private boundsOf({ host, isFailing }: Place): [what: string, most: number][] {
    const { all, ofHost } = this.most
    if (!isFailing)
      return [
        ['all', all],
        [`host ${host}`, ofHost],
      ]
    return [
      ['all', all],
      ['failing', all / 2],
      [`failing ${host}`, FAILING_OF_HOST],
    ]
  }

  private count(what: string): number {
    return this.taken.get(what) ?? 0
  }
}
