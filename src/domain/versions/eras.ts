import type { Instant } from '../records.ts'
import { formatInstant } from '../time/time.ts'
import { majorOf } from './number.ts'
import { isPrerelease, type ReleaseWords } from './standing.ts'

/** A stretch of a long list, from one major release or year to the next. */
export interface Era<Version> {
  /** `8.x`, or `2026`. */
  name: string
  isYear: boolean
  /** In the order of the list. */
  versions: Version[]
}

type Listed = ReleaseWords & { publishedAt: Instant; dateKnown: boolean }

/** More majors than these help nobody to find something. */
const MAX_MAJORS = 40

/** Eras are major releases or, if those do not tell enough apart, years. A list has none if years do not either. */
export function erasOf<Version extends Listed>(versions: readonly Version[]): Era<Version>[] {
  const majors = erasBy(versions, releasedMajor)
  if (majors.length > 1 && majors.length <= MAX_MAJORS)
    return majors.map(({ number, versions }) => ({ name: `${number}.x`, isYear: false, versions }))
  const years = erasBy(versions, yearOf)
  if (years.length < 2) return []
  return years.map(({ number, versions }) => ({ name: String(number), isYear: true, versions }))
}

/** The months of a list of entries, as `2026-11`. */
export const monthsOf = <Version extends Listed>(versions: readonly Version[]): Era<Version>[] =>
  erasBy(versions, ({ dateKnown, publishedAt }) =>
    dateKnown ? Number(formatInstant(publishedAt).slice(0, 7).replace('-', '')) : null,
  ).map(({ number, versions }) => ({ name: String(number ?? ''), isYear: false, versions }))

/** Each begins where its number is first reached, so later releases of a lower one are in the era of their time. */
function erasBy<Version>(versions: readonly Version[], numberIn: (version: Version) => number | null) {
  const eras: { number: number | null; versions: Version[] }[] = []
  for (const version of versions.toReversed()) {
    const number = numberIn(version)
    const era = eras.at(-1)
    if (!era || (number !== null && era.number !== null && number > era.number)) {
      eras.push({ number, versions: [version] })
    } else {
      era.number ??= number
      era.versions.push(version)
    }
  }
  for (const era of eras) era.versions.reverse()
  return eras.reverse()
}

/** Pre-releases of the next major are in the era that they end. */
const releasedMajor = (version: Listed): number | null =>
  isPrerelease(version) ? null : majorOf(version.label)

const yearOf = ({ dateKnown, publishedAt }: Listed): number | null =>
  dateKnown ? new Date(publishedAt).getUTCFullYear() : null
