import type { Config } from '../../config/config.ts'
import type { Hint } from '../../domain/refusal.ts'
import type { LogEntry } from '../../log/report.ts'
import type { LimiterShare } from '../limits/limits.ts'

/** The input of a thread. A clock cannot be passed on. */
export interface Task extends Omit<LimiterShare, 'now'> {
  readonly config: Config
  /** Its index among the threads. */
  readonly thread: number
  /** A number that no other thread ever had. */
  readonly owner: number
  /** Shared by the stores of all threads. */
  readonly memory: SharedArrayBuffer | null
  /** Shared counters, if there are metrics. */
  readonly metrics: SharedArrayBuffer | null
  /** The main thread's clock at the start: `performance.now()` of a thread begins with 0. */
  readonly startedAt: number
}

/** From a thread. */
export type Message =
  | { readonly listening: string }
  | { readonly refusal: { readonly message: string; readonly hint: Hint | undefined } }
  /** Lines of the access log. */
  | { readonly log: string }
  | { readonly report: LogEntry }
  /** News of its Redis connection, and whether it works. */
  | { readonly redis: string; readonly works: boolean }

/** To a thread: finish the requests in flight and end; or read the certificate again. */
export const STOP = 'stop'
export const RELOAD = 'reload'
