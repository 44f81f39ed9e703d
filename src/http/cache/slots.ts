/** Limits the number of concurrent tasks, and so their memory, and how many begin in one turn of the event loop. */
export interface Slots {
  /**
   * Runs the task `key` at once if a slot is free, no task waits and this turn has not been long; otherwise when the
   * client's turn comes. Clients take turns: one task of each, however many it has.
   */
  run<T>(client: string, key: string, work: () => Promise<T>): Promise<T>
  /** A waiting task counts for this client too: it begins at the first of their turns. */
  join(client: string, key: string): void
}

interface Waiting {
  key: string
  begin(): void
  hasBegun: boolean
}

/** The most tasks that are scheduled for one turn of the event loop. */
const MAX_SCHEDULED = 64

/** Slots with the same `isTurnLong` share the turns. */
export function createSlots(count: number, isTurnLong: () => boolean): Slots {
  /** Waiting tasks by client, in the order of their turns. */
  const rows = new Map<string, Waiting[]>()
  const byKey = new Map<string, Waiting>()
  let free = count
  let waitingCount = 0
  let scheduled = 0

  const add = (client: string, waiting: Waiting) => {
    const row = rows.get(client)
    if (row) row.push(waiting)
    else rows.set(client, [waiting])
  }

  const next = (): Waiting | undefined => {
    for (const [client, row] of rows) {
      rows.delete(client)
      // It may have begun in another client's turn.
      const at = row.findIndex(({ hasBegun }) => !hasBegun)
      if (at < 0) continue
      if (at + 1 < row.length) rows.set(client, row.slice(at + 1))
      return row[at]
    }
    return undefined
  }

  const wait = (client: string, key: string) =>
    new Promise<void>((begin) => {
      const waiting = { key, begin, hasBegun: false }
      byKey.set(key, waiting)
      add(client, waiting)
      waitingCount++
      schedule()
    })

  const beginNext = () => {
    const waiting = free > 0 ? next() : undefined
    if (!waiting) return
    free--
    waitingCount--
    waiting.hasBegun = true
    if (byKey.get(waiting.key) === waiting) byKey.delete(waiting.key)
    waiting.begin()
  }

  /** A task runs before the next callback, which so knows how long the turn has been. */
  const schedule = () => {
    while (scheduled < Math.min(waitingCount, free, MAX_SCHEDULED)) {
      scheduled++
      setImmediate(() => {
        scheduled--
        if (!isTurnLong()) beginNext()
        schedule()
      })
    }
  }

  const release = () => {
    free++
    schedule()
  }

  return {
    async run(client, key, work) {
      if (free > 0 && waitingCount === 0 && !isTurnLong()) free--
      else await wait(client, key)
      try {
        return await work()
      } finally {
        release()
      }
    },
    join(client, key) {
      const waiting = byKey.get(key)
      if (waiting) add(client, waiting)
    },
  }
}

/** For work in one turn of the event loop. */
const LONG_TURN_MS = 4

/** Whether this turn of the event loop has been long since the first call in it. */
export function createTurnClock(now: () => number = () => performance.now()): () => boolean {
  let began: number | null = null
  return () => {
    if (began !== null) return now() - began > LONG_TURN_MS
    began = now()
    setImmediate(() => {
      began = null
    })
    return false
  }
}
