import type { Instant } from '../records.ts'

/** A copy as its name tells it. */
export interface NamedCopy {
  name: string
  at: Instant
  schema: number
}

const NAME = /^changelogd-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-schema(\d+)\.db\.zst$/

/** Names in the order of the alphabet are in that of time. */
export const nameOf = (at: Instant, schema: number): string =>
  `changelogd-${new Date(at).toISOString().replace(/[-:.]/g, '')}-schema${schema}.db.zst`

/** Null for a file that is none of ours. */
export function readName(name: string): NamedCopy | null {
  const [, year, month, day, hour, minute, second, millisecond, schema] = NAME.exec(name) ?? []
  if (schema === undefined) return null
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`)
  return Number.isNaN(at) ? null : { name, at, schema: Number(schema) }
}
