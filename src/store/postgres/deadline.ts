import { databaseName } from '../../domain/addresses/database.ts'
import { Unavailable } from '../../domain/refusal.ts'
import { inTime } from '../../domain/time/waiting.ts'

class Late extends Unavailable {}

export const isLate = (error: unknown): boolean => error instanceof Late

/** Throws `Unavailable` after the deadline, and calls `cancel`. The client has no such limit. */
export const before = <T>(
  ms: number,
  address: string,
  work: Promise<T>,
  cancel: () => void = () => {},
): Promise<T> =>
  inTime(ms, work, () => {
    // Not at once, or the result would be that it was canceled.
    queueMicrotask(cancel)
    return new Late(`The database ${databaseName(address)} did not respond within ${ms} ms.`)
  })
