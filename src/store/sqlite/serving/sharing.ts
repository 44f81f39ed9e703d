import { Unavailable } from '../../../domain/refusal.ts'

/**
 * How the threads of a server use one database file. Locks on a file belong to the process and end when any thread
 * closes a handle of it, and SQLite keeps to the files that one thread has open. So only the main thread watches the
 * files and has handles. The others have one connection each, and close it when the main thread has lost the database,
 * which then opens the next one.
 */

/** Offsets in words: the generation, the handle of the index, the reason of a loss, and a word per thread. */
const GENERATION = 0
const INDEX = 1
const REASON_BYTES = 2
const THREADS = 3
const MOST_REASON_BYTES = 8_192

const NONE = -1

export interface Sharing {
  readonly memory: SharedArrayBuffer
  /** Lets threads connect. `index` is a handle of the index that stays open until they have disconnected. */
  open(index: number | null): void
  /** Every thread throws this error at once and soon closes its connection. */
  lose(loss: Unavailable): void
  /** Whether no thread has a connection. */
  isFree(): boolean
  forget(thread: number): void
}

export function createSharing(threads: number): Sharing {
  const memory = new SharedArrayBuffer((THREADS + threads) * Int32Array.BYTES_PER_ELEMENT + MOST_REASON_BYTES)
  const { words, reason } = partsOf(memory, threads)
  // Odd while there is no database.
  Atomics.store(words, GENERATION, 1)
  return {
    memory,
    open: (index) => {
      Atomics.store(words, INDEX, index ?? NONE)
      Atomics.add(words, GENERATION, 1)
    },
    lose: ({ message, hint }) => {
      const text = hint ? `${message} ${hint}` : message
      const { written } = new TextEncoder().encodeInto(text, reason)
      Atomics.store(words, REASON_BYTES, written)
      if (isOpen(Atomics.load(words, GENERATION))) Atomics.add(words, GENERATION, 1)
    },
    isFree: () => words.subarray(THREADS).every((_, at) => Atomics.load(words, THREADS + at) === 0),
    forget: (thread) => void Atomics.store(words, THREADS + thread, 0),
  }
}

export interface ThreadPlace {
  readonly memory: SharedArrayBuffer
  readonly thread: number
  readonly threads: number
}

/**
 * The side of a thread: `current` is its connection, which `connect` opens, to the database of the main thread; null if
 * that has been removed, which the main thread will notice too. Throws `Unavailable` while there is none.
 */
export function followSharing<Connection extends { close(): void }>(
  { memory, thread, threads }: ThreadPlace,
  connect: (generation: number, index: number | null) => Connection | null,
) {
  const { words, reason } = partsOf(memory, threads)
  let connection: Connection | null = null
  let generation = 0
  let loss: Unavailable | null = null

  const current = (): Connection => {
    if (Atomics.load(words, GENERATION) !== generation || connection === null) follow()
    if (connection === null) throw loss
    return connection
  }

  const follow = (): void => {
    const next = Atomics.load(words, GENERATION)
    if (next === generation) return
    letGo()
    if (isOpen(next)) reconnect(next)
    if (connection === null) lose()
  }

  const letGo = (): void => {
    connection?.close()
    connection = null
    generation = 0
    Atomics.store(words, THREADS + thread, 0)
  }

  const reconnect = (next: number): void => {
    // First, because the main thread waits for those it can see.
    Atomics.store(words, THREADS + thread, 1)
    const index = Atomics.load(words, INDEX)
    try {
      if (Atomics.load(words, GENERATION) !== next) return
      connection = connect(next, index === NONE ? null : index)
      generation = next
    } finally {
      if (connection === null) letGo()
    }
  }

  const lose = (): void => {
    const text = new TextDecoder().decode(reason.slice(0, Atomics.load(words, REASON_BYTES)))
    const message = text || 'The database was removed.'
    if (loss?.message !== message) loss = new Unavailable(message)
  }

  return { current, follow, close: letGo }
}

const partsOf = (memory: SharedArrayBuffer, threads: number) => ({
  words: new Int32Array(memory, 0, THREADS + threads),
  reason: new Uint8Array(memory, (THREADS + threads) * Int32Array.BYTES_PER_ELEMENT),
})

const isOpen = (generation: number): boolean => generation % 2 === 0
