import type { Instant } from '../../domain/records.ts'
import { otherSpellings, withoutV } from '../../domain/rules.ts'
import {
  coreOf,
  isPrereleaseKey,
  numberOf,
  precedenceOf,
  rightBelow,
} from '../../domain/versions/precedence.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { idsOf, newer, OLDEST, rangeOf } from './range.ts'
import { all, type Read } from './read.ts'
import type { AudienceStatements, Statements } from './statements.ts'
import type { ChangelogInfo, Cursor, DatedVersion, LabelRange, Near } from './types.ts'

/** A range of labels, resolved for a read. */
export type Bounds =
  | { missingLabel: string }
  | 'reversed'
  | 'empty'
  /** Newer than `beyond`, if that is a bound, and up to `last`, inclusive. */
  | { upTo: string; beyond: Cursor | null; last: Cursor }
  /** By precedence: above `fromKey` up to `toKey`, inclusive. */
  | { upTo: string; keys: KeyRange }

export type KeyRange = { fromKey: string; toKey: string }

interface Bound extends Cursor {
  label: string
}

/** Sorts after every key, as keys begin with a digit. */
const ABOVE_ALL = ':'
/** So many pre-releases of different numbers and yanked releases are passed in search of a release. */
const MAX_PASSED = 50
/** So many versions that differ only in their package are named. */
const MAX_ALIKE = 20
/** A range is small if it has at most so many versions: all their keys are sorted. */
const SMALL_RANGE = 1_000

/** A changelog that was found, and the statements to read it. */
export interface ChangelogContext {
  own: AudienceStatements
  statements: Statements
  info: ChangelogInfo
  changelogId: string
  now: Instant
}

export function* boundsOf(context: ChangelogContext, { from, to }: LabelRange): Read<Bounds> {
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

/** The version that a label leads to: its own, a former one, the same with or without a `v`, or without its package. */
export function* labelled(context: ChangelogContext, label: string): Read<Bound | null> {
  const { own, changelogId, now } = context
  for (const spelling of [label, ...otherSpellings(label)]) {
    const values = { changelogId, label: spelling, now }
    const [current] = yield* all(own.positionByLabel, values)
    const [found] = current ? [current] : yield* all(own.positionByFormerLabel, values)
    if (found) return found
  }
  const [found = null, ...others] = yield* withPackage(context, label)
  return others.length === 0 ? found : null
}

/** The versions that are called so behind their packages. */
function* withPackage(context: ChangelogContext, given: string): Read<DatedVersion[]> {
  const { own, changelogId, now } = context
  const label = withoutV(given)
  const toKey = precedenceOf(label)
  if (toKey === null || numberOf(label) !== label) return []
  const keys = { fromKey: rightBelow(toKey), toKey }
  if (!(yield* isSmall(context, keys))) return []
  const range = { ...rangeOf(changelogId, now, null, OLDEST, null), ...keys }
  const positions = yield* all(own.inSmallRange, range)
  const alike = yield* all(own.withIds.dated, { ids: idsOf(positions), now })
  return alike.filter((each) => numberOf(each.label) === label)
}

export function* isSmall({ own, changelogId, now }: ChangelogContext, keys: KeyRange): Read<boolean> {
  const [counted] = yield* all(own.countBetween, { changelogId, now, ...keys, limit: SMALL_RANGE + 1 })
  return (counted?.count ?? 0) <= SMALL_RANGE
}

export function* near(context: ChangelogContext, label: string): Read<Near> {
  const key = precedenceOf(label)
  if (key === null) return { ...context.info, alike: [], older: null, newer: null }
  const alike = (yield* withPackage(context, label)).slice(0, MAX_ALIKE)
  const older = yield* nearest(context, 'highest', key)
  return { ...context.info, alike, older, newer: yield* nearest(context, 'lowest', rightBelow(key)) }
}

/** The newest version that is not yanked: the public's, for a key too, so it is no draft. */
export function* newestVersion({ statements, changelogId, now }: ChangelogContext): Read<Bound | null> {
  const [found = null] = yield* all(statements.latest, { changelogId, now })
  return found
}

/** The highest version that is neither a pre-release nor yanked, else the highest, else the newest: the public's, for a key too. */
function* newestRelease(context: ChangelogContext): Read<Bound | null> {
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
function* nearest(
  { statements, changelogId, now }: ChangelogContext,
  side: 'highest' | 'lowest',
  than: string,
) {
  const [published] = yield* all(statements[side].published, { changelogId, now, than })
  const [scheduled] = yield* all(statements[side].scheduled, { changelogId, now, than })
  const isHigher = (scheduled?.precedence ?? '') > (published?.precedence ?? '')
  const key = published && isHigher !== (side === 'highest') ? published : (scheduled ?? published)
  if (!key) return null
  const [found] = yield* all(statements.forPublic.withIds.dated, { ids: idsOf([key]), now })
  return found ? { ...found, precedence: key.precedence } : null
}
