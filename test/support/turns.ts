/** Counts the turns of the event loop, until it is disposed of. */
export function countTurns() {
  let now = 0
  let isOver = false
  const count = () => {
    now++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  return {
    get now() {
      return now
    },
    [Symbol.dispose]: () => {
      isOver = true
    },
  }
}
