import type { Instant } from '../domain/records.ts'
import { pause } from '../domain/time/waiting.ts'

/** How long after an error, such as a database that does not answer, a job runs again. */
const RETRY_MS = 15_000

/** Runs the jobs side by side, each at the times it asks for. Errors go to `report`. */
export function startLoop(jobs: readonly Job[], now: () => Instant, report: (error: unknown) => void) {
  const stopping = new AbortController()
  const hurried = new Set<Job>()
  let waking = new AbortController()
  const wakeAll = () => {
    waking.abort()
    waking = new AbortController()
  }

  const run = async (job: Job): Promise<void> => {
    while (!stopping.signal.aborted) {
      hurried.delete(job)
      const next = await job.round(now(), stopping.signal).catch((error: unknown) => {
        report(error)
        return now() + RETRY_MS
      })
      if (!stopping.signal.aborted && !hurried.has(job)) await pause(next - now(), waking.signal)
    }
    await job.ended?.().catch(report)
  }

  return {
    /** Resolves once every job has ended, after `stop`. */
    ended: Promise.all(jobs.map(run)).then(() => {}),
    /** Calls every job now, with everything due. */
    hurry: () => {
      for (const job of jobs) {
        job.hurry?.()
        hurried.add(job)
      }
      wakeAll()
    },
    stop: () => {
      stopping.abort()
      wakeAll()
    },
  }
}

/** Runs every job once. Throws the first error after all have ended. */
export async function runOnce(jobs: readonly Job[], now: () => Instant, signal: AbortSignal): Promise<void> {
  const results = await Promise.allSettled(
    jobs.map(async (job) => {
      await job.round(now(), signal)
      await job.ended?.()
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

export interface Job {
  /**
   * Does the work that is due, with bounded concurrency, and resolves to the time of its next call. Ends early, with
   * nothing half done, once `signal` is aborted. If it throws, the error is reported, and it is called again later.
   */
  round(now: Instant, signal: AbortSignal): Promise<Instant>
  /** Makes everything due at the next round, which is called at once: the operator has asked for it. */
  hurry?(): void
  /** Resolves once everything that rounds have begun has ended. */
  ended?(): Promise<void>
}
