import { Unavailable } from '../../domain/refusal.ts'
import { pause } from '../../domain/time/waiting.ts'
import { isBusy } from './errors.ts'

/** How long one attempt waits. Short, because SQLite blocks the process then. */
const ATTEMPT_MS = 100

/** The pause between attempts, which may fail at once. */
const PAUSE_MS = 10

/** After this time, the wait is announced. */
const NOTICE_MS = 1_000

/** How long a command waits for a reply of the engine, unless it has a limit of its own. */
const ANSWER_MS = 30_000

/** How a command waits for the locks of other commands, and for the engine. */
export type Waiting = Readonly<ReturnType<typeof createWaiting>>

/** Waits for at most `limitMs`. `notice` gets the reason, once: other commands after a second. */
export function createWaiting(
  limitMs = Number.POSITIVE_INFINITY,
  notice: (what: string) => Promise<void> = async () => {},
) {
  let waitedMs = 0
  const announced = new Set<string>()

  const announce = async (what: string): Promise<void> => {
    if (announced.has(what)) return
    announced.add(what)
    await notice(what)
  }

  /** Retries until no other command is in the way. Throws `Unavailable` once all waits have reached the limit. */
  const untilFree = async <T>(attempt: () => T | Promise<T>): Promise<T> => {
    for (;;) {
      const start = performance.now()
      try {
        return await attempt()
      } catch (error) {
        if (!isBusy(error)) throw error
        if (limitMs > 0) await pause(PAUSE_MS)
        waitedMs += performance.now() - start
        if (waitedMs >= limitMs) throw stillBusy(error)
      }
      if (waitedMs >= NOTICE_MS) await announce('another changelogd command to finish')
    }
  }

  return {
    /** How long one attempt may wait for a lock. */
    attemptMs: Math.min(ATTEMPT_MS, limitMs),
    /** How long a command waits for an engine that does not answer. */
    answerMs: Number.isFinite(limitMs) ? limitMs : ANSWER_MS,
    announce,
    untilFree,
  }
}

const stillBusy = (cause: unknown): Unavailable =>
  new Unavailable('Another changelogd command is still using the database.', {
    hint: 'Try again when it is done, or wait longer: --wait SECONDS',
    cause,
  })
