import { cut } from '../../../domain/text/cut.ts'
import { tooMany, UNRELEASED, type Warning } from '../../parsed.ts'
import { VERSIONS_COMMENT } from '../comments.ts'
import type { Block, Heading, Paragraph } from '../markdown/nodes.ts'
import { type MarkdownDocument, MarkdownSource } from '../markdown/source.ts'
import { VisibleText } from '../markdown/visible-text.ts'
import { onlyDate, onlyFalseDate } from './dates.ts'
import { MAX_HEADING_LENGTH, readVersionHeading, type VersionHeading } from './heading.ts'

/** A heading or line that may begin a version. */
export interface VersionStart {
  offset: number
  line: number
  heading: VersionHeading
  /** Null for a line. */
  depth: number | null
  isBold: boolean
  /** The type of the block below. */
  above: Block['type'] | null
}

export interface FoundVersions {
  starts: VersionStart[]
  warnings: Warning[]
}

/** Finds the versions of a text, in order. Other headings with a version number are reported. Throws if there are too many. */
export function findVersions(
  document: MarkdownDocument,
  mostVersions = Number.POSITIVE_INFINITY,
): FoundVersions {
  const { candidates, numbered } = candidatesIn(document, mostVersions)
  const starts = selectVersions(candidates)
  if (starts.length < candidates.length) {
    const taken = new Set(starts)
    for (const start of candidates)
      if (start.depth !== null && start.heading.confidence === 'certain' && !taken.has(start))
        numbered.push({ line: start.line, text: start.heading.title })
    numbered.sort((a, b) => a.line - b.line)
  }
  if (numbered.length === 0) return { starts, warnings: [] }
  const versions = starts.map(({ line, heading }) => ({ line, label: heading.label }))
  return { starts, warnings: passedOver(numbered, versions, (text) => onlyFalseDate(text) !== null) }
}

/** Whether everything above is the preamble. */
export const isVersionsComment = (node: Block): boolean =>
  node.type === 'html' && node.value.trim() === VERSIONS_COMMENT

/** Without trailing anchors, which belong to the heading below. */
export const withoutAnchors = (nodes: Block[]): Block[] =>
  nodes.slice(0, nodes.findLastIndex((node) => !isAnchor(node)) + 1)

/** `<a name="1.2.0"></a>`, or a rule, above a heading. */
export function isAnchor(node: Block): boolean {
  if (node.type === 'thematicBreak') return true
  if (node.type === 'html') return /^(?:<a\s[^>]*(?:\/>|>\s*<\/a>)\s*)+$/.test(node.value)
  return (
    node.type === 'paragraph' &&
    node.children.every((child) =>
      child.type === 'html'
        ? /^<\/?a\b/.test(child.value)
        : child.type === 'text' && child.value.trim() === '',
    )
  )
}

/** Whether this line of a description would be read as a version. */
export function mayBeginVersion(node: Paragraph, source: MarkdownSource): boolean {
  const start = startAt(node, source)
  return start !== null && (start.heading.isOnlyLabel || (start.isBold && start.heading.date !== null))
}

interface Candidates {
  candidates: VersionStart[]
  numbered: NumberedLine[]
}

