/**
 * Has released memory collected before much of it piles up. By itself the engine waits until the heap is a
 * multiple of what is in use: on a machine with much memory, several times the bound of the cache. The collection is one
 * that the engine may do in parts: a full one at once makes every client wait.
 */
export interface Collector {
  /** Notes that so many bytes are no longer needed. */
  release(bytes: number): void
}

/** How many released bytes are left to the engine, and how long more than that may wait. */
const THRESHOLD_BYTES = 2 ** 20
const DELAY_MS = 250

/** One collection runs for everything that was released until it starts. */
export function createCollector(
  collect: () => void = () => Bun.gc(false),
  schedule: (work: () => void, delayMs: number) => void = (work, delayMs) =>
    setTimeout(work, delayMs).unref(),
): Collector {
  let released = 0
  let isScheduled = false
  const run = (): void => {
    released = 0
    isScheduled = false
    collect()
  }
  return {
    release: (bytes) => {
      released += bytes
      if (isScheduled || released < THRESHOLD_BYTES) return
      isScheduled = true
      schedule(run, DELAY_MS)
    },
  }
}
