import { createQueue, type Queue } from './queue.ts'

/** The work of one turn of the event loop, while other requests wait. */
const LONG_TURN_MS = 4

/** A turn of the event loop. */
export interface Turn {
  /** Whether so many connections have begun tasks in it, and it has taken so long that others would have to wait. */
  isLong(connections: number): boolean
  /**
   * Whether the connection has begun a task in it: then the next one was pipelined, and Bun closes a connection on which
   * one waits behind another.
   */
  hasBegun(connection: string): boolean
  begin(connection?: string): void
  /** For the steps of a long task, before each: a promise of another turn if this has been long. */
  pause(): Promise<void> | undefined
}

/** Steps that wait for another turn go on through `queue`. */
export function createTurn(queue: Queue = createQueue(), now: () => number = () => performance.now()): Turn {
  const connections = new Set<string>()
  let began: number | null = null
  const isLong = (least: number) =>
    began !== null && connections.size >= least && now() - began > LONG_TURN_MS
  const begin = (connection?: string) => {
    if (connection !== undefined) connections.add(connection)
    if (began !== null) return
    began = now()
    setImmediate(() => {
      began = null
      connections.clear()
    })
  }
  return {
    isLong,
    hasBegun: (connection) => connections.has(connection),
    begin,
    pause() {
      if (isLong(0)) return queue(begin)
      begin()
      return undefined
    },
  }
}
