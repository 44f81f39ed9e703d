import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { publicParts, type VisibilityRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'
import { comparePair, datedColumns, eachPart, infoColumns, statement } from './statement.ts'

/** The versions of many products in one order. `public_version` has nothing hidden or undated, and an index for each of both. */
export function timelineStatements(dialect: Dialect, rule: VisibilityRule) {
  const { builder, tables, inSiteIndex } = dialect
  const { teams, publicVersions } = tables
  const teamId = builder
    .select({ id: teams.id })
    .from(teams)
    .where(eq(teams.slug, sql.placeholder('team')))
  const { status, prerelease } = publicVersions
  const ofTeam = sql`${publicVersions.teamId} = (${teamId})`
  const isStable = sql`${prerelease} = false`
  return {
    ofTeam: statementsOf(dialect, rule, status, ofTeam),
    ofTeamStable: statementsOf(dialect, rule, status, and(ofTeam, isStable)),
    ofSite: statementsOf(dialect, rule, inSiteIndex(status), undefined),
    ofSiteStable: statementsOf(dialect, rule, inSiteIndex(status), isStable),
  }
}

function statementsOf(
  dialect: Dialect,
  rule: VisibilityRule,
  status: Parameters<typeof publicParts>[0]['status'],
  scope: SQL | undefined,
) {
  const { builder: db, tables, limit, isLookedUp, checkedLast } = dialect
  const { teams, products, changelogs, versions, publicVersions } = tables
  const { publishedAt, versionId } = publicVersions
  const parts = { versionParts: publicParts({ status, publishedAt }) }
  const columns = { id: versionId, publishedAt }
  const newestFirst = { order: [desc(publishedAt), desc(versionId)], limit }
  const oldestFirst = { order: [asc(publishedAt), asc(versionId)], limit }
  // The rows of a page are limited first, so that no planner begins with another table.
  const page = eachPart(dialect, parts, newestFirst, ({ condition, before }) =>
    db
      .select(columns)
      .from(publicVersions)
      .where(and(scope, condition, comparePair([publishedAt, versionId], '<', before))),
  ).as('page')

  return {
    entries: statement(
      db
        .select({ ...infoColumns(tables), ...datedColumns(tables, rule), kinds: versions.kinds })
        .from(page)
        .innerJoin(versions, isLookedUp(versions.id, page.id))
        .innerJoin(changelogs, isLookedUp(changelogs.id, versions.changelogId))
        .innerJoin(products, isLookedUp(products.id, changelogs.productId))
        .innerJoin(teams, isLookedUp(teams.id, products.teamId))
        .where(checkedLast(and(rule.changelog, rule.version)))
        .orderBy(desc(page.publishedAt), desc(page.id)),
    ),

    /** Positions newer than one, nearest first. */
    newer: statement(
      eachPart(dialect, parts, oldestFirst, ({ condition }) =>
        db
          .select(columns)
          .from(publicVersions)
          .where(
            and(scope, condition, comparePair([publishedAt, versionId], '>', { at: 'thanAt', id: 'thanId' })),
          ),
      ),
    ),
  }
}
