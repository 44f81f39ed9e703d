import type { Instant } from '../../domain/records.ts'
import type { Cursor } from './types.ts'

/** A position before all versions, to end a list. */
export const OLDEST: Cursor = { publishedAt: Number.MIN_SAFE_INTEGER, id: '' }

/** The newer of two positions. */
export const newer = (one: Cursor, other: Cursor): Cursor =>
  one.publishedAt > other.publishedAt || (one.publishedAt === other.publishedAt && one.id > other.id)
    ? one
    : other

export type Range = ReturnType<typeof rangeOf>

/** The versions strictly between two positions. Scheduled ones only if they are due. */
export function rangeOf(
  changelogId: string,
  now: Instant,
  after: Cursor | null,
  beyond: Cursor,
  limit: number | null,
) {
  const notDue: Cursor = { publishedAt: now + 1, id: '' }
  const due = after && newer(after, notDue) === notDue ? after : notDue
  return {
    changelogId,
    now,
    afterAt: after?.publishedAt ?? Number.MAX_SAFE_INTEGER,
    afterId: after?.id ?? '',
    dueAt: due.publishedAt,
    dueId: due.id,
    beyondAt: beyond.publishedAt,
    beyondId: beyond.id,
    // One more tells whether there is a next page.
    limit: limit === null ? Number.MAX_SAFE_INTEGER : limit + 1,
  }
}

/** Without the extra version, and with the start of the next page, if any. */
export function cut<Version extends Cursor>(
  found: Version[],
  { limit }: Range,
): { versions: Version[]; next: Cursor | null } {
  if (found.length < limit) return { versions: found, next: null }
  const versions = found.slice(0, limit - 1)
  return { versions, next: versions.at(-1) ?? null }
}

/** Ids as statements take them. */
export const idsOf = (found: readonly { id: string }[]): string => JSON.stringify(found.map(({ id }) => id))
