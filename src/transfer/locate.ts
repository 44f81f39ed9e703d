import { isRefusal, Refusal } from '../domain/refusal.ts'
import { brokenRule } from '../store/engines/errors.ts'

/** The line of a record by its position, as a warning has it. */
export const lineOf = (where: string): number => Number(/\d+$/.exec(where)?.[0] ?? 1)

/** Prefixes a refusal of `work` with the position of the record in its file. */
export async function locate<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const error = brokenRule(thrown) ?? thrown
    if (!isRefusal(error)) throw thrown
    const { advice: hint, kind } = error
    throw new Refusal(`${where}: ${error.message}`, { hint, kind, cause: error })
  }
}
