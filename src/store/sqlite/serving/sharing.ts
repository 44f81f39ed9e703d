import { Unavailable } from '../../../domain/refusal.ts'

/**
 * How the threads of a server use one database file. Locks on a file belong to the process, and SQLite keeps to the files
 * that one thread has open. So only the main thread watches the files. The others have one connection each, and close
 * it when the main thread has lost the database, which then opens the next one.
 */

/** Offsets in words: the generation, odd while there is no database, and for each thread whether it is connected. */
const GENERATION = 0
const THREADS = 1

/** The main thread reports why. */
const LOST = new Unavailable('The database is not available.')

export type Sharing = ReturnType<typeof createSharing>

export function createSharing(threads: number) {
  const memory = new SharedArrayBuffer((THREADS + threads) * Int32Array.BYTES_PER_ELEMENT)
  const words = new Int32Array(memory)
  Atomics.store(words, GENERATION, 1)
  return {
    memory,
    open: () => void Atomics.add(words, GENERATION, 1),
    /** Every thread fails at once and soon closes its connection. */
    lose: () => void Atomics.or(words, GENERATION, 1),
    /** True if no thread has a connection. */
    isFree: () => words.subarray(THREADS).every((_, thread) => Atomics.load(words, THREADS + thread) === 0),
    forget: (thread: number) => void Atomics.store(words, THREADS + thread, 0),
  }
}

/**
 * The side of a thread: `current` is its connection, which `connect` opens, to the database of the main thread. Throws
 * `Unavailable` while there is none: then `connect` returns null.
 */
export function followSharing<Connection extends { close(): void }>(
  memory: SharedArrayBuffer,
  thread: number,
  connect: () => Connection | null,
) {
  const words = new Int32Array(memory)
  let connection: Connection | null = null
  let generation = 0

  const current = (): Connection => {
    follow()
    if (connection === null) throw LOST
    return connection
  }

  const follow = (): void => {
    const next = Atomics.load(words, GENERATION)
    if (next === generation) return
    close()
    if (!isOpen(next) || open(next)) generation = next
  }

  const open = (next: number): boolean => {
    // First, because the main thread waits for those it can see.
    Atomics.store(words, THREADS + thread, 1)
    try {
      if (Atomics.load(words, GENERATION) === next) connection = connect()
    } finally {
      if (connection === null) close()
    }
    return connection !== null
  }

  const close = (): void => {
    connection?.close()
    connection = null
    generation = 0
    Atomics.store(words, THREADS + thread, 0)
  }

  return { current, follow, close }
}

const isOpen = (generation: number): boolean => generation % 2 === 0
