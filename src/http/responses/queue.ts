/**
 * Runs works one after another, each in a turn of the event loop of its own. So other requests wait for a part of one
 * work at most, however many there are.
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
