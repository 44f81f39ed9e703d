import { NUMERIC } from '../keepachangelog/vocabulary.ts'
import { type Candidate, ITEM_SHAPE } from './candidates.ts'
import type { Line } from './lines.ts'

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
 * versions are. `isOther` tells that the name of the file is that of something else.
 */
export function chooseVersions(
  candidates: readonly Candidate[],
  lines: readonly Line[],
  { isInsisting = false, isOther = false } = {},
): Choice {
  const reasons = new Map<Candidate, string>()
  const refuse = (many: readonly Candidate[], why: string): [] => {
    for (const one of many) reasons.set(one, why)
    return []
  }
  const headings = candidates.filter(({ form }) => form === 'heading')
  const others = candidates.filter(({ form }) => form !== 'heading' && form !== 'row')
  const lined = fromLines(others, lines, refuse)
  const weight = headings.filter(({ evidence, number }) => evidence === 'certain' || number !== '').length
  let taken: Candidate[]
  const isByDay = lined.some(({ day, number }) => day !== null && number === '')
  if (lined.length > (isByDay ? 20 : 2) * weight)
    taken = withMore(
      lined,
      headings.filter(({ number }) => number !== ''),
    )
  else taken = fromHeadings(headings, lined, lines, refuse)
  if (taken.length === 0)
    taken = fromRows(
      candidates.filter(({ form }) => form === 'row'),
      lines,
      refuse,
    )
  const doubt = isInsisting ? null : doubtAbout(taken, lines, isOther)
  if (doubt !== null) taken = refuse(taken, doubt)
  const untaken = untakenAmong(candidates, taken, reasons)
  if (taken.length > 0 || !isInsisting) return { taken, untaken }
  const all = untaken.map(({ candidate }) => candidate)
  const insisted = largest(all, ({ form, level }) => `${form} ${level}`)
  return { taken: insisted, untaken: untakenAmong(candidates, insisted, reasons) }
}

/** What looked like a version: a heading or a row with a number or a day, a line with nothing else, and days above all versions. */
function untakenAmong(
  candidates: readonly Candidate[],
  taken: readonly Candidate[],
  reasons: ReadonlyMap<Candidate, string>,
): Choice['untaken'] {
  const used = new Set(taken.flatMap(({ at, dayAt = at }) => [at, dayAt]))
  const starts = taken.map(({ at }) => at)
  let next = 0
  return candidates.flatMap((candidate) => {
    const { at, form, number, day, evidence } = candidate
    while ((starts[next] ?? Number.POSITIVE_INFINITY) < at) next++
    const above = taken[next - 1]
    const isCertain = evidence === 'certain' && (number !== '' || day !== null)
    const looks =
      isCertain ||
      (taken.length === 0 && reasons.has(candidate)) ||
      (day !== null && above === undefined) ||
      ((form === 'heading' || form === 'row') && (number.includes('.') || day !== null))
    if (used.has(at) || !looks) return []
    return { candidate, why: reasons.get(candidate) ?? whyOutside(candidate, above) }
  })
}

function whyOutside({ number }: Candidate, above: Candidate | undefined): string {
  if (above === undefined) return 'nothing says that it is a version'
  if (above.number === number && number !== '') return `it is inside of version ${number}, and has its number`
  return 'it is unlike the lines of other versions'
}

/** Why all of them are something else than versions; null if they are not. */
function doubtAbout(taken: readonly Candidate[], lines: readonly Line[], isOther: boolean): string | null {
  const isByDay = taken.every(({ day }) => day !== null)
  if (isByDay && isMeetings(lines)) return 'the days of this text are those of meetings'
  if (isByDay && isOther) return 'a file of this name has days for other reasons'
  if (taken.every(({ text }) => /^\W*development\W*$/i.test(text))) return 'there is no other version'
  if (taken.some(({ isDated, isUnreleased }) => isDated || isUnreleased)) return null
  const [rises, falls] = stepsOf(taken)
  if (rises > falls * 9 && taken.every(({ number, text }) => !HAS_ZERO.test(number) && !MARKED.test(text)))
    return 'the numbers rise, and have neither dates nor zeros, as those of chapters do'
  const named = taken.filter(({ form, isNamed, text }) => form === 'line' && isNamed && !CHANGED.test(text))
  const names = new Set(named.map(({ shape }) => shape))
  return named.length === taken.length && names.size * 2 > taken.length
    ? 'the words in front of its number are in no other line'
    : null
}

