import type { Instant } from '../domain/records.ts'

/** Something that the worker does by itself, again and again. */
export interface Job {
  /** For the log. */
  readonly name: string
  /**
   * Does what is due, a bounded number of things at once, and resolves to when it wants to be called next. Ends early,
   * with nothing half done, once `signal` is aborted. If it throws, that is reported, and it is called again later.
   */
  round(now: Instant, signal: AbortSignal): Promise<Instant>
  /** Makes everything due at the next round, which is called at once: the operator has asked for it. */
  hurry?(): void
  /** Resolves once everything that rounds have begun has ended. */
  ended?(): Promise<void>
}
