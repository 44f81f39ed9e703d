import type { Instant } from '../domain/records.ts'

/** The host wants to be left alone until a time. */
export class Postponed extends Error {
  override readonly name = 'Postponed'

  constructor(
    message: string,
    readonly until: Instant,
    readonly remedy: string | null,
    /** Who has asked for it, and whether of requests with a token. */
    readonly origin: string,
    readonly hasToken: boolean,
  ) {
    super(message)
  }
}
