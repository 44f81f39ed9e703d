import { Unavailable } from '../../domain/refusal.ts'
import { isBusy } from './errors.ts'

/**
 * How long SQLite waits for a lock by itself. That blocks the process, so it is short: between two attempts a notice
 * can be printed and a signal handled.
 */
const ATTEMPT_MS = 100

/** Between two attempts: not every attempt waits by itself. */
const PAUSE_MS = 10

/** How long a wait is worth a notice. */
const NOTICE_MS = 1_000

/** How one command waits for the locks that other commands hold. */
export interface Waiting {
  /** For `PRAGMA busy_timeout`: how long one attempt may wait. */
  readonly attemptMs: number
  /**
   * Tries again and again until no other command is in the way, and gives the result. Throws `Unavailable` when all
   * waits together have taken as long as this command may wait; any other error at once.
   */
  untilFree<T>(attempt: () => T): Promise<T>
}

/**
 * Waits for at most `limitMs`; 0: not at all; by default until the others are done. Calls `notice` once, when it has
 * waited for a second.
 */
export function createWaiting(
  limitMs = Number.POSITIVE_INFINITY,
  notice: () => Promise<void> = async () => {},
): Waiting {
  let waitedMs = 0
  let isNoticed = false

  const untilFree = async <T>(attempt: () => T): Promise<T> => {
    for (;;) {
      const start = performance.now()
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error)) throw error
        if (limitMs > 0) await Bun.sleep(PAUSE_MS)
        waitedMs += performance.now() - start
        if (waitedMs >= limitMs) throw stillBusy(error)
      }
      if (waitedMs < NOTICE_MS || isNoticed) continue
      isNoticed = true
      await notice()
    }
  }

  return { attemptMs: Math.min(ATTEMPT_MS, limitMs), untilFree }
}

const stillBusy = (cause: unknown): Unavailable =>
  new Unavailable('Another changelogd command is still using the database.', {
    hint: 'Try again when it is done, or wait longer with --wait SECONDS; without --wait there is no limit.',
    cause,
  })