/** `1.0`, `0.3` */
const HAS_ZERO = /(?:^|\.)0+(?:\.|$)/
const MARKED = /^\W*v\d/i
const CHANGED = /\b(?:chang|news?\b|releas)/i

/** Whether a text by date has the words of minutes. */
const isMeetings = (lines: readonly Line[]): boolean =>
  lines.filter(({ text }) =>
    /^[*_#\s-]*(?:attend(?:ees|ing|ance)|agenda|present|apologies|minutes|action items|participants)\b/i.test(
      text,
    ),
  ).length > 1

type Refuse = (many: readonly Candidate[], why: string) => []

// Headings.

function fromHeadings(
  headings: readonly Candidate[],
  lined: readonly Candidate[],
  lines: readonly Line[],
  refuse: Refuse,
): Candidate[] {
  const parts = partsAmong(headings)
  const certain = headings.filter((one) => one.evidence === 'certain' && !parts.has(one))
  if (certain.length === 0) {
    const likely = largest(
      headings.filter(({ number, day, isUnreleased }) => number !== '' || day !== null || isUnreleased),
      ({ level }) => level,
    )
    if (lined.length > 0 && lined.length >= likely.length) return [...lined]
    return isPlausible(likely, refuse) ? likely : [...lined]
  }
  const released = certain.filter(({ isUnreleased }) => !isUnreleased)
  const usual = largest(released.length > 0 ? released : certain, ({ level }) => level)[0]?.level ?? 0
  const levels = Map.groupBy(certain, ({ level }) => level)
  const usualCount = levels.get(usual)?.length ?? 0
  const numbers = new Set(certain.map(({ number }) => number))
  const first = certain[0]?.at ?? 0
  let above: Candidate | undefined
  const taken = headings.filter((one) => {
    const isCertain = one.evidence === 'certain' && !parts.has(one)
    const isInside = one.level > usual
    const isRepeated = isInside && one.number !== '' && one.number === above?.number
    const isUsual =
      one.isDated || HAS_LINK.test(one.text) || (levels.get(one.level)?.length ?? 0) * USUAL >= usualCount
    const isOwn = one.number !== '' && !numbers.has(one.number) && HAS_THREE_PARTS.test(one.number)
    const isTaken =
      !isRepeated &&
      (isInside
        ? isCertain && (isUsual || (one.isUnreleased && above === undefined))
        : isCertain ||
          (levels.has(one.level) && one.evidence === 'likely') ||
          (isOwn && one.at > first && one.level < usual))
    if (isTaken) above = one
    return isTaken
  })
  // Others that are a number alone must be in order.
  const isTaken = new Set(taken)
  const more = headings.filter(
    (one) =>
      one.evidence === 'certain' && !isTaken.has(one) && !parts.has(one) && HAS_THREE_PARTS.test(one.number),
  )
  const fitting = lined.filter(
    (one) =>
      one.evidence === 'certain' &&
      !numbers.has(one.number) &&
      (one.isDated || HAS_THREE_PARTS.test(one.number)),
  )
  // Lines of their shape begin with the same words: `Foo 1.2.0 (stable) - 2 May 2026`.
  const shapes = new Set(fitting.filter(({ isNamed }) => isNamed).map(({ shape }) => shape))
  fitting.push(...lined.filter(({ evidence, shape }) => evidence !== 'certain' && shapes.has(shape)))
  return withDaysAbove(withMore(withMore(taken, more), fitting), headings, lines)
}

/** `## 1 May 2019` right above `### 1.1.2` is its date. */
function withDaysAbove(
  taken: readonly Candidate[],
  headings: readonly Candidate[],
  lines: readonly Line[],
): Candidate[] {
  const isTaken = new Set(taken)
  const aboves = new Map(headings.map((one, at) => [one, headings[at - 1]]))
  return taken.map((one) => {
    const above = aboves.get(one)
    const isDay =
      above &&
      above.day !== null &&
      !isTaken.has(above) &&
      above.level < one.level &&
      isRightBelow(one, above, lines)
    return isDay && !one.isDated && one.form === 'heading'
      ? { ...one, text: `${one.text} (${above.text})`, dayAt: above.at }
      : one
  })
}

const isRightBelow = ({ at }: Candidate, above: Candidate, lines: readonly Line[]): boolean =>
  at - above.at === 1 || (at - above.at === 2 && lines[at - 1]?.kind === 'blank')