/** Blocks that look like a version or have a version number, below the versions comment if there is one. */
function candidatesIn(document: MarkdownDocument, mostVersions: number): Candidates {
  let found: Candidates = { candidates: [], numbered: [] }
  let isBelowComment = false
  /** How many headings are versions for certain. */
  let certain = 0
  /** The candidate in the block above. */
  let last: VersionStart | null = null
  /** Texts that are none: most headings of a file are those of sections, and there are few different ones. */
  const others = new Set<string>()
  for (const node of document.blocks()) {
    if (!isBelowComment && isVersionsComment(node)) {
      isBelowComment = true
      found = { candidates: [], numbered: [] }
    }
    const above = last
    if (above !== null) above.above = node.type
    last = null
    if (node.type !== 'heading' && node.type !== 'paragraph') continue
    const text = document.text.slice(node.start, node.end)
    if (others.has(text) || (node.type === 'paragraph' && text.includes('\n'))) continue
    const source = new MarkdownSource(document, [node])
    const start = startAt(node, source)
    if (above !== null && start !== null && isDateOf(above, start)) continue
    last = start
    if (last !== null) found.candidates.push(last)
    if (last?.heading.confidence === 'certain' && ++certain > mostVersions) throw tooMany(mostVersions)
    const numbered = numberedText(node, source, last)
    if (numbered !== null) found.numbered.push({ line: source.lineOf(node), text: numbered })
    if (last === null && numbered === null && text.length <= MAX_HEADING_LENGTH) others.add(text)
  }
  return found
}

/** `### 2013.9.6` right below `## 1.2.0` is its date. */
const isDateOf = (version: VersionStart, { heading, depth }: VersionStart): boolean =>
  version.heading.date === null &&
  (depth === null || (version.depth !== null && depth > version.depth)) &&
  heading.isOnlyLabel &&
  onlyDate(heading.label) !== null &&
  onlyDate(version.heading.label) === null

function startAt(node: Heading | Paragraph, source: MarkdownSource): VersionStart | null {
  const isLine = node.type === 'paragraph'
  if (isLine && source.text.slice(node.start, node.end).includes('\n')) return null
  const heading = readVersionHeading(node, source)
  const isBold = node.children[0]?.type === 'strong'
  if (heading === null || (isLine && heading.confidence !== 'certain' && !isBold)) return null
  return {
    offset: node.start,
    line: source.lineOf(node),
    heading,
    depth: node.type === 'heading' ? node.depth : null,
    isBold,
    above: null,
  }
}

/**
 * The candidates that begin versions: certain headings, likely ones at the same depths or with a number that nothing
 * else has (deeper than most versions, only certain ones that are dated, linked or usual there), and lines that are only a label, above a list or heading or with a date. Without such headings, versions
 * are lines, or else likely headings of the most frequent depth.
 */
function selectVersions(candidates: VersionStart[]): VersionStart[] {
  const headings = candidates.filter(({ depth }) => depth !== null)
  const lines = candidates.filter((start) => start.depth === null && isVersionLine(start))
  const certain = headings.filter(({ heading }) => heading.confidence === 'certain')
  const first = certain[0]
  if (first === undefined) {
    const others = lines.length > 0 ? [] : atMostFrequentDepth(headings)
    return others.length > 0
      ? others
      : candidates.filter((start) => lines.includes(start) || isBoldLine(start))
  }
  const byDepth = Map.groupBy(certain, ({ depth }) => depth)
  const outermost = Math.min(...[...byDepth.keys()].map((depth) => depth ?? 0))
  let numbers: Set<string> | undefined
  const isNumbered = (heading: VersionHeading): boolean => {
    numbers ??= new Set(certain.map((one) => numberOf(one.heading)))
    return numbers.has(numberOf(heading))
  }
  const released = certain.filter(({ heading }) => heading.label !== UNRELEASED)
  const usual = atMostFrequentDepth(released.length > 0 ? released : certain)
  const older = namedBelow(headings, certain.at(-1)?.line ?? 0)
  const isLikely = (start: VersionStart): boolean => {
    const { heading, depth, line } = start
    const isInside = (depth ?? 0) > (usual[0]?.depth ?? 0)
    const isCertain = heading.confidence === 'certain'
    if (isInside ? isCertain && isUsualInside(start) : isCertain || byDepth.has(depth)) return true
    if (older.has(start) && !isNumbered(heading)) return true
    if (!HAS_THREE_PARTS.test(heading.label) || (!isCertain && isNumbered(heading))) return false
    return heading.isTitled || isCertain || ((depth ?? 0) < outermost && line > first.line)
  }
  const isUsualInside = ({ heading, depth }: VersionStart): boolean =>
    heading.date !== null ||
    heading.link !== null ||
    (byDepth.get(depth)?.length ?? 0) * USUAL >= usual.length
  return [...headings.filter(isLikely), ...lines.filter(isCertainLine)].sort((a, b) => a.line - b.line)
}

