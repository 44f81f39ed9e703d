import { and, asc, desc, gt, isNotNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import { aboveMajor, orderOf, rightBelow } from '../../domain/versions/number.ts'
import { NEWEST, typedAs } from '../tables/schema.ts'
import { PUBLIC_PARTS, publicRule, type VisibilityRule } from '../visibility.ts'
import {
  byPrecedence,
  idsOf,
  inRange,
  isBetween,
  type ListPart,
  list,
  newer,
  newestFirst,
  partsBy,
} from './lists.ts'
import { all, type ChangelogContext, type Read } from './read.ts'
import { columnsFor, type Dialect, statement } from './statement.ts'
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
  | { above?: string; upTo: string; beyond: Cursor | null; last: Cursor }
  /** A range by number, after `above`, if that is a bound. */
  | { above: string | undefined; upTo: string; keys: KeyRange }

const ABOVE_ALL = '~'
/** The most pre-releases and yanked releases that a search for the highest release passes. */
const MAX_PASSED = 1_000
/** The most versions named that differ only in their package. */
const MAX_ALIKE = 20
/** The most scheduled versions among which the highest is found. */
const MAX_SCHEDULED = 1_000

export function* boundsOf(context: Context, { from, to }: LabelRange): Read<Bounds> {
  const newest = to === undefined ? yield* newestRelease(context) : null
  const { label: above, key: fromKey } = from === undefined ? BELOW_ALL : yield* numberOf(context, from)
  const { label: upTo, key: toKey } =
    to === undefined
      ? { label: newest?.label, key: newest && orderOf(newest.label) }
      : yield* numberOf(context, to)
  // Having the newest release is not a mistake: there is nothing to read.
  const otherwise = to === undefined ? 'empty' : 'reversed'
  // Never looked up, so that they need not exist, and hidden ones are like missing ones.
  if (upTo !== undefined && fromKey !== null && toKey !== null)
    return fromKey < toKey ? { above, upTo, keys: { fromKey, toKey } } : otherwise
  // There are no numbers.
  if (fromKey !== null && to === undefined) return 'empty'
  const low = from === undefined ? null : yield* labelled(context, from)
  if (from !== undefined && !low) return { missingLabel: from }
  const high = to === undefined ? newest : yield* labelled(context, to)
  if (!high) return to === undefined ? 'empty' : { missingLabel: to }
  const isBelow = !low || (newer(low, high) === high && low.id !== high.id)
  return isBelow ? { upTo: high.label, beyond: low, last: high } : otherwise
}

const BELOW_ALL = { label: undefined, key: '' }

/**
 * A bound by number, if its label is one. A major means its newest version, unless a version is called so. None of them is
 * looked up to bound the range, so that hidden ones are like missing ones.
 */
function* numberOf(context: Context, label: string): Read<{ label: string; key: string | null }> {
  const above = aboveMajor(label)
  if (above === null || (yield* labelled(context, label))) return { label, key: orderOf(label) }
  const newest = (yield* nearest(context, 'release', above)) ?? (yield* nearest(context, 'highest', above))
  const isOfMajor = newest && orderOf(newest.label)?.startsWith(above.slice(0, -1))
  return { label: isOfMajor ? newest.label : label, key: above }
}

/** The nearest versions to a label that leads to none. */
export function* readNear(context: Context, label: string): Read<Near> {
  const key = orderOf(label)
  if (key === null) return { ...context.info, alike: [], older: null, newer: null }
  const alike = (yield* withPackage(context, label)).slice(0, MAX_ALIKE)
  const older = yield* nearest(context, 'highest', key)
  return { ...context.info, alike, older, newer: yield* nearest(context, 'lowest', rightBelow(key)) }
}

/** The highest release that is not yanked, else what `latest` means: the public's, for a key too. */
function* newestRelease(context: Context): Read<Bound | null> {
  return (yield* nearest(context, 'release', ABOVE_ALL)) ?? (yield* newestVersion(context))
}

/** The public version whose number is the highest below another, or the lowest above it. */
type Side = 'highest' | 'release' | 'lowest'

function* nearest({ statements, changelogId, now }: Context, side: Side, than: string) {
  const [published] = yield* all(statements[side].published, { changelogId, now, than })
  const [scheduled] = yield* all(statements[side].scheduled, { changelogId, now, than })
  const isHigher = (scheduled?.precedence ?? '') > (published?.precedence ?? '')
  const key = published && isHigher === (side === 'lowest') ? published : (scheduled ?? published)
  if (!key) return null
  const [found] = yield* all(statements.published, { ids: idsOf([key]), now })
  return found ?? null
}

/** Versions between two numbers: positions in list order, found in an index. `only` is a further condition. */
export function rangeStatements(dialect: Dialect, rule: VisibilityRule, only?: SQL) {
  const { tables, limit } = dialect
  const { position } = columnsFor(tables, rule)
  const positions = (parts: ListPart[]) =>
    statement(
      list(dialect, parts, position, { order: newestFirst, limit }, (part) =>
        and(inRange(part), isBetween(tables)),
      ),
    )
  const inListOrder = () => (rule.hidesDrafts ? 'version_range' : undefined)
  return {
    inSmallRange: positions(partsBy(dialect, rule.statusParts, byPrecedence, only)),
    inLargeRange: positions(partsBy(dialect, rule.versionParts, inListOrder, only)),
  }
}

/** The public version next to a number, for a key too: of published ones, and of the newest scheduled ones. */
export function nearestStatements(dialect: Dialect) {
  const rule = publicRule(dialect.tables)
  return {
    highest: nearestTo(dialect, lt, desc),
    release: nearestTo(dialect, lt, desc, sql.raw(`(${NEWEST.release.where()})`)),
    lowest: nearestTo(dialect, gt, asc),
    published: byIds(dialect, rule, columnsFor(dialect.tables, rule).dated),
  }
}

/** `only` is checked on the nearest ones, up to a limit. */
function nearestTo(dialect: Dialect, compare: typeof lt, order: typeof desc, only = sql`true`) {
  const { builder, tables } = dialect
  const key = pick(tables.versions, 'id', 'precedence')
  const columns = { ...key, counts: sql<boolean>`${only}`.as('counts') }
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
        .limit(atMost(1)),
    )
  return { published: first(nearestOnes), scheduled: first(newestDue) }
}
