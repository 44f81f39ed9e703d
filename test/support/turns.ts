import { createTurn } from '../../src/http/cache/turn.ts'

/** For a server: a turn of the event loop in which every step is long, so that the next has one of its own. */
export function createLongTurn() {
  let worked = 0
  return createTurn(() => {
    worked += 5
    return worked
  })
}

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
