import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { publicParts, publicRule } from '../visibility.ts'
import { cut, idsOf, OLDEST, rangeOf } from './positions.ts'
import { all, type Read, type ReadContext } from './read.ts'
import { comparePair, type Dialect, datedColumns, eachPart, infoColumns, statement } from './statement.ts'
import type { Cursor, Page, Timeline, VersionContent } from './types.ts'
import { contentsOf, type VersionStatements } from './versions.ts'

/** Dated versions of all public products of a team, or of all teams, newest first; `prereleases` as of a page. */
export function* readTimeline(
  { statements, now }: ReadContext<TimelineStatements>,
  team: string | null,
  after: Cursor | null,
  limit: number,
  prereleases?: Page['prereleases'],
): Read<Timeline> {
  const range = rangeOf('', now, after, OLDEST, limit)
  const { entries } = timelineOf(statements, team, prereleases)
  const page = cut(yield* all(entries, { ...range, team: team ?? '' }), range)
  return { entries: page.versions, next: page.next }
}

/** Versions of a timeline with their changes. Whether their products are public is not asked again. */
export function* readContents(
  { statements: { forPublic }, now }: ReadContext<{ forPublic: VersionStatements }>,
  entries: readonly Cursor[],
): Read<VersionContent[]> {
  const found = yield* all(forPublic.withIds.contents, { now, ids: idsOf(entries) })
  return yield* contentsOf(forPublic, found)
}

/** The positions of at most so many of them that are newer than a position, the nearest first. */
export function* readNewerInTimeline(
  { statements, now }: ReadContext<TimelineStatements>,
  team: string | null,
  than: Cursor,
  limit: number,
  prereleases?: Page['prereleases'],
): Read<Cursor[]> {
  const values = { now, team: team ?? '', thanAt: than.publishedAt, thanId: than.id, limit }
  return yield* all(timelineOf(statements, team, prereleases).newer, values)
}

const timelineOf = (
  { timeline }: TimelineStatements,
  team: string | null,
  prereleases?: Page['prereleases'],
) =>
  timeline[
    team === null ? (prereleases ? 'ofSiteStable' : 'ofSite') : prereleases ? 'ofTeamStable' : 'ofTeam'
  ]

interface TimelineStatements {
  timeline: ReturnType<typeof timelineStatements>
}

/** The versions of many products in one order. `public_version` has nothing hidden or undated, and an index for each of both. */
export function timelineStatements(dialect: Dialect) {
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
    ofTeam: statementsOf(dialect, status, ofTeam),
    ofTeamStable: statementsOf(dialect, status, and(ofTeam, isStable)),
    ofSite: statementsOf(dialect, inSiteIndex(status), undefined),
    ofSiteStable: statementsOf(dialect, inSiteIndex(status), isStable),
  }
}

function statementsOf(
  dialect: Dialect,
  status: Parameters<typeof publicParts>[0]['status'],
  scope: SQL | undefined,
) {
  const { builder, tables, limit, isLookedUp, checkedLast } = dialect
  const { teams, products, changelogs, versions, publicVersions } = tables
  const { publishedAt, versionId } = publicVersions
  const rule = publicRule(tables)
  const parts = { versionParts: publicParts({ status, publishedAt }) }
  const columns = { id: versionId, publishedAt }
  const newestFirst = { order: [desc(publishedAt), desc(versionId)], limit }
  const oldestFirst = { order: [asc(publishedAt), asc(versionId)], limit }
  // The rows of a page are limited first, so that no planner begins with another table.
  const page = eachPart(dialect, parts, newestFirst, ({ condition, before }) =>
    builder
      .select(columns)
      .from(publicVersions)
      .where(and(scope, condition, comparePair([publishedAt, versionId], '<', before))),
  ).as('page')

  return {
    entries: statement(
      builder
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
        builder
          .select(columns)
          .from(publicVersions)
          .where(
            and(scope, condition, comparePair([publishedAt, versionId], '>', { at: 'thanAt', id: 'thanId' })),
          ),
      ),
    ),
  }
}
