import type { Change, Instant } from '../records.ts'
import { DAY_MS } from '../time/time.ts'
import { kindOfChange } from './kinds.ts'
import { breakingIn, type TextsAround } from './marks/said.ts'
import { isOfKind, marksOf, onlyUpdatesDependencies } from './marks.ts'
import { majorOf as majorIn, orderOf, readNumber } from './number.ts'
import { REFERENCE, readPrefix } from './prefix.ts'
import { CHANGE_HINTS, CHANGE_MARKS } from './properties.ts'
import { isPrerelease } from './standing.ts'

/** A release on the way from one version to another. */
export interface PassedRelease {
  id: string
  label: string
  title: string
  /** Null if it is not known. */
  date: Instant | null
  /** Why it is named only. */
  folded: 'prerelease' | 'dependencies' | null
  changes: readonly Change[]
}

export interface PassedChange {
  change: Change
  /** The release that says it: for what only a pre-release says, that one. */
  version: PassedRelease
  /** The release that has it. */
  release: PassedRelease
}

/** The work for one release, or for all of its major one. */
export interface Step {
  version: PassedRelease
  changes: PassedChange[]
}

export interface Span {
  count: number
  unit: 'day' | 'week' | 'month' | 'year'
}

/** The effects of an upgrade. The oldest comes first: that is the order of the work. */
export interface Verdict {
  releases: PassedRelease[]
  /** Of these, with what only their pre-releases mark. */
  changes: PassedChange[]
  folded: PassedRelease[]
  majors: number
  /** How many changes break something. */
  breaking: number
  security: PassedChange[]
  /** When the release in use and the last of these were released, and the time between, if that is known. */
  since: Instant | null
  until: Instant | null
  span: Span | null
  checklist: Step[]
  /** What may break something, by release as above, and what else to look at in a major that is unmarked. */
  lookFirst: Step[]
  /** The majors of which their authors mark no change as breaking. */
  unmarked: PassedRelease[]
}

const MOST_LOOKED_AT = 12
/** From here on numbers are years. */
export const MOST_MAJOR = 1_900

/** The verdict on an upgrade from a version, released at `since`, past these releases. */
export function judgeUpgrade(
  from: string | undefined,
  since: Instant | null,
  passed: readonly PassedRelease[],
): Verdict {
  const ordered = inOrder(passed)
  const releases = ordered.filter(({ folded }) => folded === null)
  // `from=3` is all of 3.
  const own = from === undefined ? null : majorOf(/^v?\d+$/i.test(from) ? `${from}.0` : from)
  const majors = Map.groupBy(releases, ({ label }) => majorOf(label))
  for (const none of [null, own]) majors.delete(none)
  const all = withPrereleases(ordered)
  const changes = all.filter((each) => each.version === each.release || isMarked(each))
  const breaking = changes.filter(({ change }) => isOfKind(change, ['breaking']))
  // A break in a minor release belongs to its major, if that is on the way too.
  const headOf = ({ release }: PassedChange) => majors.get(majorOf(release.label))?.[0] ?? release
  const hinted = Map.groupBy(changes.filter(mayBreak), headOf)
  const unmarked = [...majors.values()].flatMap(([head]) => (head && !marksIts(all, head) ? [head] : []))
  const until = Math.max(0, ...releases.map(({ date }) => date ?? 0)) || null
  return {
    releases,
    changes,
    folded: ordered.filter(({ folded }) => folded !== null),
    majors: majors.size,
    breaking: breaking.length,
    security: changes.filter(({ change }) => CHANGE_MARKS.security.of(change)),
    since,
    until,
    span: since === null || until === null || until <= since ? null : spanOf((until - since) / DAY_MS),
    checklist: [...Map.groupBy(breaking, headOf)].map(([version, changes]) => ({ version, changes })),
    lookFirst: releases.flatMap((version) => {
      const likely = hinted.get(version) ?? []
      const rest = unmarked.includes(version) ? toLookAt(all, version, likely) : []
      const isSilent = breaking.length === 0 && unmarked.includes(version)
      return isSilent || likely.length + rest.length > 0 ? { version, changes: [...likely, ...rest] } : []
    }),
    unmarked,
  }
}

/** True if the author of a release marks what it breaks. */
const marksIts = (changes: readonly PassedChange[], release: PassedRelease): boolean =>
  changes.some((each) => each.release === release && CHANGE_MARKS.breaking.of(each.change))

const mayBreak = ({ change }: PassedChange): boolean => CHANGE_HINTS.mayBreak.of(change)

