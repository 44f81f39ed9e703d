import { and, asc, desc, eq, gt, isNotNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import { typedAs } from '../tables/columns.ts'
import { publicRule, type VersionPart, type VisibilityRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'
import { eachPart, positionColumns, statement } from './statement.ts'

/** The highest of so many scheduled versions is found. */
const MAX_SCHEDULED = 1_000

/**
 * What is between two semantic versions: positions in the order of the list, found in an index. `inRange` is the rest of
 * the range, and `inListOrder` chooses the index of a list.
 */
export function rangeStatementsFor(
  dialect: Dialect,
  rule: VisibilityRule,
  inRange: (part: VersionPart) => SQL | undefined,
  inListOrder: (sql: string) => string,
) {
  const { builder: db, tables, limit, byPrecedence } = dialect
  const { versions } = tables
  const byStatus = { versionParts: rule.statusParts }
  const inChangelog = eq(versions.changelogId, sql.placeholder('changelogId'))
  const isBetween = and(
    sql`${versions.precedence} > ${sql.placeholder('fromKey')}`,
    sql`${versions.precedence} <= ${sql.placeholder('toKey')}`,
  )
  const newestFirst = { order: [desc(versions.publishedAt), desc(versions.id)], limit }
  const positions = (parts: Pick<VisibilityRule, 'versionParts'>) =>
    eachPart(dialect, parts, newestFirst, (part) =>
      db
        .select(positionColumns(tables))
        .from(versions)
        .where(and(inRange(part), isBetween)),
    )

  return {
    /** Of a small range: all of it is looked at, and sorted. */
    inSmallRange: statement(positions(byStatus), byPrecedence),
    /** Of a large one: the list is looked through in its order. */
    inLargeRange: statement(positions(rule), inListOrder),

    /** How many a small range has to look at, at most `limit` of each status. */
    countBetween: statement(
      db.select({ count: sql`count(*)`.mapWith(Number) }).from(
        eachPart(dialect, byStatus, { order: [], limit }, ({ condition, before }) => {
          const isDue = before.at === 'dueAt'
          // In the order of an index, so that the planner chooses it.
          const few = db
            .select({ id: versions.id })
            .from(versions)
            .where(and(inChangelog, condition, isDue ? isNotNull(versions.precedence) : isBetween))
            .orderBy(desc(isDue ? versions.publishedAt : versions.precedence))
            .limit(limit)
            .as('few')
          return db.select({ id: few.id }).from(few)
        }).as('counted'),
      ),
      byPrecedence,
    ),
  }
}

/** The public version next to a precedence: of published ones, and of the newest scheduled ones. */
export const nearestStatements = (dialect: Dialect) => ({
  highest: nearest(dialect, lt, desc),
  lowest: nearest(dialect, gt, asc),
})

function nearest(dialect: Dialect, compare: typeof lt, order: typeof desc) {
  const { builder: db, tables, byPrecedence, rangeWithoutDrafts } = dialect
  const { versions } = tables
  const rule = publicRule(tables)
  const key = pick(versions, 'id', 'precedence')
  const than = sql.placeholder('than')
  const first = typedAs<Placeholder>(sql`1`)
  const [published, due] = rule.statusParts.map(({ condition }) =>
    and(eq(versions.changelogId, sql.placeholder('changelogId')), condition),
  )
  const newestDue = db
    .select(key)
    .from(versions)
    .where(and(due, isNotNull(versions.precedence)))
    .orderBy(desc(versions.publishedAt), desc(versions.id))
    .limit(typedAs<Placeholder>(sql.raw(`${MAX_SCHEDULED}`)))
    .as('due')
  return {
    published: statement(
      db
        .select(key)
        .from(versions)
        .where(and(published, compare(versions.precedence, than)))
        .orderBy(order(versions.precedence))
        .limit(first),
      byPrecedence,
    ),
    scheduled: statement(
      db
        .select({ id: newestDue.id, precedence: newestDue.precedence })
        .from(newestDue)
        .where(compare(newestDue.precedence, than))
        .orderBy(order(newestDue.precedence))
        .limit(first),
      rangeWithoutDrafts,
    ),
  }
}
