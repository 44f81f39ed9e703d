import type { Instant } from '../../domain/records.ts'
import { coreOf, isPrereleaseKey, precedenceOf } from '../../domain/versions/precedence.ts'
import { isPrerelease } from '../../domain/versions/standing.ts'
import { newer, OLDEST, rangeOf } from './range.ts'
import { all, type Read } from './read.ts'
import type { AudienceStatements, Statements } from './statements.ts'
import type { ChangelogInfo, Cursor, DatedVersion, LabelRange } from './types.ts'

/** What a range of labels means for a read. */
export type Bounds =
  | 'missing'
  | 'reversed'
  | 'empty'
  /** Newer than `beyond`, if that is a bound, and up to `upTo`, inclusive. */
  | { beyond: Cursor | null; upTo: Bound }
  /** By precedence: above `fromKey` up to `toKey`, inclusive. */
  | { keys: KeyRange; upTo: Bound }

export type KeyRange = { fromKey: string; toKey: string }

interface Bound extends Cursor {
  label: string
}

/** Sorts after every key, as keys begin with a digit. */
const ABOVE_ALL = ':'
/** So many pre-releases of different numbers and yanked releases are passed in search of a release. */
const MAX_PASSED = 50

/** A changelog that was found, and the statements to read it. */
export interface ChangelogContext {
  own: AudienceStatements
  forPublic: AudienceStatements
  highest: Statements['highest']
  info: ChangelogInfo
  changelogId: string
  now: Instant
}

export function* boundsOf(context: ChangelogContext, { from, to }: LabelRange): Read<Bounds> {
  const low = from === undefined ? null : yield* labelled(context, from)
  const named = to === undefined ? undefined : yield* labelled(context, to)
  if ((from !== undefined && !low) || named === null) return 'missing'
  const high = named ?? (yield* newestRelease(context))
  if (!high) return 'empty'
  const [fromKey, toKey] = [low ? precedenceOf(low.label) : '', precedenceOf(high.label)]
  const isSemantic = fromKey !== null && toKey !== null
  const isBelow = isSemantic ? fromKey < toKey : !low || (newer(low, high) === high && low.id !== high.id)
  // Whoever has the newest release has nothing to read, and made no mistake.
  if (!isBelow) return named ? 'reversed' : 'empty'
  return { upTo: high, ...(isSemantic ? { keys: { fromKey, toKey } } : { beyond: low }) }
}

export function* labelled({ own, changelogId, now }: ChangelogContext, label: string): Read<Bound | null> {
  const [current] = yield* all(own.positionByLabel, { changelogId, label, now })
  const [found] = current ? [current] : yield* all(own.positionByFormerLabel, { changelogId, label, now })
  return found ?? null
}

/** The newest version that is not yanked: the public's, for a key too, so it is no draft. */
export function* newestVersion(context: ChangelogContext): Read<DatedVersion | null> {
  const { forPublic, changelogId, now } = context
  const newest = yield* all(forPublic.dated, rangeOf(changelogId, now, null, OLDEST, MAX_PASSED))
  return newest.find(({ yanked }) => yanked === null) ?? null
}

/** The highest version that is neither a pre-release nor yanked, else the highest, else the newest: the public's, for a key too. */
function* newestRelease(context: ChangelogContext): Read<Bound | null> {
  const { highest, changelogId, now } = context
  let below = ABOVE_ALL
  let first: Bound | null = null
  for (let passed = 0; passed < MAX_PASSED; passed++) {
    const values = { changelogId, now, below }
    const [published] = yield* all(highest.published, values)
    const [scheduled] = yield* all(highest.scheduled, values)
    const found = (scheduled?.precedence ?? '') > (published?.precedence ?? '') ? scheduled : published
    if (!found?.precedence) break
    if (!isPrerelease(found) && found.yanked === null) return found
    if (found.yanked === null) first ??= found
    below = isPrereleaseKey(found.precedence) ? coreOf(found.precedence) : found.precedence
  }
  return first ?? (yield* newestVersion(context))
}
