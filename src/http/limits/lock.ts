/** A spin lock in shared memory for short, synchronous work, in which no thread can end. The word is 1 while it is held. */

/** Attempts without a pause. The lock is usually held for nanoseconds. */
const TRIES = 1_000
const PAUSE_MS = 1

export function acquire(word: Int32Array): void {
  for (let tries = 1; Atomics.compareExchange(word, 0, 0, 1) !== 0; tries++)
    if (tries % TRIES === 0) Atomics.wait(word, 0, 1, PAUSE_MS)
}

export function release(word: Int32Array): void {
  Atomics.store(word, 0, 0)
}
