import { readFileSync, readlinkSync } from 'node:fs'
import { orNull } from '../../domain/errors.ts'

/**
 * The kernel gives each connection to a thread by chance, and there it stays. So one thread can have more to do than it
 * can, while another one waits. Then the main thread has the full one end some of its connections with a response that
 * says `Connection: close`: their clients connect again, and chance decides anew.
 *
 * A thread is full if it ran, or could have run if it had a core, for nearly all of a round.
 */

const ROUND_MS = 2_000
const FULL = 0.9
/** How much less another thread must have to do. */
const APART = 0.2
const MOST_CLOSED = 4

/** The cells of a thread in shared memory: its id for the kernel, the round, connections seen in it, those to close. */
const [TASK, ROUND, SEEN, CLOSING] = [0, 1, 2, 3]
const ROW_CELLS = 4

export const createBalance = (threads: number): SharedArrayBuffer =>
  new SharedArrayBuffer(threads * ROW_CELLS * Int32Array.BYTES_PER_ELEMENT)

const rowOf = (memory: SharedArrayBuffer, thread: number): Int32Array =>
  new Int32Array(memory, thread * ROW_CELLS * Int32Array.BYTES_PER_ELEMENT, ROW_CELLS)

/** Balances the threads until it is told to stop. Where the kernel does not tell how busy they are, it does nothing. */
export function startBalancing(memory: SharedArrayBuffer, threads: number): () => void {
  const rows = Array.from({ length: threads }, (_, thread) => rowOf(memory, thread))
  let before = rows.map((row) => busyMs(row[TASK]))
  let at = performance.now()
  let round = 0
  let wasUneven = false
  const timer = setInterval(() => {
    const passed = performance.now() - at
    at += passed
    const now = rows.map((row) => busyMs(row[TASK]))
    const shares = now.map((busy, thread) => (busy - (before[thread] as number)) / passed)
    before = now
    const connections = rows.map((row) => row[SEEN] as number)
    const { isUneven, full, closing } = balance(shares, connections)
    round++
    for (const [thread, row] of rows.entries()) {
      row[SEEN] = 0
      // Connections are counted only in a round after an uneven one.
      row[CLOSING] = wasUneven && thread === full ? closing : 0
      row[ROUND] = isUneven ? round : 0
    }
    wasUneven = isUneven
  }, ROUND_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Which thread should close how many connections, by the share of the round that each was busy. */
export function balance(shares: readonly number[], connections: readonly number[]) {
  const least = Math.min(...shares)
  const fewest = connections[shares.indexOf(least)] ?? 0
  const [busiest] = shares
    .map((share, thread) => ({ share, thread, connections: connections[thread] ?? 0 }))
    .filter(({ share }) => share >= FULL && share - least >= APART)
    .sort((one, other) => other.connections - one.connections)
  // A thread with only one more would change places with the idlest.
  const excess = busiest ? Math.floor((busiest.connections - fewest) / 2) : 0
  const closing = Math.max(0, Math.min(excess, MOST_CLOSED))
  return { isUneven: busiest !== undefined, full: busiest?.thread ?? null, closing }
}

/** How long a thread has run, or waited for a core, so far; not a number if it is not known. */
function busyMs(task: number | undefined): number {
  const text = orNull(() => readFileSync(`/proc/self/task/${task}/schedstat`, 'utf8')) ?? ''
  const [ran, waited] = text.split(' ')
  return (Number(ran) + Number(waited)) / 1e6
}

/** By its headers: Bun gives a GET no body, though the client sends one. */
const hasBody = ({ headers }: Request): boolean =>
  headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0'

const PIPELINED = -1

/** The connections of a thread. */
export class Connections {
  private readonly row: Int32Array
  private round = 0
  private turn = 0
  private isInTurn = false
  /** Their ports, with the turn of the event loop of the last request. */
  private readonly seen = new Map<number, number>()

  /** To be created by the thread itself. */
  constructor(memory: SharedArrayBuffer, thread: number) {
    this.row = rowOf(memory, thread)
    // As in `12/task/34`.
    this.row[TASK] = Number(orNull(() => readlinkSync('/proc/thread-self').split('/')[2]))
  }

  /**
   * Whether the connection of this request should be closed with its response. Requests that are pipelined behind it
   * would be lost, and a body that was not read would cost the client the response. So it is false for a connection
   * that has pipelined requests in this round, or has had no other request in it.
   */
  isLast(request: Request, peer: () => { port: number } | undefined): boolean {
    if (this.row[ROUND] === 0) return false
    this.beginTurn()
    const isKnown = this.note(peer()?.port ?? 0)
    if (!isKnown || this.row[CLOSING] === 0 || hasBody(request)) return false
    ;(this.row[CLOSING] as number)--
    return true
  }

  /** Whether the connection has had requests before, one at a time. */
  private note(port: number): boolean {
    const last = this.seen.get(port)
    const isPipelined = last === PIPELINED || last === this.turn
    this.seen.set(port, isPipelined ? PIPELINED : this.turn)
    this.row[SEEN] = this.seen.size
    return last !== undefined && !isPipelined
  }

  /** A round begins with a turn: otherwise the last of several pipelined requests would seem to be alone. */
  private beginTurn(): void {
    if (this.isInTurn) return
    this.isInTurn = true
    setImmediate(() => {
      this.turn++
      this.isInTurn = false
    })
    if (this.row[ROUND] === this.round) return
    this.round = this.row[ROUND] as number
    this.seen.clear()
  }
}
