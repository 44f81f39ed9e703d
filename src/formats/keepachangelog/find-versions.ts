import type { Heading, Paragraph, RootContent } from 'mdast'
import { cut, type Warning } from '../parsed.ts'
import { VERSIONS_COMMENT } from './comments.ts'
import { endOf, startOf } from './markdown/nodes.ts'
import type { MarkdownSource } from './markdown/source.ts'
import { VisibleText } from './markdown/visible-text.ts'
import { MAX_HEADING_LENGTH, readVersionHeading, type VersionHeading } from './version-heading.ts'

/** A heading or line that may begin a version. */
export interface VersionStart {
  /** Its place among the blocks of the document. */
  index: number
  node: Heading | Paragraph
  line: number
  heading: VersionHeading
  /** Of a heading; null for a line. */
  depth: number | null
  isBold: boolean
  /** The kind of the block below. */
  above: RootContent['type'] | null
}

/** The versions of a document, in order, and a warning for everything else that holds a version number. */
export interface FoundVersions {
  starts: VersionStart[]
  warnings: Warning[]
}

/** Finds the versions of a document. A heading with a version number that begins none is reported. */
export function findVersions(nodes: RootContent[], source: MarkdownSource): FoundVersions {
  const candidates: VersionStart[] = []
  const numbered: NumberedHeading[] = []
  for (let index = nodes.findIndex(isVersionsComment) + 1; index < nodes.length; index++) {
    const node = nodes[index] as RootContent
    const isLine = node.type === 'paragraph' && node.position?.start.line === node.position?.end.line
    if (node.type !== 'heading' && !isLine) continue
    const heading = readVersionHeading(node, source)
    const line = source.lineOf(node)
    if (heading !== null && (!isLine || heading.confidence === 'certain')) {
      const depth = node.type === 'heading' ? node.depth : null
      const isBold = node.children[0]?.type === 'strong'
      const above = nodes[index + 1]?.type ?? null
      candidates.push({ index, node, line, heading, depth, isBold, above })
    }
    const text = numberedText(node, source, heading)
    if (text !== null) numbered.push({ line, text })
  }
  const starts = selectVersions(candidates)
  return { starts, warnings: passedOver(numbered, starts) }
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
  const outermost = Math.min(...certain.map(({ depth }) => depth ?? 0))
  const labels = new Set(certain.map(({ heading }) => heading.label))
  const isLikely = ({ heading, depth, line }: VersionStart): boolean => {
    if (heading.confidence === 'certain' || depths.has(depth)) return true
    if (!HAS_THREE_PARTS.test(heading.label) || labels.has(heading.label)) return false
    return heading.isTitled || ((depth ?? 0) < outermost && line > first.line)
  }
  return [...headings.filter(isLikely), ...lines.filter(isCertainLine)].sort((a, b) => a.line - b.line)
}

const HAS_THREE_PARTS = /\d\.\d+\.\d/

function isVersionLine({ heading, isBold, above }: VersionStart): boolean {
  return heading.isOnlyLabel || (isBold && heading.date !== null && above === 'list')
}

/** Whether a line begins a version even where headings do. */
function isCertainLine({ heading, above }: VersionStart): boolean {
  if (heading.date !== null) return heading.isOnlyLabel || above === 'list'
  return HAS_THREE_PARTS.test(heading.label) && (above === 'list' || above === 'heading')
}

interface NumberedHeading {
  line: number
  text: string
}

const VERSION_NUMBER = /(?<![\w.])v?\d+\.\d+(?:\.\d+)*(?![\w%])/

/** What a reader sees of a heading, or of a line that is a label, if it holds a version number. */
function numberedText(
  node: Heading | Paragraph,
  source: MarkdownSource,
  heading: VersionHeading | null,
): string | null {
  if (node.type === 'paragraph' && !heading?.isOnlyLabel) return null
  if (heading === null && endOf(node) - startOf(node) > MAX_HEADING_LENGTH) return null
  const text = VisibleText.of(node, source).text.trim()
  return VERSION_NUMBER.test(text) ? text : null
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
    warnings.push({
      line,
      message: `"${cut(text, 80)}" holds a version number but begins no version, ${became}`,
    })
  }
  return warnings
}

/** Whether the comment begins the versions, so that everything above it is the preamble. */
export function isVersionsComment(node: RootContent): boolean {
  return node.type === 'html' && node.value.trim() === VERSIONS_COMMENT
}

/** Without the anchors at the end, which belong to the heading below and not to the version above. */
export function withoutAnchors(nodes: RootContent[]): RootContent[] {
  return nodes.slice(0, nodes.findLastIndex((node) => !isAnchor(node)) + 1)
}

/** `<a name="1.2.0"></a>`, or a rule, above a heading. */
export function isAnchor(node: RootContent): boolean {
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

function atMostFrequentDepth(headings: VersionStart[]): VersionStart[] {
  let most: VersionStart[] = []
  for (const group of Map.groupBy(headings, ({ depth }) => depth).values())
    if (group.length > most.length) most = group
  return most
}
