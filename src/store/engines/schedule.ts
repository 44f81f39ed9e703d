import type { Instant } from '../../domain/records.ts'

/** From one scheduled publication (inclusive) to the next (exclusive): the same versions are public. */
export interface ScheduleWindow {
  since: Instant
  until: Instant
}

/** The window without scheduled versions. */
export const ALWAYS: ScheduleWindow = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }

export const includes = ({ since, until }: ScheduleWindow, now: Instant): boolean =>
  since <= now && now < until

/** The columns of the window that includes `now`, an SQL expression: see `windowOf`. */
export const windowColumns = (now: string): string =>
  `(select max(published_at) from version where status = 'scheduled' and published_at <= ${now}),
   (select min(published_at) from version where status = 'scheduled' and published_at > ${now})`

/** The window from a row of `windowColumns`; `ALWAYS` if there is no scheduled version. */
export function windowOf([since, until]: readonly unknown[]): ScheduleWindow {
  if (since === null && until === null) return ALWAYS
  return { since: Number(since ?? ALWAYS.since), until: Number(until ?? ALWAYS.until) }
}
