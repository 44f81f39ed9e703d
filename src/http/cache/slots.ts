import type { Turn } from './turn.ts'

/** Limits the number of concurrent tasks, and so their memory, and how many begin in one turn of the event loop. */
export interface Slots {
  /**
   * Runs the task `key` at once if it was pipelined, or if a slot is free, no task waits and this turn has not been long;
   * otherwise when the client's turn comes. Clients take turns: one task of each, however many it has.
   */
  run<T>(client: Client, key: string, work: () => Promise<T>): Promise<T>
  /** Runs a task that ends at once; null if it would have to wait. */
  runNow<T>(client: Client, work: () => T): T | null
  /** A waiting task counts for this client too: it begins at the first of their turns. */
  join(client: string, key: string): void
}

export interface Client {
  name: string
  connection: string
  /** Whether its request was pipelined, see `Turn`. Its task ends in the turn in which it begins. */
  isPipelined: boolean
}

interface Waiting {
  key: string
  begin(): void
  hasBegun: boolean
}

/** The most tasks that are scheduled for one turn of the event loop. */
const MAX_SCHEDULED = 64

/** Slots with the same `turn` share its time. Tasks wait for the next one only if `burst` connections have begun some in this. */
export function createSlots(count: number, turn: Turn, burst = 1): Slots {
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
        if (!turn.isLong(burst)) beginNext()
        schedule()
      })
    }
  }

  const release = () => {
    free++
    schedule()
  }

  const isReady = ({ isPipelined }: Client) =>
    isPipelined || (free > 0 && waitingCount === 0 && !turn.isLong(burst))

  return {
    async run(client, key, work) {
      if (isReady(client)) free--
      else await wait(client.name, key)
      turn.begin(client.connection)
      try {
        return await work()
      } finally {
        release()
      }
    },
    runNow(client, work) {
      if (!isReady(client)) return null
      turn.begin(client.connection)
      return work()
    },
    join(client, key) {
      const waiting = byKey.get(key)
      if (waiting) add(client, waiting)
    },
  }
}
