import type { Instant } from '../../domain/records.ts'
import { coreOf, isPrerelease, precedenceOf } from '../../domain/versions/precedence.ts'
import { newer, OLDEST, rangeOf } from './range.ts'
import { all, type Read } from './read.ts'
import type { AudienceStatements, Statements } from './statements.ts'
import type { ChangelogInfo, Cursor, LabelRange } from './types.ts'

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
/** Pre-releases of so many numbers are passed in search of a release. */
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

/** The highest release that is no pre-release, else the highest, else the newest version: the public's, for a key too. */
function* newestRelease({ forPublic, highest, changelogId, now }: ChangelogContext): Read<Bound | null> {
  let below = ABOVE_ALL
  let first: Bound | null = null
  for (let passed = 0; passed < MAX_PASSED; passed++) {
    const values = { changelogId, now, below }
    const [published] = yield* all(highest.published, values)
    const [scheduled] = yield* all(highest.scheduled, values)
    const found = (scheduled?.precedence ?? '') > (published?.precedence ?? '') ? scheduled : published
    if (!found?.precedence) break
    if (!isPrerelease(found.precedence)) return found
    first ??= found
    below = coreOf(found.precedence)
  }
  if (first) return first
  const [newest] = yield* all(forPublic.dated, rangeOf(changelogId, now, null, OLDEST, 0))
  return newest ?? null
}