/** Headings below all certain ones, of one name and a number each: older versions, from before the author wrote only numbers. */
function namedBelow(headings: VersionStart[], line: number): Set<VersionStart> {
  const below = headings.filter((one) => one.line > line && HAS_THREE_PARTS.test(one.heading.label))
  const byName = Map.groupBy(below, ({ heading: { title, label } }) => title.replace(label, ''))
  return new Set([...byName.values()].filter((same) => same.length >= LEAST_NAMED).flat())
}

const LEAST_NAMED = 3

const numberOf = ({ label }: VersionHeading): string => label.replace(/^v/i, '')

/** Versions inside of others are at least one to so many of those. */
const USUAL = 4

const HAS_THREE_PARTS = /\d\.\d+\.\d/

const isVersionLine = ({ heading, isBold, above }: VersionStart): boolean =>
  heading.confidence === 'certain' &&
  (heading.isOnlyLabel || (isBold && heading.date !== null && (above === 'list' || above === 'heading')))

/** `**What's new in 1.2.0**`, `**1.2.0** A title` above a list, among lines alone. */
const isBoldLine = ({ depth, isBold, above }: VersionStart): boolean =>
  depth === null && isBold && above === 'list'

/** Whether a line begins a version even if there are headings. */
function isCertainLine({ heading, above }: VersionStart): boolean {
  if (heading.date !== null) return true
  return HAS_THREE_PARTS.test(heading.label) && (above === 'list' || above === 'heading')
}

interface NumberedLine {
  line: number
  text: string
}

const VERSION_NUMBER = /(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?![\w%])/

/** The visible text of a heading or label line with a version number or a false date. */
function numberedText(
  node: Heading | Paragraph,
  source: MarkdownSource,
  start: VersionStart | null,
): string | null {
  const isLabel = node.type === 'paragraph' && start?.heading.isOnlyLabel
  if (node.type !== 'heading' && !isLabel) return null
  // Most headings are certain versions, or have no number.
  if (node.type === 'heading' && start?.heading.confidence === 'certain') return null
  if (node.end - node.start > MAX_HEADING_LENGTH) return null
  if (!/\d\.\d|\d{4}/.test(source.text.slice(node.start, node.end))) return null
  const text = VisibleText.of(node, source).text.trim()
  return VERSION_NUMBER.test(text) || onlyFalseDate(text) ? text : null
}

/** A warning for each of these lines that begins no version. */
export function passedOver(
  numbered: readonly NumberedLine[],
  versions: readonly { line: number; label: string }[],
  isFalseDate: (text: string) => boolean = () => false,
): Warning[] {
  const warnings: Warning[] = []
  let next = 0
  for (const { line, text } of numbered) {
    while ((versions[next]?.line ?? Number.POSITIVE_INFINITY) <= line) next++
    const version = versions[next - 1]
    if (version?.line === line) continue
    const became =
      version === undefined
        ? 'kept in the text above the first version'
        : `kept as a part of version ${version.label}`
    const why = isFalseDate(text) ? 'is not a date, so it' : 'holds a version number but'
    warnings.push({
      ...{ line, message: `"${cut(text, 80)}" ${why} begins no version, ${became}` },
      cause: `a line ${why} begins no version, kept as text`,
    })
  }
  return warnings
}

function atMostFrequentDepth(headings: VersionStart[]): VersionStart[] {
  let most: VersionStart[] = []
  for (const group of Map.groupBy(headings, ({ depth }) => depth).values())
    if (group.length > most.length) most = group
  return most
}
