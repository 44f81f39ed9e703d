import { and, type Column, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { FilterName, VersionFilter } from '../../domain/versions/properties.ts'
import { typedAs } from '../tables/schema.ts'
import { PUBLIC_PARTS, publicRule } from '../visibility.ts'
import {
  cut,
  eachFilter,
  filteredBy,
  idsOf,
  isAfter,
  isNewer,
  type ListPart,
  list,
  newestFirst,
  OLDEST,
  oldestFirst,
  rangeOf,
} from './lists.ts'
import { all, type Read, type ReadContext } from './read.ts'
import { columnsFor, type Dialect, statement } from './statement.ts'
import type { Cursor, Timeline, VersionContent } from './types.ts'
import { contentsOf, type VersionStatements } from './versions.ts'

/** Dated versions of all public products of a team, or of all teams, newest first. */
export function* readTimeline(
  { statements, now }: ReadContext<TimelineStatements>,
  team: string | null,
  after: Cursor | null,
  limit: number,
  filter: VersionFilter = {},
): Read<Timeline> {
  const range = rangeOf('', now, after, OLDEST, limit)
  const { entries } = timelineOf(statements, team, filter)
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

/** The positions of versions in a timeline that are newer than a position, the nearest first. */
export function* readNewerInTimeline(
  { statements, now }: ReadContext<TimelineStatements>,
  team: string | null,
  than: Cursor,
  limit: number,
  filter: VersionFilter = {},
): Read<Cursor[]> {
  const values = { now, team: team ?? '', thanAt: than.publishedAt, thanId: than.id, limit }
  return yield* all(timelineOf(statements, team, filter).newer, values)
}

const timelineOf = ({ timeline }: TimelineStatements, team: string | null, filter: VersionFilter) =>
  filteredBy(team === null ? timeline.ofSite : timeline.ofTeam, filter)

interface TimelineStatements {
  timeline: ReturnType<typeof timelineStatements>
}

/** The versions of many products in one order. `public_version` has nothing hidden or undated, and one index per timeline. */
export function timelineStatements(dialect: Dialect) {
  const { builder, tables } = dialect
  const { teams, publicVersions } = tables
  const teamId = builder
    .select({ id: teams.id })
    .from(teams)
    .where(eq(teams.slug, sql.placeholder('team')))
  const ofTeam = sql`${publicVersions.teamId} = (${teamId})`
  const stay: Record<FilterName, SQL> = { prereleases: sql`${publicVersions.prerelease} = false` }
  const filtered = (keyOf: (status: Column) => Column | SQL, scope?: SQL) =>
    eachFilter((names) => statementsOf(dialect, keyOf, and(scope, ...names.map((name) => stay[name]))))
  return { ofTeam: filtered((status) => status, ofTeam), ofSite: filtered(dialect.listKey) }
}

function statementsOf(dialect: Dialect, keyOf: (status: Column) => Column | SQL, scope: SQL | undefined) {
  const { builder, tables, limit, isLookedUp, checkedLast } = dialect
  const { teams, products, changelogs, versions, publicVersions } = tables
  const { status, publishedAt, versionId: id } = publicVersions
  const rule = publicRule(tables)
  const columns = columnsFor(tables, rule)
  const position = { publishedAt, id }
  const parts = PUBLIC_PARTS.map(
    ({ condition, before }): ListPart => ({
      from: typedAs(publicVersions),
      ...position,
      position,
      before,
      condition: and(scope, condition({ status, statusKey: keyOf(status), publishedAt })),
    }),
  )
  // The rows of a page are limited first, so that no planner begins with another table.
  const page = list(dialect, parts, position, { order: newestFirst, limit }, isAfter).as('page')

  return {
    entries: statement(
      builder
        .select({ ...columns.info, ...columns.dated, kinds: versions.kinds })
        .from(page)
        .innerJoin(versions, isLookedUp(versions.id, page.id))
        .innerJoin(changelogs, isLookedUp(changelogs.id, versions.changelogId))
        .innerJoin(products, isLookedUp(products.id, changelogs.productId))
        .innerJoin(teams, isLookedUp(teams.id, products.teamId))
        .where(checkedLast(and(rule.changelog, rule.version)))
        .orderBy(desc(page.publishedAt), desc(page.id)),
    ),

    newer: statement(list(dialect, parts, position, { order: oldestFirst, limit }, isNewer)),
  }
}
