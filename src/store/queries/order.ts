import { and, asc, desc, gt, isNotNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import { orderOf } from '../../domain/versions/number.ts'
import { ANY, lineOf } from '../../domain/versions/order.ts'
import { isPrerelease, type ReleaseWords } from '../../domain/versions/standing.ts'
import { FILTERED, NEWEST, seriesOf, typedAs } from '../tables/schema.ts'
import { PUBLIC_PARTS, publicRule } from '../visibility.ts'
import { byIds, byPrecedence, idsOf, type ListPart, newestFirst, newestIn, partsBy } from './lists.ts'
import { all, type Read, type ReadContext } from './read.ts'
import { columnsFor, type Dialect, statement } from './statement.ts'
import type { Cursor, DatedVersion } from './types.ts'

/** What is newest, and what comes after what: by number within a line, else by time. The public's, for a key too. */

type Context = ReadContext<ReturnType<typeof orderStatements>> & { changelogId: string }

/** The most that a search for the highest passes. */
const MAX_PASSED = 1_000
/** The most scheduled versions among which the highest is found. */
const MAX_SCHEDULED = 1_000

type Side = 'highest' | 'stable' | 'release' | 'lowest'

/** Versions whose numbers are next to another, the nearest first: below it, or above it for `lowest`. */
export function* nearest(
  { statements, changelogId, now }: Context,
  side: Side,
  than: string,
  { series = ANY, limit = 1 } = {},
): Read<DatedVersion[]> {
  const values = { changelogId, now, than, series, limit }
  const sign = side === 'lowest' ? -1 : 1
  const published = yield* all(statements[side].published, values)
  const scheduled = yield* all(statements[side].scheduled, values)
  const keys = [...published, ...scheduled].sort(
    (one, other) => sign * ((one.precedence ?? '') < (other.precedence ?? '') ? 1 : -1),
  )
  if (keys.length === 0) return []
  const found = yield* all(statements.published, { ids: idsOf(keys), now })
  const byId = new Map(found.map((version) => [version.id, version]))
  return keys.flatMap(({ id }) => byId.get(id) ?? []).slice(0, limit)
}

/** The version that `latest` means: see `latestOf` of the domain. */
export function* newestVersion(context: Context): Read<DatedVersion | null> {
  const { statements, changelogId, now } = context
  const [release] = yield* all(statements.newestRelease, { changelogId, now })
  const [newest = null] = release ? [release] : yield* all(statements.newest, { changelogId, now })
  return release ? yield* highestOf(context, release) : newest
}

/** The highest release of the line of another, or that one. */
export function* highestOf<Version extends { label: string }>(
  context: Context,
  newest: Version,
): Read<Version | DatedVersion> {
  const line = lineOf(newest.label)
  const [highest] = line ? yield* nearest(context, 'release', line.above, line) : []
  const isHigher = highest && (orderOf(highest.label) ?? '') > (orderOf(newest.label) ?? '')
  return isHigher ? highest : newest
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
  const [line, order] = [lineOf(version.label), orderOf(version.label)]
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
  const { dated } = columnsFor(dialect.tables, publicRule(dialect.tables))
  return {
    highest: nearestTo(dialect, lt, desc),
    stable: nearestTo(dialect, lt, desc, sql.raw(`(${FILTERED.prereleases.where()})`)),
    release: nearestTo(dialect, lt, desc, sql.raw(`(${NEWEST.release.where()})`)),
    lowest: nearestTo(dialect, gt, asc),
    published: byIds(dialect, publicRule(dialect.tables), dated),
    newestRelease: statement(newestIn(dialect, NEWEST.release.index, dated)),
    newest: statement(newestIn(dialect, NEWEST.any.index, dated)),
  }
}

/** Of published versions, and of the newest scheduled ones. `only` is checked on the nearest ones, up to a limit. */
function nearestTo(dialect: Dialect, compare: typeof lt, order: typeof desc, only: SQL = sql`true`) {
  const { builder, tables, limit } = dialect
  const key = pick(tables.versions, 'id', 'precedence')
  const series = sql`cast(${sql.placeholder('series')} as text)`
  const isOfSeries = sql`(${series} = ${sql.raw(`'${ANY}'`)} or ${series} = ${seriesOf(tables.versions.label)})`
  const columns = { ...key, counts: sql<boolean>`${only} and ${isOfSeries}`.as('counts') }
  const than = sql.placeholder('than')
  const atMost = (most: number) => typedAs<Placeholder>(sql.raw(`${most}`))
  const [published, due] = partsBy(dialect, PUBLIC_PARTS, byPrecedence) as [ListPart, ListPart]
  const nearestOnes = builder
    .select(columns)
    .from(published.from)
    .where(and(published.condition, compare(key.precedence, than)))
    .orderBy(order(key.precedence))
    .limit(atMost(MAX_PASSED))
    .as('near')
  const newestDue = builder
    .select(columns)
    .from(due.from)
    .where(and(due.condition, isNotNull(key.precedence)))
    .orderBy(...newestFirst(due))
    .limit(atMost(MAX_SCHEDULED))
    .as('due')
  const first = (from: typeof nearestOnes | typeof newestDue) =>
    statement(
      builder
        .select({ id: from.id, precedence: from.precedence })
        .from(from)
        .where(and(from.counts, compare(from.precedence, than)))
        .orderBy(order(from.precedence))
        .limit(limit),
    )
  return { published: first(nearestOnes), scheduled: first(newestDue) }
}
