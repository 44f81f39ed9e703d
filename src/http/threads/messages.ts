import type { Config } from '../../config/config.ts'
import type { LogEntry } from '../../log/lines.ts'
import type { LimiterShare } from '../pipeline/limits/limits.ts'

/** What a thread gets when it starts: its part in the limits, of which the clock cannot be passed on. */
export interface Task extends Omit<LimiterShare, 'now'> {
  readonly config: Config
  /** Its place among the threads, from 0 on. */
  readonly thread: number
  /** What the stores of all threads have in common. */
  readonly memory: SharedArrayBuffer | null
  /** Where all threads count, if there are metrics. */
  readonly metrics: SharedArrayBuffer | null
  /** The time on the clock of all threads when this one was started: its own `performance.now()` begins with 0 then. */
  readonly startedAt: number
}

/** Messages of a thread. */
export type Message =
  | { readonly listening: string }
  /** It cannot start. */
  | { readonly refusal: { readonly message: string; readonly hint: string | undefined } }
  /** Lines of the access log. */
  | { readonly log: string }
  /** An entry of the log. */
  | { readonly report: LogEntry }
  /** What happened to its connection to Redis, and whether that works now. */
  | { readonly redis: string; readonly works: boolean }
  /** A request to look whether the database is still there; the answer is `FILES_CHECKED`. */
  | { readonly look: true }

/** Messages to a thread: finish the requests in flight and end; the files were checked. */
export const STOP = 'stop'
export const FILES_CHECKED = 'looked'
