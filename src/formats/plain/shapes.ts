import { width } from '../keepachangelog/markdown/lines.ts'
import { findDate } from '../keepachangelog/versions/dates.ts'
import { plainLabel } from '../keepachangelog/versions/label.ts'
import { ABOUT_A_VERSION, anyOf } from '../keepachangelog/vocabulary.ts'
import type { TextLines } from '../text-lines.ts'

/** A line that begins a version, and has no markup of markdown that says so. */
export interface VersionLine {
  at: number
  /** What is in front of it: a bullet, stars, or nothing. */
  mark: string
  text: string
  label?: string
  /** Whether it has a name of something in front, and no date. */
  isPart?: boolean
  /** Whether it may end the sentence of the line above. */
  mayContinue?: boolean
  /** Whether a text follows its number: then the order of the numbers decides. */
  isDoubtful?: boolean
  isUnderlined?: boolean
}

export interface ShapedLine extends VersionLine {
  label: string
  isIndented: boolean
}

/**
 * The lines that have a number behind the same indentation, marks and words as others, if the numbers rise or fall from
 * one to the next: such a line is the heading of a version, whatever decorates it. Those of other shapes belong to
 * them if they keep the order.
 */
export function linesInOrder(lines: TextLines): ShapedLine[] {
  const shapes = new Map<string, ShapedLine[]>()
  for (let at = 0; at < lines.length; at++) {
    const found = numberedLine(lines.at(at), at)
    if (found === null) continue
    const same = shapes.get(found.shape)
    if (same === undefined) shapes.set(found.shape, [found])
    else same.push(found)
  }
  const ordered = [...shapes.values()]
    .filter((same) => same.length >= LEAST && isInOrder(same))
    .sort((one, other) => weightOf(other) - weightOf(one))
  let [all = []] = ordered
  for (const same of ordered.slice(1, MOST_SHAPES)) {
    if (same[0]?.isIndented === all[0]?.isIndented) all = withMore(all, same)
  }
  return all
}

/** Without those whose number is in the heading of markdown above. */
export const withoutNamedAbove = (versions: VersionLine[], lines: TextLines): VersionLine[] =>
  versions.filter(({ at, label }) => {
    const above = lines.at(at - 1) || lines.at(at - 2)
    return !(label !== undefined && above.startsWith('#') && above.includes(label))
  })

/**
 * With those of others that keep the order: all of them, if at most one in five breaks it, or the ones whose number is between
 * those above and below.
 */
export function withMore<Line extends VersionLine>(versions: Line[], others: Line[]): Line[] {
  const labels = new Set(versions.map(({ label }) => label))
  const taken = new Set(versions.map(({ at }) => at))
  const more = others.filter(({ label, at }) => label !== undefined && !labels.has(label) && !taken.has(at))
  const all = [...versions, ...more].sort(byLine)
  if (more.length === 0 || (disorder(all) - disorder(versions)) * 5 <= more.length) return all
  const doubtful = new Set<VersionLine>(more)
  const nearest = (from: number, step: number): Line | undefined => {
    let at = from + step
    while (doubtful.has(all[at] as Line) && Math.abs(at - from) < 5) at += step
    return all[at]
  }
  return all.filter((version, at) => {
    if (!doubtful.has(version)) return true
    const [above, below] = [nearest(at, -1), nearest(at, 1)]
    return above !== undefined && below !== undefined && compare(above, version) * compare(version, below) > 0
  })
}

/** Lines at the margin are headings rather than indented ones. */
const weightOf = (same: ShapedLine[]): number => same.length * (same[0]?.isIndented ? 1 : 2)

/** Each is compared with all lines before: more would take quadratic time. */
const MOST_SHAPES = 50

/** Of fewer lines the order says little. */
const LEAST = 3

export const byLine = (one: VersionLine, other: VersionLine): number => one.at - other.at

const ORDER = new Intl.Collator('en', { numeric: true })
/** `1.2-rc` is older than `1.2`. */
const STAGE = /[-._]?(?:alpha|beta|gamma|delta|epsilon|rc|pre|dev).*$/i
function compare({ label: one = '' }: VersionLine, { label: other = '' }: VersionLine): number {
  const [older, newer] = [one.replace(STAGE, ''), other.replace(STAGE, '')]
  const isStage = Number(newer !== other) - Number(older !== one)
  const inOrder = (label: string) => label.replace(/gamma/i, 'c')
  return ORDER.compare(older, newer) || isStage || ORDER.compare(inOrder(one), inOrder(other))
}

/** Whether the numbers rise or fall from line to line, but for one in ten. */
export function isInOrder(versions: VersionLine[]): boolean {
  const [rises, falls] = stepsOf(versions)
  return Math.max(rises, falls) * 10 >= (rises + falls) * 9 && (rises + falls) * 2 >= versions.length - 1
}

