import { compareNumbers, readNumber } from '../../domain/versions/number.ts'
import { releasesIn } from './by-day.ts'
import { type Candidate, textBelow } from './candidates.ts'
import { doubtAbout } from './doubts.ts'
import type { Line } from './line.ts'
import { isInOrder, stepsOf } from './order.ts'

/**
 * Which candidates begin versions. One function weighs the evidence over the whole file: lines of one shape explain each
 * other, numbers and days are in order, headings are stronger than lines, and what is inside of a version is a part of it. The
 * best explanation is taken; a line outside of it begins no version, and `untaken` says why.
 */
export interface Choice {
  taken: Candidate[]
  untaken: { candidate: Candidate; why: string }[]
}

/**
 * With `isInsisting`, somebody says that it is a changelog: if nothing explains the lines, the usual ones that look like
 * versions are. `isOther` and `isGuide` tell what the file is by its name: see `doubtAbout`.
 */
export function chooseVersions(
  all: readonly Candidate[],
  lines: readonly Line[],
  { isInsisting = false, isOther = false, isGuide = false } = {},
): Choice {
  const candidates = all.filter((one, at) => !takesDate(all[at - 1], one, lines))
  const headings = candidates.filter(({ form }) => form === 'heading')
  const others = candidates.filter(({ form }) => form !== 'heading')
  const best = fromHeadings(headings, fromLines(others, lines))
  const doubt = isInsisting ? null : doubtAbout({ taken: best, lines, isOther, isGuide })
  const taken = doubt === null ? best : []
  const reasons = new Map(doubt === null ? [] : best.map(({ at }) => [at, doubt]))
  const untaken = untakenAmong(candidates, taken, reasons)
  if (taken.length > 0 || !isInsisting) return { taken, untaken }
  const looking = untaken.map(({ candidate }) => candidate)
  const insisted = largest(looking, ({ form, level }) => `${form} ${level}`)
  return { taken: insisted, untaken: untakenAmong(candidates, insisted, reasons) }
}

/** True for `2026-02-20` right below the heading of a version without a date, which then has this one. */
function takesDate(above: Candidate | undefined, one: Candidate, lines: readonly Line[]): boolean {
  const isDate = one.day !== null && one.isAlone && above?.form === 'heading' && above.number !== ''
  if (!isDate || above.isDated || textBelow(lines, above.at) !== lines[one.at]) return false
  above.isDated = true
  return true
}

/** The lines that looked like versions: headings with a number or a day, bare lines, and days and newer numbers above all. */
function untakenAmong(
  candidates: readonly Candidate[],
  taken: readonly Candidate[],
  reasons: ReadonlyMap<number, string>,
): Choice['untaken'] {
  const used = new Set(taken.map(({ at }) => at))
  let next = 0
  return candidates.flatMap((candidate) => {
    const { at, form, number, day, evidence } = candidate
    while ((taken[next]?.at ?? at) < at) next++
    const above = taken[next - 1]
    const isCertain = evidence === 'certain' && (number !== '' || day !== null)
    const isNewer = (end?: Candidate) => end && number.includes('.') && compareNumbers(number, end.number) > 0
    const looks =
      isCertain ||
      (taken.length === 0 && reasons.has(at)) ||
      (above === undefined && (day !== null || (isNewer(taken[0]) && isNewer(taken.at(-1))))) ||
      (form === 'heading' && (number.includes('.') || day !== null))
    if (used.has(at) || !looks) return []
    return { candidate, why: reasons.get(at) ?? whyOutside(candidate, above) }
  })
}

function whyOutside({ number }: Candidate, above: Candidate | undefined): string {
  if (above === undefined) return 'nothing marks it as a version'
  if (above.number === number && number !== '') return `it repeats the number of version ${number} inside it`
  return 'it does not look like the other versions'
}

// Headings.

/** Headings of the usual level and above, and deeper ones and lines that are in order with them. */
function fromHeadings(headings: readonly Candidate[], lined: readonly Candidate[]): Candidate[] {
  const parts = partsAmong(headings)
  const certain = headings.filter((one) => one.evidence === 'certain' && !parts.has(one))
  if (certain.length === 0) {
    const likely = largest(
      headings.filter(({ number, day, isUnreleased }) => number !== '' || day !== null || isUnreleased),
      ({ level }) => level,
    )
    return lined.length < likely.length ? likely : [...lined]
  }
  if (lined.length > 2 * certain.length && lined.every(({ number }) => number !== ''))
    return withMore(lined, certain)
  const released = certain.filter(({ isUnreleased }) => !isUnreleased)
  const usual = largest(released.length > 0 ? released : certain, ({ level }) => level)[0]?.level ?? 0
  const levels = new Set(certain.map(({ level }) => level))
  let above: Candidate | undefined
  const taken = headings.filter((one) => {
    const isInside = one.level > usual
    const isCertain = one.evidence === 'certain' && !parts.has(one)
    const isOwn = one.isUnreleased ? above === undefined : one.isDated && one.number !== above?.number
    const isAlike =
      levels.has(one.level) && !parts.has(one) && (one.isDated || !ENUMERATED.test(one.heading.text))
    const isTaken = isInside ? isCertain && isOwn : isCertain || isAlike
    if (isTaken) above = one
    return isTaken
  })
  const hasThreeParts = ({ number }: Candidate) => (readNumber(number)?.parts.length ?? 0) > 2
  const deeper = certain.filter((one) => one.level > usual && hasThreeParts(one))
  // What names its number alone is part of a version: `* Now working on version 1.2.0`, `Compiler: 0.7.6`.
  const shapes = Map.groupBy(lined, ({ shape }) => shape)
  const fitting = lined.filter(
    (one) =>
      (one.isDated ? one.number !== '' : one.evidence === 'certain' && hasThreeParts(one)) &&
      (!one.isNamed || (one.form === 'line' && (one.isDated || shapes.get(one.shape)?.[1]))),
  )
  return withMore(withMore(taken, deeper), fitting)
}

