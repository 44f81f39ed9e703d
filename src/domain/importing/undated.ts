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
  const places = new Map<string, Instant>()
  for (let start = 0, end = 0; start < versions.length; start = end + 1) {
    end = start
    while (versions[end]?.date === null) end++
    const run = versions.slice(start, end)
    const bounds = { above: versions[start - 1]?.date ?? null, below: versions[end]?.date ?? null }
    const moments = momentsOf(
      run.map(({ before }) => before),
      bounds,
      // What is released by now is not new now.
      { now, isFirst: isFirst || run.some(({ isReleased }) => isReleased) },
    )
    for (const [at, { label }] of run.entries()) places.set(label, moments[at] as Instant)
  }
  return places
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

interface Bounds {
  above: Instant | null
  below: Instant | null
}

interface Import {
  now: Instant
  /** Whether nothing of the file was stored before. */
  isFirst: boolean
}

/** Times for consecutive undated versions, newest first. Earlier times are kept if they fit. */
function momentsOf(before: readonly (Instant | null)[], bounds: Bounds, at: Import): Instant[] {
  const { above, below } = bounds
  if (above !== null && above === below) return before.map(() => above)
  // If the dates contradict the order of the file, the one above decides.
  const ordered = above !== null && below !== null && above < below ? { above, below: null } : bounds
  let last = above ?? Number.POSITIVE_INFINITY
  const kept = before.map((moment) => {
    if (moment === null || moment >= last || moment <= (ordered.below ?? Number.NEGATIVE_INFINITY))
      return null
    last = moment
    return moment
  })
  return (
    filled(kept, ordered, at, spread) ??
    filled(kept.fill(null), ordered, at, spread) ??
    (filled(kept, ordered, at, squeezed) as Instant[])
  )
}

/** Fills the gaps between times; null if there is no room in one of them. */
function filled(
  kept: readonly (Instant | null)[],
  { above, below }: Bounds,
  at: Import,
  fill: (count: number, bounds: Bounds, at: Import) => Instant[] | null,
): Instant[] | null {
  const moments: Instant[] = []
  while (moments.length < kept.length) {
    const start = moments.length
    let end = start
    while (end < kept.length && kept[end] === null) end++
    const found = kept[end] ?? null
    if (end > start) {
      const gap = fill(end - start, { above: moments.at(-1) ?? above, below: found ?? below }, at)
      if (gap === null) return null
      moments.push(...gap)
    }
    if (found !== null) moments.push(found)
  }
  return moments
}

/** Evenly between two times, or close to the only one. Never in the future. */
function spread(count: number, { above, below }: Bounds, { now, isFirst }: Import): Instant[] | null {
  const room =
    above === null || below === null
      ? below === null
        ? Number.POSITIVE_INFINITY
        : now - below
      : above - below
  const even = room / (count + 1)
  if (even < 1) return null
  const step = above !== null && below !== null ? even : Math.min(STEP, even)
  // A version added on top of an imported file is new now.
  const top = above ?? (below !== null && isFirst ? below + step * (count + 1) : now)
  return Array.from({ length: count }, (_, at) => Math.floor(top - step * (at + 1)))
}

/** Where there is no room: a millisecond apart, and equal at the end. */
const squeezed = (count: number, { above, below }: Bounds): Instant[] =>
  Array.from({ length: count }, (_, at) =>
    above === null ? (below ?? 0) + count - at : Math.max(below ?? 0, above - at - 1),
  )
