import { type Hint, Refusal } from '../domain/refusal.ts'

/** Why a request was not sent or not answered. `private` and `plain` depend on a setting, which the caller names. */
type OutgoingFault =
  | 'address'
  | 'private'
  | 'plain'
  | 'name'
  | 'connection'
  | 'certificate'
  | 'refused'
  | 'timeout'
  | 'size'
  | 'redirect'
  | 'broken'

/** The message names the host and never the rest of the address, which may hold a secret. */
export class OutgoingError extends Refusal {
  override readonly name: string = 'OutgoingError'

  constructor(
    readonly fault: OutgoingFault,
    message: string,
    options: { hint?: string | Hint | undefined; cause?: unknown } = {},
  ) {
    super(message, options)
  }
}
