/** Runs at most so many works at a time, so that what they hold in memory is bounded. */
export interface Slots {
  /**
   * Runs the work, which `key` names, when the client's turn comes. Clients take turns: whoever waits for one work waits
   * for one of each other client, however many that has. Each work that waited begins in a new turn of the event loop.
   */
  run<T>(client: string, key: string, work: () => Promise<T>): Promise<T>
  /** Counts the work with that key, if it waits, for this client too: it begins when the first of their turns comes. */
  join(client: string, key: string): void
}

interface Waiting {
  key: string
  begin(): void
  hasBegun: boolean
}

export function createSlots(count: number): Slots {
  /** What each client waits for. The client whose turn it is comes first. */
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
      // Another client's turn may have come first.
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
