import { cut, type Warning } from '../../parsed.ts'
import { VERSIONS_COMMENT } from '../comments.ts'
import type { Block, Heading, Paragraph } from '../markdown/nodes.ts'
import { type MarkdownDocument, MarkdownSource } from '../markdown/source.ts'
import { VisibleText } from '../markdown/visible-text.ts'
import { onlyFalseDate } from './dates.ts'
import { MAX_HEADING_LENGTH, readVersionHeading, type VersionHeading } from './heading.ts'

/** A heading or line that may begin a version. */
export interface VersionStart {
  /** Where it begins, and the number of that line. */
  offset: number
  line: number
  heading: VersionHeading
  /** Of a heading; null for a line. */
  depth: number | null
  isBold: boolean
  /** The kind of the block below. */
  above: Block['type'] | null
}

/** The versions of a text, in order, and a warning for everything else that holds a version number. */
export interface FoundVersions {
  starts: VersionStart[]
  warnings: Warning[]
}

/** Finds the versions of a text. A heading with a version number that begins none is reported. */
export function findVersions(document: MarkdownDocument): FoundVersions {
  const { candidates, numbered } = candidatesIn(document)
  const starts = selectVersions(candidates)
  return { starts, warnings: passedOver(numbered, starts) }
}

/** Whether the comment begins the versions, so that everything above it is the preamble. */
export function isVersionsComment(node: Block): boolean {
  return node.type === 'html' && node.value.trim() === VERSIONS_COMMENT
}

/** Without the anchors at the end, which belong to the heading below and not to the version above. */
export function withoutAnchors(nodes: Block[]): Block[] {
  return nodes.slice(0, nodes.findLastIndex((node) => !isAnchor(node)) + 1)
}

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

/** Whether a line that is written in a description would be read as a version. */
export function mayBeginVersion(node: Paragraph, source: MarkdownSource): boolean {
  const start = startAt(node, source)
  return start !== null && (start.heading.isOnlyLabel || (start.isBold && start.heading.date !== null))
}

interface Candidates {
  candidates: VersionStart[]
  numbered: NumberedHeading[]
}

/** What looks like a version or holds a version number, below the versions comment if there is one. */
function candidatesIn(document: MarkdownDocument): Candidates {
  let found: Candidates = { candidates: [], numbered: [] }
  let isBelowComment = false
  /** The candidate that is the block right above. */
  let last: VersionStart | null = null
  for (const node of document.blocks()) {
    if (!isBelowComment && isVersionsComment(node)) {
      isBelowComment = true
      found = { candidates: [], numbered: [] }
    }
    if (last !== null) last.above = node.type
    last = null
    if (node.type !== 'heading' && node.type !== 'paragraph') continue
    const source = new MarkdownSource(document, [node])
    last = startAt(node, source)
    if (last !== null) found.candidates.push(last)
    const numbered = numberedText(node, source, last)
    if (numbered !== null) found.numbered.push({ line: source.lineOf(node), text: numbered })
  }
  return found
}

function startAt(node: Heading | Paragraph, source: MarkdownSource): VersionStart | null {
  const isLine = node.type === 'paragraph'
  if (isLine && source.text.slice(node.start, node.end).includes('\n')) return null
  const heading = readVersionHeading(node, source)
  if (heading === null || (isLine && heading.confidence !== 'certain')) return null
  return {
    offset: node.start,
    line: source.lineOf(node),
    heading,
    depth: node.type === 'heading' ? node.depth : null,
    isBold: node.children[0]?.type === 'strong',
    above: null,
  }
}

/**
 * The candidates that begin versions: all headings that are certainly versions, likely ones at the same depths or with a
 * number that nothing else has, and lines of a label and nothing else, above a list or heading or with a date. A
 * document without such headings has its versions in lines, or else in the likely headings of the most frequent depth.
 */
function selectVersions(candidates: VersionStart[]): VersionStart[] {
  const headings = candidates.filter(({ depth }) => depth !== null)
  const lines = candidates.filter((start) => start.depth === null && isVersionLine(start))
  const certain = headings.filter(({ heading }) => heading.confidence === 'certain')
  const first = certain[0]
  if (first === undefined) return lines.length > 0 ? lines : atMostFrequentDepth(headings)
  const depths = new Set(certain.map(({ depth }) => depth))
  const outermost = Math.min(...[...depths].map((depth) => depth ?? 0))
  const numbers = new Set(certain.map(({ heading }) => numberOf(heading)))
  const isLikely = ({ heading, depth, line }: VersionStart): boolean => {
    if (heading.confidence === 'certain' || depths.has(depth)) return true
    if (!HAS_THREE_PARTS.test(heading.label) || numbers.has(numberOf(heading))) return false
    return heading.isTitled || ((depth ?? 0) < outermost && line > first.line)
  }
  return [...headings.filter(isLikely), ...lines.filter(isCertainLine)].sort((a, b) => a.line - b.line)
}

const numberOf = ({ label }: VersionHeading): string => label.replace(/^v/i, '')

const HAS_THREE_PARTS = /\d\.\d+\.\d/

function isVersionLine({ heading, isBold, above }: VersionStart): boolean {
  return heading.isOnlyLabel || (isBold && heading.date !== null && (above === 'list' || above === 'heading'))
}

/** Whether a line begins a version even where headings do. */
function isCertainLine({ heading, above }: VersionStart): boolean {
  if (heading.date !== null) return true
  return HAS_THREE_PARTS.test(heading.label) && (above === 'list' || above === 'heading')
}

interface NumberedHeading {
  line: number
  text: string
}

const VERSION_NUMBER = /(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?![\w%])/

/** What a reader sees of a heading, or of a line that is a label, if it holds a version number or was meant as a date. */
function numberedText(
  node: Heading | Paragraph,
  source: MarkdownSource,
  start: VersionStart | null,
): string | null {
  const isLabel = node.type === 'paragraph' && start?.heading.isOnlyLabel
  if (node.type !== 'heading' && !isLabel) return null
  // most headings are certainly versions, or hold no number
  if (node.type === 'heading' && start?.heading.confidence === 'certain') return null
  if (node.end - node.start > MAX_HEADING_LENGTH) return null
  if (!/\d\.\d|\d{4}/.test(source.text.slice(node.start, node.end))) return null
  const text = VisibleText.of(node, source).text.trim()
  return VERSION_NUMBER.test(text) || onlyFalseDate(text) ? text : null
}

function passedOver(numbered: NumberedHeading[], starts: VersionStart[]): Warning[] {
  const warnings: Warning[] = []
  let next = 0
  for (const { line, text } of numbered) {
    while ((starts[next]?.line ?? Number.POSITIVE_INFINITY) <= line) next++
    const version = starts[next - 1]
    if (version?.line === line) continue
    const became =
      version === undefined
        ? 'kept in the text above the first version'
        : `kept as a part of version ${version.heading.label}`
    const why = onlyFalseDate(text) ? 'is not a date, so it' : 'holds a version number but'
    warnings.push({ line, message: `"${cut(text, 80)}" ${why} begins no version, ${became}` })
  }
  return warnings
}

function atMostFrequentDepth(headings: VersionStart[]): VersionStart[] {
  let most: VersionStart[] = []
  for (const group of Map.groupBy(headings, ({ depth }) => depth).values())
    if (group.length > most.length) most = group
  return most
}
