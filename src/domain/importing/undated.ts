import type { Instant, Version } from '../records.ts'
import { knownDate } from '../rules.ts'
import { isAhead } from '../time/schedule.ts'
import { readImported } from './imported.ts'
import { type DraftedVersion, statusOnImport } from './merge.ts'

/**
 * Gives undated versions of a file a time between their neighbors, for the order. Times from an earlier import stay
 * while they are in order, so importing the same file again changes nothing.
 */

export interface ListedVersion
  extends Pick<DraftedVersion, 'version' | 'newStatus' | 'isReleased' | 'continues'> {
  stored: Version | null
}

/** The distance between undated versions where there is enough room. */
const STEP = 60_000

/** Times for the published versions without a date, by label. The file is newest first. */
export function momentsOfUndated(file: readonly ListedVersion[], now: Instant): Map<string, Instant> {
  const isFirst = file.every(({ stored }) => stored === null)
  const versions = file.flatMap((version) => positionOf(version, now) ?? [])
  const moments = keptMoments(versions)
  for (let start = 0, end = 0; start < versions.length; start = end + 1) {
    end = start
    while (moments[end] === null) end++
    // What is released by now is not new now.
    const isKnown = isFirst || versions.slice(start, end).some(({ isReleased }) => isReleased)
    const bounds = { above: moments[start - 1] ?? null, below: moments[end] ?? null }
    const spread = spreadMoments(end - start, bounds, now, isKnown)
    for (const [at, moment] of spread.entries()) moments[start + at] = moment
  }
  return new Map(
    versions.flatMap(({ label, date }, at) => (date === null ? [[label, moments[at] as Instant]] : [])),
  )
}

interface OrderedVersion {
  label: string
  date: Instant | null
  /** The time from an earlier import, if it has no date. */
  before: Instant | null
  /** Whether it was a draft until now. */
  isReleased?: true
}

/** Null for drafts and scheduled versions, which have no position among published ones. */
function positionOf({ stored, ...incoming }: ListedVersion, now: Instant): OrderedVersion | null {
  const { label, date } = incoming.version
  const isCorrected = stored !== null && readImported(stored.imported).fields.has('date')
  if (date !== null && !isCorrected) return isAhead(date, now) ? null : { label, date, before: null }
  if (stored === null || incoming.continues?.isRenamed)
    return statusOnImport(incoming, now).status === 'published' ? { label, date: null, before: null } : null
  if (incoming.isReleased) return { label, date: null, before: null, isReleased: true }
  if (stored.status === 'draft') return null
  const known = knownDate(stored)
  return { label, date: known, before: known === null ? stored.publishedAt : null }
}

/** Dates, and the times from earlier imports that are still in order. Null for the others. */
function keptMoments(versions: readonly OrderedVersion[]): (Instant | null)[] {
  let below: Instant | null = null
  const belows = versions.toReversed().map(({ date }) => {
    const lower = below
    below = date ?? below
    return lower
  })
  let [above, last] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  return versions.map(({ date, before }) => {
    const lower = belows.pop() ?? Number.NEGATIVE_INFINITY
    if (date !== null) above = date
    // If the dates contradict the order of the file, the one above decides.
    else if (before === null || before > last || (before < lower && lower <= above)) return null
    last = date ?? (before as Instant)
    return last
  })
}

interface Bounds {
  above: Instant | null
  below: Instant | null
}

/** Evenly between two times, or close to the only one. Never in the future. Without room they are equal: ids order them. */
function spreadMoments(count: number, bounds: Bounds, now: Instant, isKnown: boolean): Instant[] {
  const { above } = bounds
  const below = above !== null && (bounds.below ?? above) > above ? null : bounds.below
  const even = Math.max(0, (above ?? now) - (below ?? Number.NEGATIVE_INFINITY)) / (count + 1)
  const step = above !== null && below !== null ? even : Math.min(STEP, even)
  // A version added on top of an imported file is new now.
  const newest = below !== null && isKnown ? below + step * (count + 1) : Math.max(now, below ?? now)
  return Array.from({ length: count }, (_, at) => Math.floor((above ?? newest) - step * (at + 1)))
}
