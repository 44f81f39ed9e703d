import type { Instant } from '../records.ts'

/** How long to wait after so many failures in a row: `first`, then twice as long each time, up to `longest`. */
export const backOff = (failures: number, first: number, longest: number): number =>
  Math.min(longest, first * 2 ** (failures - 1))

/** When a server wants to be asked again, as its Retry-After says: seconds, or a date. */
export function retryAfter(headers: Headers, now: Instant): Instant | null {
  const text = headers.get('retry-after')?.trim() ?? ''
  const at = /^\d+$/.test(text) ? now + Number(text) * 1_000 : Date.parse(text)
  return Number.isNaN(at) ? null : at
}
