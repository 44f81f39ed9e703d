/**
 * Runs tasks one after another, each in a new turn of the event loop, so that other requests are handled between them. Each
 * task bounds its own synchronous work.
 */
export type Queue = <T>(work: () => T | Promise<T>) => Promise<T>

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(work)
    last = result.catch(() => {})
    return result
  }
}

/**
 * Runs at most so many works at a time, so that what they hold in memory is bounded. The others wait, and each begins in a new
 * turn of the event loop.
 */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = []
  let free = count
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) setImmediate(next)
      else free++
    }
  }
}
