import type { Instant } from '../../domain/records.ts'

/** Why something does not work. */
export interface Trouble {
  since: Instant
  /** A sentence. */
  reason: string
  /** What to do about it, as a sentence or a command. */
  remedy: string | null
}
