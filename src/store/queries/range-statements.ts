import { and, asc, desc, eq, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { typedAs } from '../tables/columns.ts'
import type { VersionPart, VisibilityRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'
import {
  boundColumns,
  changeColumns,
  contentColumns,
  datedColumns,
  eachPart,
  positionColumns,
  statement,
  summaryColumns,
} from './statement.ts'

/**
 * The reads of what is between two semantic versions, in the order of the list. The page is found in an index by precedence,
 * and only its rows are read. `inRange` is the rest of the range.
 */
export function rangeStatementsFor(
  dialect: Dialect,
  rule: VisibilityRule,
  inRange: (part: VersionPart) => SQL | undefined,
) {
  const { builder: db, tables, limit, byPrecedence } = dialect
  const { versions, changes } = tables
  const newestFirst = () => [desc(versions.publishedAt), desc(versions.id)]
  const page = eachPart(dialect, rule, { order: newestFirst(), limit }, (part) =>
    db
      .select(positionColumns(tables))
      .from(versions)
      .where(
        and(
          inRange(part),
          sql`${versions.precedence} > ${sql.placeholder('fromKey')}`,
          sql`${versions.precedence} <= ${sql.placeholder('toKey')}`,
        ),
      ),
  )
  const onPage = sql`(select ${sql.identifier('id')} from ${page.as('page')})`
  const isOnPage = sql`${versions.id} in ${onPage}`
  const highest = { order: [desc(versions.precedence)], limit: typedAs<Placeholder>(sql`1`) }

  return {
    summariesBetween: statement(
      db
        .select(summaryColumns(tables, rule))
        .from(versions)
        .where(isOnPage)
        .orderBy(...newestFirst()),
      byPrecedence,
    ),
    datedBetween: statement(
      db
        .select(datedColumns(tables, rule))
        .from(versions)
        .where(isOnPage)
        .orderBy(...newestFirst()),
      byPrecedence,
    ),
    contentsBetween: statement(
      db
        .select(contentColumns(tables, rule))
        .from(versions)
        .where(isOnPage)
        .orderBy(...newestFirst()),
      byPrecedence,
    ),
    /** Those of a version are in their order. */
    changesOfPage: statement(
      db
        .select({ versionId: changes.versionId, ...changeColumns(tables) })
        .from(changes)
        .where(sql`${changes.versionId} in ${onPage}`)
        .orderBy(asc(changes.versionId), asc(changes.position), asc(changes.id)),
      byPrecedence,
    ),

    /** The one of the highest precedence below that. */
    highest: statement(
      eachPart(dialect, rule, highest, ({ condition }) =>
        db
          .select({ ...boundColumns(tables), precedence: versions.precedence })
          .from(versions)
          .where(
            and(
              eq(versions.changelogId, sql.placeholder('changelogId')),
              condition,
              lt(versions.precedence, sql.placeholder('below')),
            ),
          ),
      ),
    ),
  }
}
