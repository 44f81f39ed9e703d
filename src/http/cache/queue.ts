/**
 * Runs works one after another. Each begins in a new turn of the event loop, once the one before has ended; so between
 * two works, however many there are, every other request has its turn. What holds the others up is one uninterrupted part of a
 * work, which it bounds itself.
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
