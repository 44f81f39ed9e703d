/** A spin lock in shared memory for short, synchronous work. The word is 0, or the number of the holding thread. */

/** Attempts without a pause. The lock is usually held for nanoseconds. */
const TRIES = 1_000
const PAUSE_MS = 1

export function acquire(word: Int32Array, owner: number): void {
  if (Atomics.compareExchange(word, 0, 0, owner) !== 0) wait(word, owner)
}

export function release(word: Int32Array): void {
  Atomics.store(word, 0, 0)
}

/** Releases the lock of a thread that has ended; otherwise the others would wait forever. */
export function releaseFor(word: Int32Array, owner: number): void {
  Atomics.compareExchange(word, 0, owner, 0)
}

function wait(word: Int32Array, owner: number): void {
  for (;;) {
    let holder = 0
    for (let tries = 0; tries < TRIES; tries++) {
      holder = Atomics.compareExchange(word, 0, 0, owner)
      if (holder === 0) return
    }
    Atomics.wait(word, 0, holder, PAUSE_MS)
  }
}
