import { cFunctions } from '../../files/c-library.ts'

/** From `time.h` of Linux. */
const CLOCK_THREAD_CPUTIME_ID = 3

let clock: (() => number) | undefined

/** Milliseconds that this thread has worked. Where the system does not tell, milliseconds that have passed. */
export function workedMs(): number {
  clock ??= threadClock() ?? (() => performance.now())
  return clock()
}

function threadClock(): (() => number) | null {
  const c = cFunctions({ clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } })
  if (!c) return null
  // Seconds and nanoseconds, of 64 bits each. The lower half is a plain number, and enough for a century of work.
  const halves = new Uint32Array(new ArrayBuffer(16))
  const time = c.ptr(halves)
  return () => {
    c.clock_gettime(CLOCK_THREAD_CPUTIME_ID, time)
    return (halves[0] as number) * 1e3 + (halves[2] as number) / 1e6
  }
}
