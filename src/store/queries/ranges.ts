import { and, asc, desc, eq, gt, isNotNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import { coreOf, isPrereleaseKey, precedenceOf, rightBelow } from '../../domain/versions/precedence.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { typedAs } from '../tables/schema.ts'
import { publicRule, type VersionPart, type VisibilityRule } from '../visibility.ts'
import { idsOf, newer } from './positions.ts'
import { all, type ChangelogContext, type Read } from './read.ts'
import {
  type Dialect,
  datedColumns,
  eachPart,
  isBetween,
  newestFirst,
  positionColumns,
  statement,
} from './statement.ts'
import type { Cursor, LabelRange, Near } from './types.ts'
import {
  type Bound,
  byIds,
  type KeyRange,
  labelled,
  newestVersion,
  type VersionStatements,
  withPackage,
} from './versions.ts'

type Context = ChangelogContext<VersionStatements & ReturnType<typeof nearestStatements>>

/** A range of labels, resolved for a read. */
type Bounds =
  | { missingLabel: string }
  | 'reversed'
  | 'empty'
  /** Newer than `beyond`, if that is a bound, and up to `last`, inclusive. */
  | { upTo: string; beyond: Cursor | null; last: Cursor }
  /** By precedence. */
  | { upTo: string; keys: KeyRange }

/** Sorts after every key, as keys begin with a digit. */
const ABOVE_ALL = ':'
/** So many pre-releases of different numbers and yanked releases are passed in search of a release. */
const MAX_PASSED = 50
/** So many versions that differ only in their package are named. */
const MAX_ALIKE = 20
/** The highest of so many scheduled versions is found. */
const MAX_SCHEDULED = 1_000

export function* boundsOf(context: Context, { from, to }: LabelRange): Read<Bounds> {
  const newest = to === undefined ? yield* newestRelease(context) : null
  const upTo = to ?? newest?.label
  const fromKey = from === undefined ? '' : precedenceOf(from)
  const toKey = upTo === undefined ? null : precedenceOf(upTo)
  // Having the newest release is not a mistake: there is nothing to read.
  const otherwise = to === undefined ? 'empty' : 'reversed'
  // Never looked up, so that they need not exist, and hidden ones are like missing ones.
  if (upTo !== undefined && fromKey !== null && toKey !== null)
    return fromKey < toKey ? { upTo, keys: { fromKey, toKey } } : otherwise
  // There are no semantic versions.
  if (fromKey !== null && to === undefined) return 'empty'
  const low = from === undefined ? null : yield* labelled(context, from)
  if (from !== undefined && !low) return { missingLabel: from }
  const high = to === undefined ? newest : yield* labelled(context, to)
  if (!high) return to === undefined ? 'empty' : { missingLabel: to }
  const isBelow = !low || (newer(low, high) === high && low.id !== high.id)
  return isBelow ? { upTo: high.label, beyond: low, last: high } : otherwise
}

/** The nearest versions to a label that leads to none. */
export function* readNear(context: Context, label: string): Read<Near> {
  const key = precedenceOf(label)
  if (key === null) return { ...context.info, alike: [], older: null, newer: null }
  const alike = (yield* withPackage(context, label)).slice(0, MAX_ALIKE)
  const older = yield* nearest(context, 'highest', key)
  return { ...context.info, alike, older, newer: yield* nearest(context, 'lowest', rightBelow(key)) }
}

/** The highest version that is neither a pre-release nor yanked, else the highest, else the newest: the public's, for a key too. */
function* newestRelease(context: Context): Read<Bound | null> {
  let below = ABOVE_ALL
  let first: Bound | null = null
  for (let passed = 0; passed < MAX_PASSED; passed++) {
    const found = yield* nearest(context, 'highest', below)
    if (!found?.precedence) break
    if (!isPrerelease(found) && found.yanked === null) return found
    if (found.yanked === null) first ??= found
    below = isPrereleaseKey(found.precedence) ? coreOf(found.precedence) : found.precedence
  }
  return first ?? (yield* newestVersion(context))
}

/** The public version whose precedence is the highest below another, or the lowest above it. */
function* nearest({ statements, changelogId, now }: Context, side: 'highest' | 'lowest', than: string) {
  const [published] = yield* all(statements[side].published, { changelogId, now, than })
  const [scheduled] = yield* all(statements[side].scheduled, { changelogId, now, than })
  const isHigher = (scheduled?.precedence ?? '') > (published?.precedence ?? '')
  const key = published && isHigher !== (side === 'highest') ? published : (scheduled ?? published)
  if (!key) return null
  const [found] = yield* all(statements.published, { ids: idsOf([key]), now })
  return found ? { ...found, precedence: key.precedence } : null
}

/**
 * Versions between two semantic versions: positions in list order, found in an index. `inRange` is the rest of the
 * range, and `inListOrder` chooses the index of a list.
 */
export function rangeStatements(
  dialect: Dialect,
  rule: VisibilityRule,
  inRange: (part: VersionPart) => SQL | undefined,
  inListOrder: (sql: string) => string,
) {
  const { builder, tables, limit, byPrecedence } = dialect
  const positions = (parts: Pick<VisibilityRule, 'versionParts'>) =>
    eachPart(dialect, parts, { order: newestFirst(tables), limit }, (part) =>
      builder
        .select(positionColumns(tables))
        .from(tables.versions)
        .where(and(inRange(part), isBetween(tables))),
    )
  return {
    /** Reads all of a small range, and sorts it. */
    inSmallRange: statement(positions({ versionParts: rule.statusParts }), byPrecedence),
    /** Reads a large range in list order. */
    inLargeRange: statement(positions(rule), inListOrder),
  }
}

/** The public version next to a precedence, for a key too: of published ones, and of the newest scheduled ones. */
export const nearestStatements = (dialect: Dialect) => ({
  highest: nearestTo(dialect, lt, desc),
  lowest: nearestTo(dialect, gt, asc),
  published: byIds(
    dialect,
    publicRule(dialect.tables),
    datedColumns(dialect.tables, publicRule(dialect.tables)),
  ),
})

function nearestTo(dialect: Dialect, compare: typeof lt, order: typeof desc) {
  const { builder, tables, byPrecedence, rangeWithoutDrafts } = dialect
  const { versions } = tables
  const key = pick(versions, 'id', 'precedence')
  const than = sql.placeholder('than')
  const first = typedAs<Placeholder>(sql`1`)
  const [published, due] = publicRule(tables).statusParts.map(({ condition }) =>
    and(eq(versions.changelogId, sql.placeholder('changelogId')), condition),
  )
  const newestDue = builder
    .select(key)
    .from(versions)
    .where(and(due, isNotNull(versions.precedence)))
    .orderBy(...newestFirst(tables))
    .limit(typedAs<Placeholder>(sql.raw(`${MAX_SCHEDULED}`)))
    .as('due')
  return {
    published: statement(
      builder
        .select(key)
        .from(versions)
        .where(and(published, compare(versions.precedence, than)))
        .orderBy(order(versions.precedence))
        .limit(first),
      byPrecedence,
    ),
    scheduled: statement(
      builder
        .select({ id: newestDue.id, precedence: newestDue.precedence })
        .from(newestDue)
        .where(compare(newestDue.precedence, than))
        .orderBy(order(newestDue.precedence))
        .limit(first),
      rangeWithoutDrafts,
    ),
  }
}
