/**
 * Turns of the event loop for work that is done in parts. Each call resolves in a turn of its own, in the order of the
 * calls, so that other requests wait for one part at most, however much work there is.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)))
    return last
  }
}
