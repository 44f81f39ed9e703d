import type { Instant } from '../records.ts'
import { dayIn } from '../time/date-forms.ts'
import { ABOVE_ALL, compareNumbers, orderOf, YEARS } from './number.ts'
import { isPrerelease, type ReleaseWords } from './standing.ts'

/** What may be in front of a number: by these, SQL tells series too. */
export const FRONT = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@/-_. +:'

/** Days follow each other, whatever words name them. */
export const ANY = '%'

/** The versions that follow each other by number. */
export interface Line {
  /** What is in front of their numbers, without a `v`: `core@`, or nothing. */
  series: string
  /** Above all of them: numbers do not follow years. */
  above: string
}

/** Null for a label that is not understood. */
export function lineOf(label: string): Line | null {
  const order = orderOf(label)
  if (order === null) return null
  if (dayIn(label) !== null) return { series: ANY, above: ABOVE_ALL }
  const end = [...label].findIndex((each) => !FRONT.includes(each))
  const series = label.slice(0, end < 0 ? undefined : end).replace(/v+$/i, '')
  return { series, above: order < YEARS ? YEARS : ABOVE_ALL }
}

/**
 * The version that `latest` means of public ones, newest first: the highest in the line of the newest release that is neither a
 * pre-release nor yanked. Without such a release, the newest that is not yanked. `newestVersion` of the store says the same in SQL.
 */
export function latestOf<Version extends ReleaseWords & { yanked: string | null }>(
  versions: readonly Version[],
): Version | undefined {
  const current = versions.filter(({ yanked }) => yanked === null)
  const releases = current.filter((version) => !isPrerelease(version))
  const line = releases[0] && lineOf(releases[0].label)
  const own = releases.filter(
    ({ label }) => line && lineOf(label)?.series === line.series && (orderOf(label) ?? '') < line.above,
  )
  const highest = (one: Version, other: Version) => (compareNumbers(other.label, one.label) > 0 ? other : one)
  return own.length > 0 ? own.reduce(highest) : (releases[0] ?? current[0])
}

/** How often values rise from one to the next, and how often they fall. */
export function turnsOf<T>(
  all: readonly T[],
  compare: (one: T, other: T) => number,
): [rises: number, falls: number] {
  const steps = all.slice(1).map((one, at) => compare(one, all[at] as T))
  return [steps.filter((step) => step > 0).length, steps.filter((step) => step < 0).length]
}

export const byTime = (one: Instant, other: Instant): number => one - other

interface FileVersion {
  label: string
  date: Instant | null
}

/**
 * The versions of a file, the oldest first. Its dates tell which way it counts, else its numbers. Without either, the newest
 * is on top.
 */
export function oldestFirst<Version extends FileVersion>(versions: readonly Version[]): Version[] {
  const dates = versions.flatMap(({ date }) => date ?? [])
  const [later, sooner] = turnsOf(dates, byTime)
  if (later !== sooner) return later > sooner ? [...versions] : versions.toReversed()
  const labels = versions.flatMap(({ label }) => (orderOf(label) === null ? [] : label))
  const [rises, falls] = turnsOf(labels, compareNumbers)
  const isRising = rises - falls || compareNumbers(labels.at(-1) ?? '', labels[0] ?? '')
  return inParts(isRising > 0 ? versions : versions.toReversed())
}

/** If the numbers of a file begin again, and each part is above or below all of another, such as one for each major, in their order. */
function inParts<Version extends FileVersion>(versions: readonly Version[]): Version[] {
  const parts: { low: string; high: string; versions: Version[] }[] = []
  for (const version of versions) {
    const part = parts.at(-1)
    const number = orderOf(version.label) === null ? '' : version.label
    if (part && compareNumbers(number, part.high) >= 0) {
      part.versions.push(version)
      part.low ||= number
      part.high = number || part.high
    } else parts.push({ low: number, high: number, versions: [version] })
  }
  const sorted = parts.toSorted((one, other) => compareNumbers(one.low, other.low))
  const isApart = sorted.every(
    ({ low }, at) => at === 0 || compareNumbers(low, sorted[at - 1]?.high ?? '') > 0,
  )
  return isApart ? sorted.flatMap((part) => part.versions) : [...versions]
}
