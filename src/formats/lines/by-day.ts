import { UNRELEASED } from '../../domain/records.ts'
import { compareNumbers } from '../../domain/versions/number.ts'
import { NUMBER } from '../../domain/versions/number-in-line.ts'
import { headingWith } from '../changelog/versions/heading.ts'
import { type Candidate, visibleOf } from './candidates.ts'
import type { Line } from './line.ts'

/** Logs by day, as GNU's are, and the releases that their entries name. */

const OWN = `(?:version:?\\s+)?v?(?<number>(?!v)${NUMBER})`
/** `GNU make ` */
const WORDS = '(?:[\\w+-]+\\s+){0,2}?'
/** Where a line is about its own release, behind the name of a file or a commit. */
const NAMED = [
  `(?:${WORDS}release|released?|releasing|version)(?:\\s|:\\s*)${WORDS}${OWN}(?:\\s+(?:is\\s+)?released)?(?:$|[.!,;](?:\\s|$)|\\s+(?:\\(|--?\\s))`,
  `(?:[\\w+-]+\\s+)?${OWN}(?:\\s+(?:is\\s+|was\\s+)?released|: release tar ?ball made)[.!]?$`,
  `(?:bump(?:ed)?|upped|set|changed?|updated?|increased?|incremented)\\s+(?:the\\s+)?version\\s+(?:number\\s+|counter\\s+)?to\\s+${OWN}[.!]?$`,
  `created\\s+${OWN}\\s+tag[.!]?$`,
  `.{1,150}\\((?:.{1,60}, )?tag: (?:[A-Za-z][\\w-]{0,40}-)?${OWN}\\)$`,
].map((form) => new RegExp(`^(?:\\S{1,80}(?: \\([^()]{1,80}\\))?:\\s+)?${form}`, 'i'))

/**
 * The entries of a log, newest first, that name a release, in place of all its days; what is above the newest is not
 * released. Null if fewer than two are named, or so few that the log leaves most of its releases out.
 */
export function releasesIn(entries: readonly Candidate[], lines: readonly Line[]): Candidate[] | null {
  const [newest, oldest] = [entries[0], entries.at(-1)]
  if (!newest || (newest.day ?? 0) < (oldest?.day ?? 0)) return null
  const releases: Candidate[] = []
  for (const [index, entry] of entries.entries()) {
    const end = entries[index + 1]?.at ?? lines.length
    let isFirst = true
    for (let at = entry.at + 1; at < end; at++) {
      const number = numberNamed(lines[at] as Line)
      const above = releases.at(-1)?.number
      if (number === null || (above !== undefined && compareNumbers(number, above) >= 0)) continue
      releases.push({
        ...entry,
        number,
        isNamed: true,
        ...(isFirst ? placeOf(entry, number) : placeWithin(entry, number, at)),
      })
      isFirst = false
    }
  }
  const days = new Set(entries.map(({ day }) => day)).size
  if (releases.length < 2 || releases.length * MOST_DAYS < days) return null
  if (releases[0]?.at === newest.at) return releases
  // A release in words that are not understood would be hidden.
  if (lines.slice(newest.at, releases[0]?.at).some(({ text }) => MAY_NAME.test(text))) return null
  const heading = headingWith(UNRELEASED, newest.heading)
  return [{ ...newest, number: '', day: null, heading, isUnreleased: true }, ...releases]
}

const placeOf = ({ at, heading }: Candidate, number: string) => ({
  at,
  heading: headingWith(number, heading),
})

/** A release below another one of the same entry begins with the line that names it. */
function placeWithin({ heading }: Candidate, number: string, at: number) {
  const own = headingWith(number, { ...heading, text: '' })
  return {
    at,
    isWithin: true,
    heading: { ...own, date: heading.date && { ...heading.date, start: 0, end: 0 } },
  }
}

function numberNamed({ kind, text }: Line): string | null {
  if ((kind !== 'item' && kind !== 'text') || text.length > LONGEST || !/\d\.\d/.test(text)) return null
  const visible = visibleOf(text)
  for (const form of NAMED) {
    const number = form.exec(visible)?.groups?.number
    if (number !== undefined) return number
  }
  return null
}

const LONGEST = 200
const MAY_NAME = /\b(?:rel(?:ease[sd]?)?|version)\b.{0,40}\d\.\d/i
/** For each release. */
const MOST_DAYS = 150
