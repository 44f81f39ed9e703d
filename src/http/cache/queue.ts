/** Runs tasks in turns of the event loop, with other requests in between. A task bounds its own synchronous work. */
export type Queue = <T>(work: () => T | Promise<T>) => Promise<T>

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(work)
    last = result.catch(() => {})
    return result
  }
}
