import { and, eq, type Placeholder, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/sqlite-core'
import { pick } from '../../domain/objects.ts'
import { readCounts } from '../../domain/versions/derived.ts'
import type { Kind } from '../../domain/versions/kinds.ts'
import type { FilterName, VersionFilter } from '../../domain/versions/properties.ts'
import { isPrerelease, type ReleaseWords } from '../../domain/versions/standing.ts'
import { FILTERED } from '../tables/schema.ts'
import { PUBLIC_PARTS, type VisibilityRule } from '../visibility.ts'
import {
  cut,
  eachFilter,
  filteredBy,
  idsOf,
  inRange,
  isAfter,
  isNewer,
  type ListPart,
  list,
  newer,
  newestFirst,
  OLDEST,
  oldestFirst,
  onlyBy,
  partsBy,
  type Range,
  rangeOf,
} from './lists.ts'
import { neighborsOf, orderStatements } from './order.ts'
import { pictureStatements } from './pictures.ts'
import { boundsOf, rangeStatements } from './ranges.ts'
import { all, type ChangelogContext, credentials, type Read, type ReadContext } from './read.ts'
import { columnsFor, type Dialect, isNearest, statement } from './statement.ts'
import {
  type Audience,
  type ChangelogInfo,
  type ChangelogOverview,
  type ChangelogRead,
  type Cursor,
  OVERVIEW,
  type Page,
  type Stretch,
  type VersionSummary,
} from './types.ts'
import { changesOf, contentsOf, isSmall, type KeyRange, labelled, versionStatements } from './versions.ts'

type Context = ChangelogContext<ChangelogStatements>

/** A read of a changelog; `missing` if this audience may see none. */
export function ofChangelog<Given extends unknown[], T, Missing>(
  missing: Missing,
  read: (context: Context, ...given: Given) => Read<T>,
) {
  return function* (
    {
      statements: { forPublic, forKey },
      now,
    }: ReadContext<Record<'forPublic' | 'forKey', ChangelogStatements>>,
    audience: Audience,
    team: string,
    product: string,
    ...given: Given
  ): Read<T | Missing> {
    const statements = audience === 'public' ? forPublic : forKey
    const [info] = yield* all(statements.info, { team, product, ...credentials(audience) })
    if (!info) return missing
    return yield* read({ statements, info, changelogId: info.changelog.id, now }, ...given)
  }
}

export function* readPage(context: Context, page: Page): Read<ChangelogRead> {
  const { info, now, changelogId } = context
  const lists = filteredBy(context.statements, page)
  const nothing = { ...info, versions: [], next: null }
  let found: ChangelogInfo & Pick<ChangelogRead, 'above' | 'upTo'> = info
  let beyond: Cursor = { publishedAt: page.since ?? OLDEST.publishedAt, id: '' }
  let { after } = page
  if (page.newerThan !== undefined) {
    const named = yield* labelled(context, page.newerThan)
    if (!named) return { ...nothing, missingLabel: page.newerThan }
    beyond = newer(beyond, named)
  }
  if (page.between) {
    const bounds = yield* boundsOf(context, page.between)
    if (bounds === 'reversed') return { ...nothing, isReversed: true }
    if (bounds === 'empty') return nothing
    if ('missingLabel' in bounds) return { ...nothing, ...bounds }
    found = { ...info, ...pick(bounds, 'above', 'upTo') }
    if ('keys' in bounds) return { ...found, ...(yield* between(context, lists, bounds.keys, beyond, page)) }
    if (bounds.beyond) beyond = newer(beyond, bounds.beyond)
    // No id sorts between this and that of the version.
    const start = { publishedAt: bounds.last.publishedAt, id: `${bounds.last.id}~` }
    after = after && newer(after, start) === start ? after : start
  }
  const range = rangeOf(changelogId, now, after, beyond, page.limit)
  return { ...found, ...(yield* pageOf(context.statements, lists, range, page)) }
}

/** Numbers of versions read from the list for a large range: the nearest first, which nearly always fill a page. */
const LOOKED_AT = [250, 5_000]

/** A page of versions between two semantic ones. It may be short, and others follow it. */
function* between(
  context: Context,
  lists: Lists,
  keys: KeyRange,
  beyond: Cursor,
  page: Page,
): Read<VersionPage> {
  const { statements, changelogId, now } = context
  const { after, limit } = page
  const pageBetween = function* (found: Lists['inSmallRange'], range: Range & KeyRange) {
    const ids = idsOf(yield* all(found, range))
    return yield* pageOf(statements, statements.withIds, { ...range, ids }, page)
  }
  if (limit === null || (yield* isSmall(context, keys))) {
    const range = { ...rangeOf(changelogId, now, after, beyond, limit), ...keys }
    return yield* pageBetween(lists.inSmallRange, range)
  }
  let found: VersionPage = { versions: [], next: null }
  for (const size of LOOKED_AT) {
    const list = rangeOf(changelogId, now, after, beyond, limit)
    const [last, end] = yield* all(lists.positions, { ...list, skip: size - 1, limit: 2 })
    const isLast = !end || newer(end, beyond) === beyond
    const range = { ...rangeOf(changelogId, now, after, isLast ? beyond : end, limit), ...keys }
    found = yield* pageBetween(lists.inLargeRange, range)
    if (found.next || isLast) return found
    found.next = last ?? null
  }
  return found
}

type Lists = ReturnType<typeof listStatements>

type VersionPage = Pick<ChangelogRead, 'versions' | 'next'>

/** A page with as much of each version as it asks for. */
function* pageOf(
  statements: ChangelogStatements,
  lists: Pick<Lists, 'summaries' | 'dated' | 'contents'>,
  range: Range & { ids?: string },
  { withChanges, withDates, maxChanges = Number.POSITIVE_INFINITY }: Page,
): Read<VersionPage> {
  if (!withChanges) return cut(yield* all(withDates ? lists.dated : lists.summaries, range), range)
  const { versions, next } = within(cut(yield* all(lists.contents, range), range), maxChanges)
  const [first] = versions
  if (first && first.changeCount > maxChanges) {
    const changes = yield* changesOf(statements, first.id, { skip: 0, limit: maxChanges })
    return { versions: [{ ...first, changes }], next }
  }
  return { versions: yield* contentsOf(statements, versions), next }
}

/** The page, or fewer versions if they have too many changes. */
function within<Version extends Cursor & { changeCount: number }>(
  page: { versions: Version[]; next: Cursor | null },
  maxChanges: number,
): { versions: Version[]; next: Cursor | null } {
  let changes = 0
  const end = page.versions.findIndex(({ changeCount }, at) => {
    changes += changeCount
    return changes > maxChanges && at > 0
  })
  if (end < 0) return page
  const versions = page.versions.slice(0, end)
  return { versions, next: versions.at(-1) ?? null }
}

export function* readOverview(
  { statements, info, changelogId, now }: Context,
  filter: VersionFilter = {},
): Read<ChangelogOverview> {
  const range = rangeOf(changelogId, now, null, OLDEST, OVERVIEW.versions)
  const rows = yield* all(filteredBy(statements, filter).kinds, range)
  const kinds = new Map<Kind, number>()
  for (const row of rows)
    for (const [kind, count] of readCounts(row.kinds) ?? [])
      kinds.set(kind, (kinds.get(kind) ?? 0) + count * row.versions)
  const sum = (of: 'versions' | 'changes') => rows.reduce((all, row) => all + row[of], 0)
  return { ...info, versionCount: sum('versions'), changeCount: sum('changes'), kinds }
}

export function* readStretch(
  { statements, changelogId, now }: Context,
  after: Cursor | null,
  limit: number,
): Read<Stretch> {
  const range = rangeOf(changelogId, now, after, OLDEST, limit)
  const [counted] = yield* all(statements.count, range)
  const count = counted?.count ?? 0
  if (count <= limit) return { count, next: null }
  const [next = null] = yield* all(statements.positions, { ...range, skip: limit - 1, limit: 1 })
  return { count: limit, next }
}

/** The versions next to one: see `neighborsOf`. */
export function* readNeighbors(
  context: Context,
  version: Cursor & ReleaseWords,
  limit: number,
): ReturnType<typeof neighborsOf> {
  const { statements, changelogId, now } = context
  const than = { thanAt: version.publishedAt, thanId: version.id }
  const after = yield* all(statements.newer, { changelogId, now, ...than, limit })
  const filter = isPrerelease(version) ? {} : ({ prereleases: 'no' } as const)
  const range = rangeOf(changelogId, now, version, OLDEST, limit)
  const before = yield* all(filteredBy(statements, filter).dated, range)
  return yield* neighborsOf(context, version, before, after, limit)
}

/** The product's versions that are newer than a position, the nearest first. */
export function* readNewer(
  { statements, changelogId, now }: Context,
  than: Cursor,
  limit: number,
): Read<VersionSummary[]> {
  return yield* all(statements.newer, { changelogId, now, thanAt: than.publishedAt, thanId: than.id, limit })
}

/**
 * Another text whenever anything may differ that this audience is shown of the changelog: its names and settings, the revision
 * that triggers raise with its content, and the moment of the last scheduled version that is due.
 */
export function* readStamp({ statements, info, changelogId, now }: Context): Read<string> {
  return JSON.stringify([info, yield* all(statements.stamp, { changelogId, now })])
}

type ChangelogStatements = ReturnType<typeof changelogStatements>

export const changelogStatements = (dialect: Dialect, rule: VisibilityRule) => ({
  info: infoStatement(dialect, rule),
  stamp: stampStatement(dialect),
  ...eachFilter((names) => listStatements(dialect, rule, names)),
  ...versionStatements(dialect, rule),
  ...orderStatements(dialect),
  picture: pictureStatements(dialect, rule),
})

/** Finds a changelog. Hidden content takes the same steps as missing content: see `isNearest`. */
function infoStatement({ builder, tables, keyOf, checkedLast }: Dialect, rule: VisibilityRule) {
  const { teams, products, changelogs } = tables
  const [team, product] = [sql.placeholder('team'), sql.placeholder('product')]
  const nearestTeam = isNearest(keyOf(teams), teams, [teams.slug], [team])
  const teamId = sql`(select ${teams.id} from ${teams} where ${nearestTeam})`
  return statement(
    builder
      .select(columnsFor(tables, rule).info)
      .from(products)
      .innerJoin(teams, eq(teams.id, products.teamId))
      .innerJoin(changelogs, eq(changelogs.productId, products.id))
      .where(
        and(
          isNearest(keyOf(products), products, [products.teamId, products.slug], [teamId, product]),
          checkedLast(and(eq(teams.slug, team), eq(products.slug, product), rule.changelog)),
        ),
      ),
  )
}

/** Of a changelog that `info` found. */
function stampStatement(dialect: Dialect) {
  const { changelogs } = dialect.tables
  const scheduled = PUBLIC_PARTS.filter(({ before }) => before.at === 'dueAt')
  const [due] = partsBy(dialect, scheduled, () => 'version_public') as [ListPart]
  return statement(
    dialect.builder
      .select({
        revision: changelogs.revision,
        due: sql`(select max(${due.publishedAt}) from ${due.from} where ${due.condition})`,
      })
      .from(changelogs)
      .where(eq(changelogs.id, sql.placeholder('changelogId'))),
  )
}

/** Pages of the versions of a changelog that `info` found, in the order of the list; only those that these filters leave. */
function listStatements(dialect: Dialect, rule: VisibilityRule, names: readonly FilterName[]) {
  const { builder, tables, limit, skip } = dialect
  const [first] = names
  const index = first ? FILTERED[first].index : rule.hidesDrafts ? 'version_public' : undefined
  const only = onlyBy(names)
  const parts = partsBy(dialect, first ? rule.statusParts : rule.versionParts, () => index, only)
  const columns = columnsFor(tables, rule)
  const newest = { order: newestFirst, limit }
  const page = <Columns extends SelectedFields>(columns: Columns) =>
    statement(list(dialect, parts, columns, newest, inRange))
  const after = <Columns extends SelectedFields>(more: Columns, skip?: Placeholder) =>
    list(dialect, parts, { ...columns.position, ...more }, { ...newest, ...(skip && { skip }) }, isAfter)
  const counted = after(pick(tables.versions, 'kinds', 'changeCount')).as('counted')

  return {
    summaries: page(columns.summary),
    dated: page(columns.dated),
    contents: page(columns.content),

    newer: statement(list(dialect, parts, columns.dated, { order: oldestFirst, limit }, isNewer)),

    /** The number of versions after a position, at most `limit`. */
    count: statement(builder.select({ count: sql`count(*)`.mapWith(Number) }).from(after({}).as('counted'))),

    /** The positions after `skip` others. */
    positions: statement(after({}, skip)),

    /** How many of the versions after a position, at most `limit`, have the same counts of kinds, and how many changes. */
    kinds: statement(
      builder
        .select({
          kinds: counted.kinds,
          versions: sql`count(*)`.mapWith(Number),
          changes: sql`sum(${counted.changeCount})`.mapWith(Number),
        })
        .from(counted)
        .groupBy(counted.kinds),
    ),

    ...rangeStatements(dialect, rule, only),
  }
}