/** How many numbers are against the order of the others. */
export const disorder = (versions: VersionLine[]): number => Math.min(...stepsOf(versions))

function stepsOf(versions: VersionLine[]): [rises: number, falls: number] {
  const numbered = versions.filter(({ label }) => label !== undefined)
  const steps = numbered.slice(1).map((version, at) => compare(version, numbered[at] as VersionLine))
  return [steps.filter((step) => step > 0).length, steps.filter((step) => step < 0).length]
}

const MOST = 200
const MARK = /^(?:[^\p{L}\p{N}\s([<]+[ \t]*|o[ \t]+)?/u
const NUMBER =
  /(?<![\w.])(?:[A-Za-z][\w+-]{0,40}-)?v?\.?[ ]?(\d+(?:\.\d+)+(?:[-._]?(?:[a-z]|(?:alpha|beta|gamma|delta|epsilon|rc|pre|dev)[-.]?\d{0,4}|[a-z]{1,6}\d{1,4})|-\d+)?)(?![\w%]|\.\w|\/)/i
/** `1.2 => 1.3`, `from 1.2 to 1.3` */
const RANGE = /^\)?\s*(?:=+>|-+>|→|to|and)\s*/i
/** `configure.in, NEWS: `, or the hash of a commit. */
const FILES = /^(?:[^\s:./,(]{1,40}|[^\s:./,(]{0,40}[./,(][^:]{0,100}):[ \t]+|^[0-9a-f]{7,12}:?[ \t]+/
const ABOUT = new RegExp(
  `\\b(?:${anyOf(ABOUT_A_VERSION)}|requires?|needs?|in|than|use[sd]?|updat\\w*|add(?:s|ed)?|fix(?:es|ed)?)\\b`,
  'i',
)
const SAYS_VERSION = /\b(?:version|release)/i
const ONLY_PUNCTUATION =
  /^(?:, (?:alpha|beta)\b)?[^\p{L}\p{N}]*(?:(?:is )?(?:released?|out)(?: (?:to|on|at) .{1,40})?|now)?[^\p{L}\p{N}]*$/iu
const SEPARATED = /^(?:\)?[ \t]*[:,、，(=–—-]|\t|[ ]{2})/

function numberedLine(line: string, at: number): (ShapedLine & { shape: string }) | null {
  if (line.length > MOST || !/\d\.\d/.test(line) || /^\s*(?:<\/?[a-z]|\|)/i.test(line)) return null
  const indent = /^\s*/.exec(line)?.[0] ?? ''
  const whole = line.slice(indent.length).trimEnd()
  const mark = MARK.exec(whole)?.[0] ?? ''
  const text = whole.slice(mark.length)
  const date = findDate(text)
  const own =
    date === null
      ? text
      : `${text.slice(0, date.start)}${'\u0001'.repeat(date.end - date.start)}${text.slice(date.end)}`
  const isDated = date?.start === 0
  const files = indent === '' || isDated ? '' : (FILES.exec(own)?.[0] ?? '')
  let match = NUMBER.exec(own.slice(files.length))
  if (match === null) return null
  let start = files.length + match.index
  let end = start + match[0].length
  const before = own.slice(files.length, start)
  const range = RANGE.exec(own.slice(end))?.[0]
  const later = range === undefined ? null : NUMBER.exec(own.slice(end + range.length))
  if (range !== undefined && later?.index === 0) {
    match = later
    start = end + range.length
    end = start + later[0].length
  }
  const label = match[1] ?? ''
  const behind = own.slice(end).replaceAll('\u0001', '')
  const isAlone = ONLY_PUNCTUATION.test(behind)
  const words = before.split(/\s+/).filter((word) => word !== '')
  if (isDated ? !isAlone || words.length > 10 : words.length > 4) return null
  if (!isDated && later === null && ABOUT.test(before) && !SAYS_VERSION.test(before)) return null
  const column = width(indent)
  const isIndented = column > 1
  if (!isAlone && !(SEPARATED.test(behind) || ((words.length > 0 || mark.length > 2) && !isIndented)))
    return null
  if (isIndented && !isAlone && date === null) return null
  const front = isDated ? '\u0001' : before.toLowerCase().replace(/\d+/g, '0').replace(/\s+/g, ' ')
  const shape = [column, mark.replace(/(.)\1+/g, '$1'), front].join('|')
  const kept = text.replace(/[ \t]*[-=*#<>]{2,}$/, '')
  const heading = plainLabel(kept)?.text.replace(/^v\.?/i, '') === label ? kept : `${label} - ${kept}`
  return { at, mark: '', text: heading, label, isIndented, shape }
}
