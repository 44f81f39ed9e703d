import { Refusal, Unavailable } from '../../../domain/refusal.ts'
import { engineError } from '../../../store/sqlite/errors.ts'

/** Does what a record of a file asks for. If that is refused, the message begins with where the record is. */
export async function locate<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const error = engineError(thrown, where)
    if (!(error instanceof Refusal) || error instanceof Unavailable) throw thrown
    throw new Refusal(`${where}: ${error.message}`, { hint: error.hint, cause: error })
  }
}
