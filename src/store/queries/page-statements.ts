import { and, asc, type Column, desc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { VisibilityRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'
import { infoColumns, type List, positionColumns, statement, summaryColumns } from './statement.ts'

/** The reads that only pages and feeds need, made as those of `statements.ts`. */

/** Within a changelog that `info` found. */
export function pageStatementsFor(dialect: Dialect, rule: VisibilityRule, list: List) {
  const { builder: db, tables, limit, skip } = dialect
  const { versions, changes } = tables
  const inChangelog = eq(versions.changelogId, sql.placeholder('changelogId'))
  const visible = and(inChangelog, rule.version)
  const after = and(
    visible,
    sql`(${versions.publishedAt}, ${versions.id}) < (${sql.placeholder('afterAt')}, ${sql.placeholder('afterId')})`,
  )
  const recent = db
    .select({ type: changes.type, typeLabel: changes.typeLabel })
    .from(versions)
    .innerJoin(changes, eq(changes.versionId, versions.id))
    .where(visible)
    .orderBy(desc(versions.publishedAt), desc(versions.id))
    .limit(limit)
    .as('recent')

  return {
    /** The versions newer than a position, the nearest first. */
    newer: list(
      db
        .select(summaryColumns(tables, rule))
        .from(versions)
        .where(
          and(
            visible,
            sql`(${versions.publishedAt}, ${versions.id}) > (${sql.placeholder('thanAt')}, ${sql.placeholder('thanId')})`,
          ),
        )
        .orderBy(asc(versions.publishedAt), asc(versions.id))
        .limit(limit),
    ),

    /** How many versions there are after a position; no more than `limit` are counted. */
    count: list(
      db
        .select({ count: sql<number>`count(*)` })
        .from(db.select({ id: versions.id }).from(versions).where(after).limit(limit).as('counted')),
    ),

    /** The positions after that one and `skip` others. */
    positions: list(
      db
        .select(positionColumns(tables))
        .from(versions)
        .where(after)
        .orderBy(desc(versions.publishedAt), desc(versions.id))
        .limit(limit)
        .offset(skip),
    ),

    /** The types of the newest changes, `limit` of them, the most frequent first. */
    types: list(
      db
        .select({ type: recent.type, typeLabel: sql<string | null>`max(${recent.typeLabel})` })
        .from(recent)
        .groupBy(recent.type)
        .orderBy(desc(sql`count(*)`), asc(recent.type)),
    ),
  }
}

/** The changelogs of all teams, or of one, in the order of their slugs. What is hidden is not even looked at. */
export function directoryStatement(dialect: Dialect, rule: VisibilityRule) {
  const { builder: db, tables, limit, withoutDrafts } = dialect
  const { teams, products, changelogs, publicProducts, versions } = tables
  const newest = <Value>(column: Column | SQL) =>
    sql<Value | null>`(select ${column} from ${versions} where ${versions.changelogId} = ${changelogs.id} and ${rule.version} order by ${versions.publishedAt} desc, ${versions.id} desc limit 1)`

  return statement(
    db
      .select({
        ...infoColumns(tables),
        newest: {
          label: newest<string>(versions.label),
          // null also if it is not known
          publishedAt: newest<number>(sql`case when ${versions.dateKnown} then ${versions.publishedAt} end`),
        },
      })
      .from(publicProducts)
      .innerJoin(products, eq(products.id, publicProducts.productId))
      .innerJoin(teams, eq(teams.id, products.teamId))
      .innerJoin(changelogs, eq(changelogs.productId, products.id))
      .where(
        and(
          sql`(${publicProducts.teamSlug}, ${publicProducts.productSlug}) > (${sql.placeholder('team')}, ${sql.placeholder('product')})`,
          lte(publicProducts.teamSlug, sql.placeholder('lastTeam')),
          rule.changelog,
        ),
      )
      .orderBy(asc(publicProducts.teamSlug), asc(publicProducts.productSlug))
      .limit(limit),
    withoutDrafts,
  )
}