/** `pkg@1.2.0` headings inside of versions without a name, if there are several packages. */
function partsAmong(headings: readonly Candidate[]): Set<Candidate> {
  const whole = headings.filter(
    (one) => one.evidence === 'certain' && one.number !== '' && !PACKAGE.test(one.heading.text),
  )
  const outer = largest(whole, ({ level }) => level)[0]?.level ?? 0
  const packages = headings.filter(({ level, heading }) => level > outer && PACKAGE.test(heading.text))
  const names = new Set(packages.map(({ heading }) => PACKAGE.exec(heading.text)?.[1]))
  return new Set(names.size > 1 && whole.length > 1 ? packages : [])
}

/** `1. Introduction` */
const ENUMERATED = /^\d{1,2}[.)]\s/
const PACKAGE = /^[`*[\s]*(@?[\w./-]+)@v?\d/

// Lines.

function fromLines(candidates: readonly Candidate[], lines: readonly Line[]): Candidate[] {
  const items = lines.filter(({ kind, indent }) => kind === 'item' && indent <= 1).length
  const numbered = candidates.filter(({ number, isUnreleased }) => number !== '' || isUnreleased)
  const [best = [], ...more] = [...Map.groupBy(numbered, ({ shape }) => shape).values()]
    .filter((group) => explains(group, items))
    .sort((one, other) => weightOf(other) - weightOf(one))
  const certain = best.filter(({ evidence }) => evidence === 'certain')
  let all: Candidate[] = certain.length === 0 ? best : certain
  for (const group of [best, ...more].slice(0, MOST_SHAPES)) all = withMore(all, group)
  const dated = candidates.filter(({ day }) => day !== null)
  // The first of those of a day begins what happened then.
  const days = dated.filter(({ day }, at) => day !== dated[at - 1]?.day)
  const isByDay = days.length > all.length && days.length >= all.length * (all.length < 3 ? 5 : 30)
  if (!isByDay) return all
  const released = releasesIn(dated, lines)
  return released ?? days.map((day) => ({ ...day, number: '' }))
}

/** Each is compared with all lines before: more would take quadratic time. */
const MOST_SHAPES = 50

/** Lines of one shape may be versions if one is certain or three are in order, items also if nearly all of the file are such, or all have others below. */
function explains(group: readonly Candidate[], items: number): boolean {
  if (group.some(({ evidence }) => evidence === 'certain')) return true
  const areItems = group.some(({ form, day }) => form === 'item' && day === null)
  if (areItems && group.length > 1 && group.length * 5 >= items * 4) return true
  const areHeads = group.every(({ at, isAlone }, next) => isAlone && (group[next + 1]?.at ?? at + 3) > at + 2)
  return (!areItems || areHeads) && group.length >= 3 && isInOrder(group)
}

const weightOf = (group: readonly Candidate[]): number =>
  group.reduce((sum, { evidence }) => sum + (evidence === 'certain' ? 2 : 1), 0)

/** With those of others whose number is between the ones above and below, or all if at most one in five is not. */
function withMore(versions: readonly Candidate[], others: readonly Candidate[]): Candidate[] {
  const numbers = new Set(versions.map(({ number }) => number))
  const known = new Set(versions)
  const more = others.filter((one) => !known.has(one) && (one.number === '' || !numbers.has(one.number)))
  if (versions.length === 0 || more.length === 0) return versions.length === 0 ? [...others] : [...versions]
  const all = [...versions, ...more].sort((one, other) => one.at - other.at)
  const disorder = Math.min(...stepsOf(all)) - Math.min(...stepsOf(versions))
  if (disorder * 5 <= more.length && more.length > 1) return all
  const doubtful = new Set(more)
  const [rises, falls] = stepsOf(versions)
  let next = 0
  return all.filter((one) => {
    if (!doubtful.has(one)) return true
    while ((versions[next]?.at ?? one.at) < one.at) next++
    const [above, below] = [versions[next - 1], versions[next]]
    const steps = [
      above ? compareNumbers(one.number, above.number) : [],
      below ? compareNumbers(below.number, one.number) : [],
    ].flat()
    return steps.length > 0 && steps.every((step) => (rises > falls ? step > 0 : step < 0))
  })
}

const largest = <T, K>(all: readonly T[], key: (one: T) => K): T[] =>
  [...Map.groupBy(all, key).values()].sort((one, other) => other.length - one.length)[0] ?? []
