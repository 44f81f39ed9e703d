import type { Instant } from '../domain/records.ts'

/** The host wants to be left alone until a time. */
export class Postponed extends Error {
  override readonly name = 'Postponed'

  constructor(
    message: string,
    readonly until: Instant,
    readonly remedy: string | null,
    /** Of which quota. */
    readonly quota: string,
  ) {
    super(message)
  }
}
