import type { Config } from '../../config.ts'
import type { Tables } from '../pipeline/limits/limits.ts'

/** What a thread gets when it starts. */
export interface Task {
  readonly config: Config
  /** Its number, which no other thread of the server has or had. */
  readonly owner: number
  readonly tables: Tables
  /** A lock for closing the store. */
  readonly closing: Int32Array
  /** The time on the clock of all threads when this one was started: its own `performance.now()` begins with 0 then. */
  readonly startedAt: number
}

/** What a thread says. */
export type Message =
  | { readonly listening: string }
  /** It cannot start. */
  | { readonly refusal: { readonly message: string; readonly hint: string | undefined } }
  /** Lines of the access log. */
  | { readonly log: string }
  /** A text for the operator. */
  | { readonly report: string }

/** What a thread is told: to finish the requests in flight and end. */
export const STOP = 'stop'
