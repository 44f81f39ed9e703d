import { and, asc, desc, eq, isNotNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/sqlite-core'
import { standingOf } from '../../domain/versions/standing.ts'
import { typedAs } from '../tables/columns.ts'
import { publicRule, type VersionPart, type VisibilityRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'
import {
  boundColumns,
  changeColumns,
  contentColumns,
  datedColumns,
  eachPart,
  ordered,
  positionColumns,
  statement,
  summaryColumns,
} from './statement.ts'

/** The highest of so many scheduled versions is found. */
const MAX_SCHEDULED = 1_000

/**
 * The reads of what is between two semantic versions, in the order of the list. `inRange` is the rest of the range, and
 * `inListOrder` chooses the index of a list. The keys of a page are found in an index, and only its rows are read.
 */
export function rangeStatementsFor(
  dialect: Dialect,
  rule: VisibilityRule,
  inRange: (part: VersionPart) => SQL | undefined,
  inListOrder: (sql: string) => string,
) {
  const { builder: db, tables, limit, byPrecedence } = dialect
  const { versions, changes } = tables
  const newestFirst = () => [desc(versions.publishedAt), desc(versions.id)]
  const byStatus = { versionParts: rule.statusParts }
  const inChangelog = eq(versions.changelogId, sql.placeholder('changelogId'))
  const isBetween = and(
    sql`${versions.precedence} > ${sql.placeholder('fromKey')}`,
    sql`${versions.precedence} <= ${sql.placeholder('toKey')}`,
  )
  const keys = (parts: Pick<VisibilityRule, 'versionParts'>) =>
    eachPart(dialect, parts, { order: newestFirst(), limit }, (part) =>
      db
        .select(positionColumns(tables))
        .from(versions)
        .where(and(inRange(part), isBetween)),
    )

  const pageOf = (page: ReturnType<typeof keys>, finish: (sql: string) => string) => {
    const onPage = sql`(select ${sql.identifier('id')} from ${page.as('page')})`
    const finishList = withinList(finish)
    const select = <Columns extends SelectedFields>(columns: Columns) => {
      const onPageOnly = db.select(columns).from(versions).where(sql`${versions.id} in ${onPage}`)
      return statement(ordered(onPageOnly, newestFirst()), finishList)
    }
    return {
      summaries: select(summaryColumns(tables, rule)),
      dated: select(datedColumns(tables, rule)),
      contents: select(contentColumns(tables, rule)),
      /** Those of a version are in their order. */
      changes: statement(
        db
          .select({ versionId: changes.versionId, ...changeColumns(tables) })
          .from(changes)
          .where(sql`${changes.versionId} in ${onPage}`)
          .orderBy(asc(changes.versionId), asc(changes.position), asc(changes.id)),
        finishList,
      ),
    }
  }

  return {
    /** Of a small range: all of it is looked at, and sorted. */
    inSmallRange: pageOf(keys(byStatus), byPrecedence),
    /** Of a large one: the list is looked through in its order. */
    inLargeRange: pageOf(keys(rule), inListOrder),

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

/** The public versions of the highest precedence below another: of published ones, and of the newest scheduled ones. */
export function highestStatements(dialect: Dialect) {
  const { builder: db, tables, byPrecedence, rangeWithoutDrafts } = dialect
  const { versions } = tables
  const columns = { ...boundColumns(tables), precedence: versions.precedence, ...standingOf(versions) }
  const isBelow = lt(versions.precedence, sql.placeholder('below'))
  const [published, due] = publicRule(tables).statusParts.map(({ condition }) =>
    and(eq(versions.changelogId, sql.placeholder('changelogId')), condition),
  )
  const newestDue = db
    .select({ id: versions.id, precedence: versions.precedence })
    .from(versions)
    .where(and(due, isNotNull(versions.precedence)))
    .orderBy(desc(versions.publishedAt), desc(versions.id))
    .limit(typedAs<Placeholder>(sql.raw(`${MAX_SCHEDULED}`)))
    .as('due')
  const highestDue = db
    .select({ id: newestDue.id })
    .from(newestDue)
    .where(lt(newestDue.precedence, sql.placeholder('below')))
    .orderBy(desc(newestDue.precedence))
    .limit(typedAs<Placeholder>(sql`1`))
  return {
    published: statement(
      db
        .select(columns)
        .from(versions)
        .where(and(published, isBelow))
        .orderBy(desc(versions.precedence))
        .limit(typedAs<Placeholder>(sql`1`)),
      byPrecedence,
    ),
    scheduled: statement(
      db.select(columns).from(versions).where(sql`${versions.id} in ${highestDue}`),
      withinList(rangeWithoutDrafts),
    ),
  }
}

/** Edits only the list within a statement: `finish` chooses its index. */
const withinList = (finish: (sql: string) => string) => (sql: string) => {
  const at = sql.indexOf(' in (select ')
  return sql.slice(0, at) + finish(sql.slice(at))
}
