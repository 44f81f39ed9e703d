import { databaseName } from '../../domain/addresses/database.ts'
import { Unavailable } from '../../domain/refusal.ts'

class Late extends Unavailable {}

export const isLate = (error: unknown): boolean => error instanceof Late

/** Throws `Unavailable` after the deadline, and calls `cancel`. The client has no such limit. */
export async function before<T>(
  ms: number,
  address: string,
  work: Promise<T>,
  cancel: () => void = () => {},
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Late(`The database ${databaseName(address)} does not answer within ${ms} ms.`))
    cancel()
  }, ms)
  // A failure after the deadline is ignored.
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
