import type { Heading, Paragraph, RootContent } from 'mdast'
import { VERSIONS_COMMENT } from './comments.ts'
import type { MarkdownSource } from './markdown/source.ts'
import { readVersionHeading, type VersionHeading } from './version-heading.ts'

/** The heading or line with which a version begins. */
export interface VersionStart {
  /** Its place among the blocks of the document. */
  index: number
  node: Heading | Paragraph
  heading: VersionHeading
}

interface HeadingStart extends VersionStart {
  node: Heading
}

/**
 * Finds the versions of a document, in order. Those are all headings that are certainly versions, likely ones at
 * the same depths, and lines with a date above a list. A document without such headings has its versions in
 * lines, or else in the likely headings of the most frequent depth.
 */
export function findVersions(nodes: RootContent[], source: MarkdownSource): VersionStart[] {
  const headings: HeadingStart[] = []
  const lines: VersionStart[] = []
  for (let index = nodes.findIndex(isVersionsComment) + 1; index < nodes.length; index++) {
    const node = nodes[index] as RootContent
    if (node.type === 'heading') {
      const heading = readVersionHeading(node, source)
      if (heading !== null) headings.push({ index, node, heading })
    } else if (node.type === 'paragraph' && node.position?.start.line === node.position?.end.line) {
      const heading = readVersionHeading(node, source)
      if (heading?.confidence !== 'certain') continue
      const start = { index, node, heading }
      const isBold = node.children[0]?.type === 'strong' && isDatedAboveList(start, nodes)
      if (heading.isOnlyLabel || isBold) lines.push(start)
    }
  }

  const certain = headings.filter(({ heading }) => heading.confidence === 'certain')
  if (certain.length === 0) return lines.length > 0 ? lines : atMostFrequentDepth(headings)
  const depths = new Set(certain.map(({ node }) => node.depth))
  const likely = headings.filter(
    ({ node, heading }) => heading.confidence === 'likely' && depths.has(node.depth),
  )
  const dated = lines.filter((start) => isDatedAboveList(start, nodes))
  return [...certain, ...likely, ...dated].sort((a, b) => a.index - b.index)
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

function isDatedAboveList({ index, heading }: VersionStart, nodes: RootContent[]): boolean {
  return heading.date !== null && nodes[index + 1]?.type === 'list'
}

function atMostFrequentDepth(headings: HeadingStart[]): HeadingStart[] {
  let most: HeadingStart[] = []
  for (const group of Map.groupBy(headings, ({ node }) => node.depth).values())
    if (group.length > most.length) most = group
  return most
}