/** The changes of releases in order, each with those of its pre-releases. What is marked twice is there once. */
function withPrereleases(ordered: readonly PassedRelease[]): PassedChange[] {
  let before: PassedChange[] = []
  return ordered.flatMap((release) => {
    const own = changesOf(release)
    if (release.folded === 'prerelease') before.push(...own)
    if (release.folded !== null) return []
    const marked = new Set<string>()
    const once = own.filter(
      (each) => !isMarked(each) || (!marked.has(textOf(each)) && marked.add(textOf(each))),
    )
    const known = new Set(own.map(textOf))
    const added = before.filter((each) => !known.has(textOf(each)) && known.add(textOf(each)))
    before = []
    return [...once, ...added.map((each) => ({ ...each, release }))]
  })
}

const isMarked = ({ change }: PassedChange): boolean => marksOf(change).length > 0

const changesOf = (version: PassedRelease): PassedChange[] =>
  version.changes.map((change) => ({ change, version, release: version }))

const REFERENCES = new RegExp(`\\(?${REFERENCE}\\)?|\\]\\([^()\\s]*\\)`, 'g')

/** The letters of a title, without where it comes from. */
const textOf = ({ change: { title } }: PassedChange): string =>
  readPrefix(title)
    .title.replace(REFERENCES, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Why a release is named only, if it is: the pre-releases of a release, and what only updates dependencies. A major is never one. */
export function foldedOn(
  to: { label: string },
  version: { label: string; prerelease: boolean | null; description: string | null },
  changes: readonly Change[],
): PassedRelease['folded'] {
  if (isPrerelease(version) && !isPrerelease(to)) return 'prerelease'
  const isMajor = /^[1-9]\d*(?:\.0){1,2}$/.test(readNumber(version.label)?.text ?? '')
  return !isMajor && onlyUpdatesDependencies(changes, version.description) ? 'dependencies' : null
}

/** Adds the breaking part of the texts around changes as one of its own, unless that is a line which only announces them. */
export function withTextsAround(
  { id, ...around }: TextsAround & { id: string },
  changes: readonly Change[],
): readonly Change[] {
  const part = breakingIn(around)
  if (part === null || (!part.includes('\n') && changes.some(CHANGE_MARKS.breaking.of))) return changes
  const [line = '', ...rest] = part.split('\n')
  const title = line.replace(/^(?:#+ |[ \t>*_-]+)/, '').replace(/(?<![*_:\s])[*_:\s]+$/, '')
  const said = { id, type: 'breaking', typeLabel: null, title, description: rest.join('\n').trim() || null }
  return [said, ...changes]
}

/** The oldest first: by number or, where one is not understood, by their place in the list, which begins with the newest. */
function inOrder(releases: readonly PassedRelease[]): PassedRelease[] {
  const keyed = releases.toReversed().map((release) => ({ release, key: orderOf(release.label) }))
  const isOrdered = keyed.every(({ key }) => key !== null)
  if (isOrdered) keyed.sort((one, other) => ((one.key ?? '') < (other.key ?? '') ? -1 : 1))
  return keyed.map(({ release }) => release)
}

/** Days as months from two months on, and as years above two years. */
function spanOf(days: number): Span {
  if (days > 740) return { count: Math.round(days / 365.25), unit: 'year' }
  if (days >= 60) return { count: Math.round(days / 30.44), unit: 'month' }
  return days >= 14
    ? { count: Math.round(days / 7), unit: 'week' }
    : { count: Math.max(1, Math.round(days)), unit: 'day' }
}

/** Null if it has none. */
export function majorOf(label: string): number | null {
  const major = majorIn(label)
  return major !== null && major < MOST_MAJOR ? major : null
}

/** Removals, what is changed, and deprecations of an unmarked release, in this order, as far as there is room below what may break. */
const toLookAt = (
  changes: readonly PassedChange[],
  version: PassedRelease,
  above: readonly PassedChange[],
): PassedChange[] =>
  changes
    .filter((each) => each.release === version && rankOf(each) >= 0 && !above.includes(each))
    .sort((one, other) => rankOf(one) - rankOf(other))
    .slice(0, Math.max(0, MOST_LOOKED_AT - above.length))

const LOOKED_AT = ['removed', 'changed', 'deprecated']

const rankOf = (each: PassedChange): number =>
  mayBreak(each) || /compat|migrat|upgrad/.test(each.change.type)
    ? 0
    : LOOKED_AT.indexOf(kindOfChange(each.change))
