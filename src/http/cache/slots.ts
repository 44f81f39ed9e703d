/** Limits the number of concurrent tasks, and so their memory. */
export interface Slots {
  /**
   * Runs the task `key` when the client's turn comes. Clients take turns: one task of each, however many it has. A task
   * that waited begins in a new turn of the event loop.
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

export function createSlots(count: number): Slots {
  /** Waiting tasks by client, in the order of their turns. */
  const rows = new Map<string, Waiting[]>()
  const byKey = new Map<string, Waiting>()
  let free = count

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
    })

  const release = () => {
    const waiting = next()
    if (!waiting) {
      free++
      return
    }
    waiting.hasBegun = true
    if (byKey.get(waiting.key) === waiting) byKey.delete(waiting.key)
    setImmediate(waiting.begin)
  }

  return {
    async run(client, key, work) {
      if (free > 0) free--
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