const HAS_THREE_PARTS = /\d\.\d+\.\d/
const HAS_LINK = /\]\(|\]\[/
/** Versions inside of others are at least one to so many of those. */
const USUAL = 4

/** `pkg@1.2.0` headings inside of versions without a name: there are several packages, or the number is that of the version. */
function partsAmong(headings: readonly Candidate[]): Set<Candidate> {
  const whole = headings.filter(
    (one) => one.evidence === 'certain' && !one.isUnreleased && one.number !== '' && !PACKAGE.test(one.text),
  )
  const outer = largest(whole, ({ level }) => level)[0]?.level ?? 0
  const packages = headings.filter(({ level, text }) => level > outer && PACKAGE.test(text))
  const names = new Set(packages.map(({ text }) => PACKAGE.exec(text)?.[1]))
  return new Set(names.size > 1 && whole.length > 1 ? packages : [])
}

const PACKAGE = /^[`*[\s]*(@?[\w./-]+)@v?\d/

/** Whether headings with a text beside their numbers are versions, and not chapters. */
function isPlausible(headings: readonly Candidate[], refuse: Refuse): boolean {
  const numbered = headings.filter(({ number, isDated, isNamed }) => number !== '' && !isDated && !isNamed)
  if (numbered.length * 2 <= headings.length) return headings.length > 0
  const whole = numbered.filter(({ number }) => !number.includes('.'))
  const [rises, falls] = stepsOf(numbered)
  const isMarked = numbered.every(({ text }) => MARKED.test(text))
  if (whole.length * 2 > numbered.length && !isMarked && (rises > 0 || falls === 0))
    refuse(headings, 'its number is a whole one without a date, as that of a chapter is')
  else if (!isMarked && (rises > falls || (rises === falls && numbered.length > 1)))
    refuse(headings, 'the numbers rise and have no dates, as those of chapters do')
  else return true
  return false
}

// Lines.

function fromLines(candidates: readonly Candidate[], lines: readonly Line[], refuse: Refuse): Candidate[] {
  const items = lines.filter(({ kind, indent }) => kind === 'item' && indent <= 1).length
  const numbered = candidates.filter(({ number, isUnreleased }) => number !== '' || isUnreleased)
  const groups = [...Map.groupBy(numbered, ({ shape }) => shape).values()].filter((group) =>
    explains(group, items),
  )
  groups.sort((one, other) => weightOf(other) - weightOf(one))
  const [best = [], ...more] = groups
  const certain = best.filter(({ evidence }) => evidence === 'certain')
  let all: Candidate[] = certain.length === 0 ? best : certain
  for (const group of [best, ...more].slice(0, MOST_SHAPES)) all = withMore(all, group)
  const days = oneADay(candidates.filter(({ day }) => day !== null))
  const dayLines = new Set(days.map(({ at }) => at))
  // What is right below a day, or an item, is what was done then.
  const isBelowDay = ({ at }: Candidate) => dayLines.has(lines[at - 1]?.kind === 'blank' ? at - 2 : at - 1)
  const inside = all.filter((one) => one.form === 'item' || isBelowDay(one)).length
  const least = inside * 2 > all.length ? all.length : all.length * (all.length < 3 ? 5 : 30)
  if (days.length > 1 && days.length >= Math.max(least, all.length + 1 - inside)) {
    refuse(all, 'the entries of this file are days, and this is a line of one')
    return days.map((day) => ({ ...day, number: '' }))
  }
  return all
}

/** Each is compared with all lines before: more would take quadratic time. */
const MOST_SHAPES = 50

/** Whether lines of one shape may be versions: one that is certain, or three in order; and of items nearly all. */
function explains(group: readonly Candidate[], items: number): boolean {
  if (group[0]?.shape.startsWith(ITEM_SHAPE)) return group.length > 1 && group.length * 5 >= items * 4
  if (group.some(({ evidence }) => evidence === 'certain')) return true
  const isLikely = group.every(({ evidence }) => evidence === 'likely')
  return group.length >= (isLikely ? 2 : 3) && isInOrder(group)
}

const weightOf = (group: readonly Candidate[]): number =>
  group.reduce((sum, { evidence }) => sum + (evidence === 'certain' ? 2 : 1), 0)

/** The first of those of a day, which begins what happened then. */
const oneADay = (days: readonly Candidate[]): Candidate[] =>
  days.filter(({ day }, at) => day !== days[at - 1]?.day)

/** A table whose rows are releases says so above them, and has words in them. */
function fromRows(rows: readonly Candidate[], lines: readonly Line[], refuse: Refuse): Candidate[] {
  const first = rows[0]
  if (first === undefined) return []
  const isHtml = !/^\s*\|/.test(lines[first.at]?.raw ?? '')
  const head =
    lines
      .slice(Math.max(0, first.at - 3), first.at)
      .find(({ kind, text }) => kind === 'row' && /\p{L}/u.test(text))?.text ?? ''
  const isReleases =
    /^\s*\W*(?:version|release|ver|tag|v)\b/i.test(head) &&
    !/\b(?:eol|end.of|support|until|lts|maint|status)/i.test(head)
  const worded = rows.filter(({ text }) => /\s\S*\p{L}{2}/u.test(text))
  if (isHtml || (isReleases && worded.length * 2 > rows.length)) return [...rows]
  return refuse(rows, 'the table does not say that its rows are releases and what changed in them')
}

// Order.

/** With those of others whose number is between the ones above and below, or all if at most one in five is not. */
function withMore(versions: readonly Candidate[], others: readonly Candidate[]): Candidate[] {
  const numbers = new Set(versions.map(({ number }) => number))
  const known = new Set(versions)
  const more = others.filter((one) => !known.has(one) && (one.number === '' || !numbers.has(one.number)))
  if (versions.length === 0 || more.length === 0) return versions.length === 0 ? [...others] : [...versions]
  const all = [...versions, ...more].sort((one, other) => one.at - other.at)
  if ((disorder(all) - disorder(versions)) * 5 <= more.length && more.length > 1) return all
  const doubtful = new Set(more)
  const nearest = (from: number, step: number): Candidate | undefined => {
    let at = from + step
    while (doubtful.has(all[at] as Candidate) && Math.abs(at - from) < FEW) at += step
    return all[at]
  }
  return all.filter((one, at) => {
    if (!doubtful.has(one)) return true
    const [above, below] = [nearest(at, -1), nearest(at, 1)]
    if (above === undefined || below === undefined)
      return (above === undefined) !== (below === undefined) && isNext(one, above, below, versions)
    return compare(above, one) * compare(one, below) > 0
  })
}

/** So many doubtful lines may stand beside each other. */
const FEW = 5

/** Whether a line beyond the others goes on with their order. */
function isNext(
  one: Candidate,
  above: Candidate | undefined,
  below: Candidate | undefined,
  versions: readonly Candidate[],
): boolean {
  const [rises, falls] = stepsOf(versions)
  const step = above ? compare(one, above) : below ? compare(below, one) : 0
  return rises > falls ? step > 0 : step < 0
}

/** `1.2-rc` is older than `1.2`. */
const STAGE = /[-._]?(?:alpha|beta|gamma|delta|epsilon|rc|pre|dev).*$/i

function compare({ number: one }: Candidate, { number: other }: Candidate): number {
  const [older, newer] = [one.replace(STAGE, ''), other.replace(STAGE, '')]
  const isStage = Number(newer !== other) - Number(older !== one)
  return (
    NUMERIC.compare(older, newer) ||
    isStage ||
    NUMERIC.compare(one.replace(/gamma/i, 'c'), other.replace(/gamma/i, 'c'))
  )
}

/** Whether the numbers rise or fall from line to line, but for one in ten. */
function isInOrder(versions: readonly Candidate[]): boolean {
  const [rises, falls] = stepsOf(versions)
  return Math.max(rises, falls) * 10 >= (rises + falls) * 9 && (rises + falls) * 2 >= versions.length - 1
}

/** How many numbers are against the order of the others. */
const disorder = (versions: readonly Candidate[]): number => Math.min(...stepsOf(versions))

function stepsOf(versions: readonly Candidate[]): [rises: number, falls: number] {
  const numbered = versions.filter(({ number }) => number !== '')
  const steps = numbered.slice(1).map((version, at) => compare(version, numbered[at] as Candidate))
  return [steps.filter((step) => step > 0).length, steps.filter((step) => step < 0).length]
}

function largest<T, K>(all: readonly T[], key: (one: T) => K): T[] {
  return [...Map.groupBy(all, key).values()].reduce<T[]>(
    (most, group) => (group.length > most.length ? group : most),
    [],
  )
}
