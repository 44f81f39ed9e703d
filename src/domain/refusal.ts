import { reasonOf } from './errors.ts'
import { type Command, commandLine } from './text/shell.ts'

/** The kind of a refusal, for scripts: `exists` means that the name is taken. */
export type RefusalKind =
  | 'refused'
  | 'not_found'
  | 'unauthorized'
  | 'no_database'
  | 'exists'
  | 'unconfirmed'
  | 'unavailable'
  | 'outcome_unknown'

/** A remedy: a sentence, and the command that does it, or a line for a shell. */
export interface Hint {
  readonly text: string
  readonly command?: Command | string
  /** Another remedy, on a line of its own. */
  readonly or?: Hint
}

export const toRun = (
  text: string,
  name: string,
  args: readonly string[] = [],
  options: Command['options'] = {},
): Hint => ({ text, command: { name, args, options } })

export const hintText = (hint: string | Hint): string => {
  if (typeof hint === 'string') return hint
  const first = hint.command === undefined ? hint.text : `${hint.text}: ${commandLine(hint.command)}`
  return hint.or ? `${first}\n  ${hintText(hint.or)}` : first
}

/**
 * Why something was not done, for the user: `message` says what is wrong, `hint` what to do about it, which `advice` has
 * in parts. The command line prints both and exits with 1. Any other error is a defect.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly advice: Hint | undefined
  readonly hint: string | undefined
  readonly kind: RefusalKind

  constructor(
    message: string,
    options: { hint?: string | Hint | undefined; kind?: RefusalKind; cause?: unknown } = {},
  ) {
    super(message, options)
    const { hint } = options
    this.advice = typeof hint === 'string' ? { text: hint } : hint
    this.hint = hint && hintText(hint)
    this.kind = options.kind ?? 'refused'
  }
}

/** The engine or the file system failed. The API responds with a 503. */
export class Unavailable extends Refusal {
  override readonly name: string = 'Unavailable'
  override readonly kind: RefusalKind = 'unavailable'
}

/** True if waiting would not help: what was asked for is at fault, not the engine or the file system. */
export const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Refusal && !(error instanceof Unavailable)

/** The refusal of one input at which this program failed, so that the work on others goes on. */
export const defectIn = (what: string, cause: unknown): Refusal =>
  new Refusal(`${what} cannot be handled: ${reasonOf(cause)}.`, {
    hint: 'This is a bug in changelogd. Please report it.',
    cause,
  })

/** The engine did not confirm the commit of a command: it may have happened. */
export class OutcomeUnknown extends Unavailable {
  override readonly name = 'OutcomeUnknown'
  override readonly kind = 'outcome_unknown'
  /** Set if it was committed and a script cannot get it later: a token, or the path of a copy. */
  readonly result: unknown

  constructor(
    message: string,
    options: { hint?: string | Hint | undefined; cause?: unknown; result?: unknown } = {},
  ) {
    super(message, options)
    this.result = options.result
  }
}

export const withHint = (error: Refusal, hint: string | Hint): Refusal =>
  new Refusal(error.message, { hint, kind: error.kind, cause: error.cause })

/** The refusal of a name that `what` has. `show` is the command that prints it, and its arguments. */
export const taken = (what: string, [show, ...args]: readonly [string, ...string[]], reason = ''): Refusal =>
  new Refusal(`There is already a ${what}${reason}.`, {
    kind: 'exists',
    hint: toRun('To see it', show, args),
  })
