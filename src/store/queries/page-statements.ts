import { and, asc, type Column, desc, eq, gt, gte, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Rule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'
import { infoColumns, statement, summaryColumns } from './statement.ts'

/** The reads that only pages and feeds need, made as those of `statements.ts`. */

/** Within a changelog that `info` found. */
export function pageStatementsFor(dialect: Dialect, rule: Rule) {
  const { builder: db, tables, limit } = dialect
  const { versions, changes } = tables
  const inChangelog = eq(versions.changelogId, sql.placeholder('changelogId'))
  const visible = and(inChangelog, rule.version)
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
    newer: statement(
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

    /** How many versions there are; no more than `limit` are counted. */
    count: statement(
      db
        .select({ count: sql<number>`count(*)` })
        .from(db.select({ id: versions.id }).from(versions).where(visible).limit(limit).as('counted')),
    ),

    /** The types of the newest changes, `limit` of them, the most frequent first. */
    types: statement(
      db
        .select({ type: recent.type, typeLabel: sql<string | null>`max(${recent.typeLabel})` })
        .from(recent)
        .groupBy(recent.type)
        .orderBy(desc(sql`count(*)`), asc(recent.type)),
    ),
  }
}

/**
 * The changelogs of all teams, or of one, in the order of their slugs. A range of `limit` products is read, whether or not
 * they are visible, so that the work does not depend on how many are hidden.
 */
export function directoryStatements({ builder: db, tables, limit, offset }: Dialect, rule: Rule) {
  const { teams, products, changelogs, versions } = tables
  const range = db
    .select({ id: products.id, team: sql<string>`${teams.slug}`.as('team'), product: products.slug })
    .from(teams)
    .innerJoin(products, eq(products.teamId, teams.id))
    .where(
      and(
        gte(teams.slug, sql.placeholder('team')),
        lte(teams.slug, sql.placeholder('lastTeam')),
        or(gt(teams.slug, sql.placeholder('team')), gt(products.slug, sql.placeholder('product'))),
      ),
    )
    .orderBy(asc(teams.slug), asc(products.slug))
    .limit(limit)
    .as('range')
  const newest = <Value>(column: Column | SQL) =>
    sql<Value | null>`(select ${column} from ${versions} where ${versions.changelogId} = ${changelogs.id} and ${rule.version} order by ${versions.publishedAt} desc, ${versions.id} desc limit 1)`

  return {
    visible: statement(
      db
        .select({
          ...infoColumns(tables),
          newest: {
            label: newest<string>(versions.label),
            // null also if it is not known
            publishedAt: newest<number>(
              sql`case when ${versions.dateKnown} then ${versions.publishedAt} end`,
            ),
          },
        })
        .from(range)
        .innerJoin(products, eq(products.id, range.id))
        .innerJoin(teams, eq(teams.id, products.teamId))
        .innerJoin(changelogs, eq(changelogs.productId, products.id))
        .where(rule.changelog)
        .orderBy(asc(teams.slug), asc(products.slug)),
    ),

    /** The last product of the range, if there may be more after it. */
    end: statement(
      db
        .select({ team: sql<string>`${range.team}`, product: range.product })
        .from(range)
        .orderBy(asc(range.team), asc(range.product))
        .limit(1)
        .offset(offset),
    ),
  }
}
