import { type FoundVersion, identity, type Missing } from './compare.ts'
import type { Expected } from './counting/count.ts'
import { findDay, writtenDays } from './counting/days.ts'
import { isReleased, type Released } from './releases.ts'

/** What an import shows and its file does not say, a line for each. It is worse than what is missing. */
export interface Invented {
  /** Neither the count nor the registry has it, and no line begins with it; or another version has its number. */
  versions: string[]
  /** Its day is another than in the file, or nowhere in it. */
  dates: string[]
  /** A released version that is a draft or scheduled. */
  hidden: string[]
}

/** What a version says of itself while it is not released. */
const UNRELEASED =
  /\b(?:un-?released|not (?:yet )?released|tb[ad]|to be (?:released|announced)|upcoming|next|head|master|trunk|main|wip|in (?:progress|development)|pending|draft|dev|snapshot)\b/i

/** `1.7.0 beta 2` is another version than 1.7.0. */
const PRERELEASE = /\b(?:alpha|beta|rc|pre(?:view|release)?)\b/i

export function inventedBy(
  text: string,
  { versions: expected }: Expected,
  missing: Missing,
  found: readonly FoundVersion[],
  released: Released,
): Invented {
  const lines = text.split(/\r\n?|\n/)
  const isWritten = writtenDays(lines)
  const numbers = new Set(expected.map(({ number }) => identity(number)))
  const isTrue = (number: string) =>
    isReleased(released, number) || lines.some((line) => begins(line, number))
  const isDay = (label: string) => findDay(label, 'day-first') !== null && isHeadOf(label, lines)
  const isFalse = (label: string) =>
    !isDay(label) &&
    ((numbers.has(identity(label)) && !PRERELEASE.test(label)) ||
      !(UNRELEASED.test(label) || isTrue(identity(label))))
  const another = missing.days.flatMap(({ expected: { text, day }, found: other }) =>
    other === null ? [] : [`${other} instead of ${day}: ${text}`],
  )
  const unwritten = found.flatMap(({ label, day }) =>
    day === null || isWritten(day) ? [] : [`${day} is not in the file: ${label}`],
  )
  return {
    versions: missing.surplus.filter(isFalse),
    dates: [
      ...another,
      ...unwritten.filter((one) => !another.some((two) => two.startsWith(one.slice(0, 10)))),
    ],
    hidden: hiddenReleases(expected, found, released),
  }
}

/** Whether a line begins with a label; ` (2)` is the second of a day. */
const isHeadOf = (label: string, lines: readonly string[]): boolean =>
  lines.some((line) => line.replace(/^\W+/, '').startsWith(label.replace(/ \(\d+\)$/, '')))

/** Whether a line is a number and a day, or begins with both, or is Debian's. The count knows less forms of days. */
function begins(line: string, number: string): boolean {
  const found = findDay(line, 'day-first')
  const isDayFirst = found !== null && /^\W*\d{4}\W/.test(line)
  const own = (isDayFirst ? found.rest : line).toLowerCase()
  const debian = /^\S+ \((?<number>[^()\s]+)\) [^;]+; *urgency=/.exec(own)?.groups?.number
  if (debian !== undefined) return debian === number
  const at = /^[^\p{L}\p{N}]*(?:(?:version|release|ver|rev|v)[.:\s]*)?/u.exec(own)?.[0].length ?? 0
  if (!own.startsWith(number, at)) return false
  const behind = own.slice(at + number.length)
  return /^(?![.\w])/.test(behind) && (isDayFirst || /(?:19|20)\d\d/.test(behind) || !/\p{L}/u.test(behind))
}

/**
 * Drafts that do not say that they are not released: those that the registry has, and those that are not at an end of the
 * file. Of several at the ends one may be a draft.
 */
function hiddenReleases(
  expected: Expected['versions'],
  found: readonly FoundVersion[],
  released: Released,
): string[] {
  const drafts = found.filter(({ isDraft, label, title }) => isDraft && !UNRELEASED.test(`${label} ${title}`))
  const numbered = expected.filter(({ number }) => number !== 'unreleased')
  const ends = [numbered[0], numbered.at(-1)].map((version) => version && identity(version.number))
  const mayBe = drafts.find(
    ({ label, day }) =>
      !isReleased(released, identity(label)) && day === null && ends.includes(identity(label)),
  )
  return drafts
    .filter((draft) => draft !== mayBe && (draft.day === null || isReleased(released, identity(draft.label))))
    .map(({ label }) => label)
}
