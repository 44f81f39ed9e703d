import { and, type SQL } from 'drizzle-orm'
import { aboveSeries, orderOf, rightBelow } from '../../domain/versions/number.ts'
import type { VisibilityRule } from '../visibility.ts'
import {
  byPrecedence,
  inRange,
  isBetween,
  type ListPart,
  list,
  newer,
  newestFirst,
  partsBy,
} from './lists.ts'
import { nearest, newestVersion, type orderStatements } from './order.ts'
import type { ChangelogContext, Read } from './read.ts'
import { columnsFor, type Dialect, statement } from './statement.ts'
import type { Cursor, LabelRange, Near } from './types.ts'
import { type KeyRange, labelled, type VersionStatements, withPackage } from './versions.ts'

type Context = ChangelogContext<VersionStatements & ReturnType<typeof orderStatements>>

/** A range of labels, resolved for a read. */
type Bounds =
  | { missingLabel: string }
  | 'reversed'
  | 'empty'
  /** Newer than `beyond`, if that is a bound, and up to `last`, inclusive. */
  | { above?: string; upTo: string; beyond: Cursor | null; last: Cursor }
  /** A range by number, after `above`, if that is a bound. */
  | { above: string | undefined; upTo: string; keys: KeyRange }

/** The most versions named that differ only in their package. */
const MAX_ALIKE = 20

export function* boundsOf(context: Context, { from, to }: LabelRange): Read<Bounds> {
  const newest = to === undefined ? yield* newestVersion(context) : null
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
  const low = from === undefined ? null : yield* labelled(context, from)
  // A number that nothing has is in no list.
  if (from !== undefined && !low)
    return fromKey !== null && to === undefined ? 'empty' : { missingLabel: from }
  const high = to === undefined ? newest : yield* labelled(context, to)
  if (!high) return to === undefined ? 'empty' : { missingLabel: to }
  const isBelow = !low || (newer(low, high) === high && low.id !== high.id)
  return isBelow ? { upTo: high.label, beyond: low, last: high } : otherwise
}

const BELOW_ALL = { label: undefined, key: '' }

/**
 * A bound by number, if its label is one. A series, such as a major, means its newest version, unless a version is called so. None of them is
 * looked up to bound the range, so that hidden ones are like missing ones.
 */
function* numberOf(context: Context, label: string): Read<{ label: string; key: string | null }> {
  const above = aboveSeries(label)
  if (above === null || (yield* labelled(context, label))) return { label, key: orderOf(label) }
  for (const side of ['release', 'highest'] as const) {
    const [newest] = yield* nearest(context, side, above)
    const isOfSeries = newest && orderOf(newest.label)?.startsWith(above.slice(0, -1))
    if (isOfSeries) return { label: newest.label, key: above }
  }
  return { label, key: above }
}

/** The nearest versions to a label that leads to none. */
export function* readNear(context: Context, label: string): Read<Near> {
  const key = orderOf(label)
  if (key === null) return { ...context.info, alike: [], older: null, newer: null }
  const alike = (yield* withPackage(context, label)).slice(0, MAX_ALIKE)
  const [older = null] = yield* nearest(context, 'highest', key)
  const [newer = null] = yield* nearest(context, 'lowest', rightBelow(key))
  return { ...context.info, alike, older, newer }
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
