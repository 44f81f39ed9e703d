import { createQueue, type Queue } from './queue.ts'

/** The work of one turn of the event loop, while other requests wait. */
const LONG_MS = 4

/** The same if the request that is handled was pipelined: then one behind it would lose its connection. */
const LONG_IF_PIPELINED_MS = 20

/** A turn of the event loop. */
export interface Turn {
  /** Whether others would have to wait: it has worked long, and so many connections have begun tasks in it. */
  isLong(connections?: number): boolean
  /**
   * Notes a request. Whether its connection sent another one in this turn: then it was pipelined, and should not wait for
   * the next turn, because Bun closes a connection on which a request waits behind another.
   */
  arrive(connection: string): boolean
  begin(connection?: string): void
  /** For the steps of a long task, before each: a promise of another turn if this has been long. */
  pause(): Promise<void> | undefined
  /** Runs such a step. */
  step: Queue
}

/**
 * `worked` tells how many milliseconds this thread has worked: others need not wait less because it stood still. `passed`,
 * which is cheaper to ask, how many have passed: it has not worked longer.
 */
export function createTurn(worked: () => number, passed = worked): Turn {
  const queue = createQueue()
  /** Those with a request in this turn, and those with a task. */
  const arrived = new Set<string>()
  const busy = new Set<string>()
  let began: { worked: number; passed: number } | null = null
  /** Whether the request that is handled now was pipelined. */
  let isPipelined = false

  const hasWorked = (ms: number) =>
    began !== null && passed() - began.passed > ms && worked() - began.worked > ms

  const begin = (connection?: string) => {
    if (connection !== undefined) busy.add(connection)
    if (began !== null) return
    began = { worked: worked(), passed: passed() }
    setImmediate(() => {
      began = null
      isPipelined = false
      arrived.clear()
      busy.clear()
    })
  }

  const resume = () => {
    isPipelined = false
    begin()
  }

  const pause = () => {
    if (hasWorked(isPipelined ? LONG_IF_PIPELINED_MS : LONG_MS)) return queue(resume)
    begin()
    return undefined
  }

  return {
    isLong: (connections = 0) => busy.size >= connections && hasWorked(LONG_MS),
    arrive(connection) {
      begin()
      isPipelined = arrived.has(connection)
      arrived.add(connection)
      return isPipelined
    },
    begin,
    pause,
    async step(work) {
      const paused = pause()
      if (paused) await paused
      return work()
    },
  }
}
