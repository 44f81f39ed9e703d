import { spanOf } from '../../domain/time/period.ts'
import { ApiError } from '../request/errors.ts'
import { someText } from './tool.ts'

export const since = someText(
  'Only versions released on or after this date, such as 2025-01-31, 2025-01 or 2025; or after this version.',
)
export const until = someText('Only versions released up to this date, including all of it.')

/** What a list leaves out by time, or before the version with a label. Throws `bad_request` for an `until` that is no date. */
export function periodOf(given: { since?: string; until?: string }) {
  const since = given.since === undefined ? null : spanOf(given.since)
  const until = given.until === undefined ? null : spanOf(given.until)
  if (given.until !== undefined && !until)
    throw new ApiError('bad_request', 'until must be a date, such as 2025-12-31, 2025-12 or 2025.')
  const newerThan = since ? undefined : given.since
  return { since: since?.start ?? null, before: until?.end ?? null, ...(newerThan && { newerThan }) }
}
