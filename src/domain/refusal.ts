/** What kind of refusal it is, for scripts: `exists` means that the name is taken. */
export type RefusalKind =
  | 'refused'
  | 'not_found'
  | 'unauthorized'
  | 'no_database'
  | 'exists'
  | 'unconfirmed'
  | 'unavailable'
  | 'outcome_unknown'

/**
 * Why something was not done, for the user: `message` says what is wrong, `hint` what to do about it, usually as
 * a command to run. The command line prints both and exits with 1. Any other error is a defect.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly hint: string | undefined
  readonly kind: RefusalKind

  constructor(
    message: string,
    options: { hint?: string | undefined; kind?: RefusalKind; cause?: unknown } = {},
  ) {
    super(message, options)
    this.hint = options.hint
    this.kind = options.kind ?? 'refused'
  }
}

/** The engine or the file system failed. The API responds with a 503. */
export class Unavailable extends Refusal {
  override readonly name: string = 'Unavailable'
  override readonly kind: RefusalKind = 'unavailable'
}

/** The engine did not confirm the commit of a command: it may have happened. */
export class OutcomeUnknown extends Unavailable {
  override readonly name = 'OutcomeUnknown'
  override readonly kind = 'outcome_unknown'
  /** What a script needs if it was committed and cannot get later: a token, or the path of a copy. */
  readonly result: unknown

  constructor(
    message: string,
    options: { hint?: string | undefined; cause?: unknown; result?: unknown } = {},
  ) {
    super(message, options)
    this.result = options.result
  }
}

export const withHint = (error: Refusal, hint: string): Refusal =>
  new Refusal(error.message, { hint, kind: error.kind, cause: error.cause })

/** The refusal of a name that `what` has; `show` is the command that prints it. */
export const taken = (what: string, show: string, reason = ''): Refusal =>
  new Refusal(`There is a ${what} already${reason}.`, {
    kind: 'exists',
    hint: `To see it: changelogd ${show}`,
  })
