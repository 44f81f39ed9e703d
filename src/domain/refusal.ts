/**
 * Why something was not done. The only vocabulary of failure between the layers: the HTTP side turns a
 * refusal into a status and a JSON body, the command line into one line and an exit status. Anything thrown
 * that is not a refusal is a defect: clients are told nothing of it, whoever runs the program all.
 */
export type RefusalCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'locked'
  | 'unavailable'

export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly code: RefusalCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
