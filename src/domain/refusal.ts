/**
 * Why something was not done, for the person who asked: `message` says what is wrong, `hint` what to do about it,
 * usually as a command to run. The command line prints both and exits with 1. Anything else that is thrown is a
 * defect.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly hint: string | undefined

  constructor(message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options)
    this.hint = options.hint
  }
}

/** The store's engine or its files failed. The API answers 503 to whoever was reading. */
export class Unavailable extends Refusal {
  override readonly name = 'Unavailable'
}
