import type { RootContent } from 'mdast'
import { VERSIONS_COMMENT } from './comments.ts'
import { chunksOf } from './markdown/blocks.ts'
import type { Definitions } from './markdown/definitions.ts'
import { MarkdownSource } from './markdown/source.ts'
import { readVersionHeading, type VersionHeading } from './version-heading.ts'

/** The heading or line with which a version begins. */
export interface VersionStart {
  /** The number of its first line. */
  line: number
  heading: VersionHeading
  /** Of a heading; null for a line. */
  depth: number | null
  isBold: boolean
  isAboveList: boolean
}

/**
 * Finds the versions of a text, in order. Those are all headings that are certainly versions, likely ones at
 * the same depths, and lines with a date above a list. A document without such headings has its versions in
 * lines, or else in the likely headings of the most frequent depth.
 */
export function findVersions(text: string, definitions: Definitions): VersionStart[] {
  const starts = possibleStarts(text, definitions)
  const headings = starts.filter(({ depth }) => depth !== null)
  const lines = starts.filter(
    (start) =>
      start.depth === null && (start.heading.isOnlyLabel || (start.isBold && isDatedAboveList(start))),
  )
  const certain = headings.filter(({ heading }) => heading.confidence === 'certain')
  if (certain.length === 0) return lines.length > 0 ? lines : atMostFrequentDepth(headings)
  const depths = new Set(certain.map(({ depth }) => depth))
  const likely = headings.filter(({ heading, depth }) => heading.confidence === 'likely' && depths.has(depth))
  return [...certain, ...likely, ...lines.filter(isDatedAboveList)].sort((a, b) => a.line - b.line)
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

/** Every heading and every line that looks like a version, below the versions comment if there is one. */
function possibleStarts(text: string, definitions: Definitions): VersionStart[] {
  let starts: VersionStart[] = []
  let isBelowComment = false
  /** The start that is the block right above. */
  let above: VersionStart | null = null
  for (const { kind, start, end, line } of chunksOf(text, definitions.labels)) {
    if (kind === 'item') {
      if (above !== null) above.isAboveList = true
      above = null
      continue
    }
    const source = new MarkdownSource(text.slice(start, end), definitions, line)
    for (const node of source.nodes) {
      if (!isBelowComment && isVersionsComment(node)) {
        isBelowComment = true
        starts = []
      }
      if (above !== null) above.isAboveList = node.type === 'list'
      above = startAt(node, source)
      if (above !== null) starts.push(above)
    }
  }
  return starts
}

function startAt(node: RootContent, source: MarkdownSource): VersionStart | null {
  const isLine = node.type === 'paragraph' && node.position?.start.line === node.position?.end.line
  if (node.type !== 'heading' && !isLine) return null
  const heading = readVersionHeading(node, source)
  if (heading === null || (isLine && heading.confidence !== 'certain')) return null
  return {
    line: source.lineOf(node),
    heading,
    depth: node.type === 'heading' ? node.depth : null,
    isBold: node.children[0]?.type === 'strong',
    isAboveList: false,
  }
}

function isDatedAboveList({ heading, isAboveList }: VersionStart): boolean {
  return heading.date !== null && isAboveList
}

function atMostFrequentDepth(headings: VersionStart[]): VersionStart[] {
  let most: VersionStart[] = []
  for (const group of Map.groupBy(headings, ({ depth }) => depth).values())
    if (group.length > most.length) most = group
  return most
}
