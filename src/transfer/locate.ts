import { Refusal, Unavailable } from '../domain/refusal.ts'
import { brokenRule } from '../store/broken-rule.ts'

/** Does what a record of a file asks for. If that is refused, the message begins with where the record is. */
export async function locate<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const error = brokenRule(thrown) ?? thrown
    if (!(error instanceof Refusal) || error instanceof Unavailable) throw thrown
    throw new Refusal(`${where}: ${error.message}`, {
      hint: error.hint,
      kind: error.kind,
      cause: error,
    })
  }
}
