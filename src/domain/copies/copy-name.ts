import type { Instant } from '../records.ts'

/** A copy as its name tells it. */
export interface NamedCopy {
  name: string
  at: Instant
  schema: number
  /** Of which database it is; null if its name does not tell, as those of older programs. */
  databaseId: string | null
}

const NAME =
  /^changelogd-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-schema(\d+)(?:-([0-9a-f]{12}))?\.db\.zst$/

/** Names in the order of the alphabet are in that of time. */
export const copyName = (at: Instant, schema: number, databaseId: string | null): string =>
  `changelogd-${new Date(at).toISOString().replace(/[-:.]/g, '')}-schema${schema}${databaseId === null ? '' : `-${databaseId}`}.db.zst`

/** Null for a file that is none of ours. */
export function readName(name: string): NamedCopy | null {
  const [, year, month, day, hour, minute, second, millisecond, schema, databaseId = null] =
    NAME.exec(name) ?? []
  if (schema === undefined) return null
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`)
  return Number.isNaN(at) ? null : { name, at, schema: Number(schema), databaseId }
}

/** Whether a copy counts as one of this database. */
export const isOf = (databaseId: string | null, copy: NamedCopy): boolean =>
  copy.databaseId === null || copy.databaseId === databaseId
