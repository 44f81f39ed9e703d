import { asc, type Column, desc, eq, gt, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { pick } from '../../domain/objects.ts'
import { dayIn } from '../../domain/time/date-forms.ts'
import { orderOf } from '../../domain/versions/number.ts'
import { ANY, lineOf } from '../../domain/versions/order.ts'
import { isPrerelease, type ReleaseWords } from '../../domain/versions/standing.ts'
import { FILTERED, isHigher, NEWEST, seriesOf, typedAs } from '../tables/schema.ts'
import { PUBLIC_PARTS, publicRule } from '../visibility.ts'
import { byPrecedence, eachPart, newestFirst, newestIn, partsBy } from './lists.ts'
import { all, type Read, type ReadContext } from './read.ts'
import { columnsFor, type Dialect, type NewestIndex, statement } from './statement.ts'
import type { Cursor, DatedVersion } from './types.ts'

/** What is newest, and what comes after what: by number within a line, else by time. The public's, for a key too. */

type Context = ReadContext<ReturnType<typeof orderStatements>> & { changelogId: string }

/** The most versions that a search by number passes, of published and of scheduled ones. */
const MAX_PASSED = 1_000

type Side = 'highest' | 'stable' | 'release' | 'lowest'

/** Versions whose numbers are next to another, the nearest first: below it, or above it for `lowest`. */
export function* nearest(
  { statements, changelogId, now }: Context,
  side: Side,
  than: string,
  { series = ANY, limit = 1 } = {},
): Read<DatedVersion[]> {
  return yield* all(statements[side], { changelogId, now, than, series, limit })
}

/** The version that `latest` means: see `latestOf` of the domain. */
export function* newestVersion({ statements, changelogId, now }: Context): Read<DatedVersion | null> {
  const [newest = null] = yield* all(statements.newest, { changelogId, now })
  return newest
}

/**
 * The versions before one, of which the nearest is the first, and the one after it: of its line by number, else in the list. None
 * of them has a number on the wrong side, so that an upgrade leads from one to the next. Before a release there are releases.
 * `above` is the next one in the list, whatever its number.
 */
export function* neighborsOf(
  context: Context,
  version: Cursor & ReleaseWords,
  before: readonly DatedVersion[],
  after: readonly DatedVersion[],
  limit: number,
): Read<{ older: DatedVersion[]; newer: DatedVersion | null; above: DatedVersion | null }> {
  // Entries with days follow each other in the list, also beside those with names.
  const order = dayIn(version.label) === null ? orderOf(version.label) : null
  const line = lineOf(version.label)
  const own = { series: line?.series ?? '' }
  const below = isPrerelease(version) ? 'highest' : 'stable'
  const lower = order === null ? [] : yield* nearest(context, below, order, { ...own, limit })
  const [higher] = order === null ? [] : yield* nearest(context, 'lowest', order, own)
  const isBeside = (sign: 1 | -1) => (other: DatedVersion) => {
    const than = orderOf(other.label)
    if (order === null || than === null) return true
    return lineOf(other.label)?.series !== line?.series && (sign > 0 ? than > order : than < order)
  }
  return {
    older: lower.length > 0 ? lower : before.filter(isBeside(-1)),
    newer: higher ?? after.find(isBeside(1)) ?? null,
    above: after[0] ?? null,
  }
}

export function orderStatements(dialect: Dialect) {
  const { builder, tables } = dialect
  const { dated } = columnsFor(tables, publicRule(tables))
  const isLatest = eq(tables.versions.id, latestId(dialect))
  return {
    highest: nearestTo(dialect, lt, desc),
    stable: nearestTo(dialect, lt, desc, sql.raw(FILTERED.prereleases.where())),
    release: nearestTo(dialect, lt, desc, sql.raw(NEWEST.release.where())),
    lowest: nearestTo(dialect, gt, asc),
    newest: statement(builder.select(dated).from(tables.versions).where(isLatest)),
  }
}

function nearestTo(dialect: Dialect, compare: typeof lt, order: typeof desc, only: SQL = sql`true`) {
  const { builder, tables, limit, isLookedUp } = dialect
  const series = sql`cast(${sql.placeholder('series')} as text)`
  const isOfSeries = sql`(${series} = ${sql.raw(`'${ANY}'`)} or ${series} = ${seriesOf(tables.versions.label)})`
  const isBeside = compare(tables.versions.precedence, sql.placeholder('than'))
  const near = beside(dialect, isBeside, order, sql`(${only}) and ${isOfSeries}`).as('near')
  return statement(
    builder
      .select(columnsFor(tables, publicRule(tables)).dated)
      .from(near)
      .innerJoin(tables.versions, isLookedUp(tables.versions.id, near.id))
      .orderBy(order(near.precedence), order(near.id))
      .limit(limit),
  )
}

/** The id of the version that `latest` means in a changelog. */
export function latestId(dialect: Dialect, changelog?: Column): SQL<string | null> {
  const { builder, tables, isLookedUp } = dialect
  const newest = alias(tables.versions, 'newest')
  const newestOf = (index: NewestIndex) => {
    const position = pick(tables.versions, 'publishedAt', 'id')
    return sql`(select id from ${newestIn(dialect, index, position, undefined, changelog).as('found')})`
  }
  const isAbove = gt(tables.versions.precedence, newest.precedence)
  const counts = sql`(${sql.raw(NEWEST.release.where())}) and ${isHigher(tables.versions, newest)}`
  const higher = beside(dialect, isAbove, desc, counts, changelog).as('higher')
  const highest = sql`(select id from ${higher} order by precedence desc, id desc limit 1)`
  const newestId = sql`coalesce(${newestOf(NEWEST.release.index)}, ${newestOf(NEWEST.any.index)})`
  const id = sql<string>`coalesce(${highest}, ${newest.id})`
  return sql`(${builder.select({ id }).from(newest).where(isLookedUp(newest.id, newestId))})`
}

/** Public versions on a side of a number. What `counts` is found among the nearest published and the newest scheduled ones. */
function beside(dialect: Dialect, isBeside: SQL, order: typeof desc, counts: SQL, changelog?: Column) {
  const { builder, tables } = dialect
  const key = pick(tables.versions, 'id', 'precedence')
  const parts = partsBy(dialect, PUBLIC_PARTS, byPrecedence, isBeside, changelog)
  return eachPart(dialect, parts, {}, (part) => {
    const inOrder = byPrecedence(part) === 'version_range' ? newestFirst(part) : [order(key.precedence)]
    const passed = builder
      .select({ ...key, counts: counts.as('counts') })
      .from(part.from)
      .where(part.condition)
      .orderBy(...inOrder)
      .limit(typedAs<Placeholder>(sql.raw(`${MAX_PASSED}`)))
      .as('passed')
    return builder
      .select({ id: passed.id, precedence: passed.precedence })
      .from(passed)
      .where(sql`${passed.counts}`)
  })
}
