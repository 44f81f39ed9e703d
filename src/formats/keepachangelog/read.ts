import type { Definition, Heading, Paragraph, RootContent } from 'mdast'
import { LIMITS, type VersionStatus } from '../../domain/records.ts'
import { cut, type ParsedChangelog, type ParsedVersion, type Warning } from '../parsed.ts'
import { trimBlankLines } from './lines.ts'
import { endOf, MarkdownSource, startOf } from './markdown-source.ts'
import { readVersionBody, type VersionBody } from './version-body.ts'
import {
  hasDates,
  impliedStatus,
  linkParagraph,
  readVersionHeading,
  type VersionHeading,
} from './version-heading.ts'

/** Everything above this comment is introduction, even if it looks like a version. */
export const VERSIONS_BEGIN = '<!-- versions -->'

/**
 * Reads a changelog as people and generators write it: Keep a Changelog first, and whatever else has versions
 * in headings (of any depth) or in lines above lists. Never throws; a text without versions has none.
 *
 * Which versions are drafts:
 * - `Unreleased`, `Next` and the like, and versions whose date is a placeholder (`TBD`, `unreleased`);
 * - versions without a date in a file in which most have one: they wait for theirs, and each is reported.
 * A file in which most versions have no date is of a style without dates (changesets writes it). Its versions
 * count as published, which is reported once.
 *
 * Nothing is lost: a heading's link ends the version's description, a label that comes twice gets a number,
 * text before the first version is the preamble, and so are link definitions that nothing uses.
 */
export function parseMarkdown(text: string): ParsedChangelog {
  const source = new MarkdownSource(text)
  const nodes = source.root.children
  const starts = findVersions(nodes, source)
  const warnings: Warning[] = []

  const unused = new Set(source.unusedDefinitions())
  const named = new Map([...unused].toReversed().map((node) => [node.identifier, node]))
  const drafts: Unfinished[] = starts.map((start, index) => {
    const below = nodes.slice(start.index + 1, starts[index + 1]?.index ?? nodes.length)
    const version = readVersion(start, withoutAnchors(below), source, warnings)
    const definition = named.get(version.label.toLowerCase()) ?? named.get(`v${version.label}`.toLowerCase())
    if (start.heading.link === null && definition !== undefined && unused.delete(definition)) {
      append(version, linkParagraph(version.label, definition.url, definition.title))
    }
    return version
  })

  const versions = settleStatus(drafts, warnings)
  cleanVersions(versions, warnings)

  const before = withoutAnchors(nodes.slice(0, starts[0]?.index ?? nodes.length)).filter(
    (node) => !isBegin(node),
  )
  const preamble = [source.blocks(before), ...leftOver(unused, source, versions)].filter(
    (part) => part !== '',
  )
  return {
    versions,
    warnings: warnings.sort((a, b) => a.line - b.line),
    preamble: preamble.length === 0 ? null : preamble.join('\n\n'),
  }
}

/**
 * Reads the text of one release by the rules for a version's text. A heading that repeats the release's own
 * label, as generators put it on top, is not a section; its link is kept.
 */
export function readReleaseBody(text: string, label: string): VersionBody {
  const source = new MarkdownSource(text)
  const nodes = withoutAnchors(source.root.children)
  const [first, ...others] = nodes
  const heading = first?.type === 'heading' ? readVersionHeading(first, source) : null
  const isOwn =
    heading !== null && heading.label.replace(/^v/, '') === label.replace(/^v/, '') && heading.bare
  const body = readVersionBody(isOwn ? others : nodes, source)
  if (isOwn && heading.link !== null) append(body, heading.link)
  for (const { label: text, identifier, url, title } of source.unusedDefinitions()) {
    append(body, linkParagraph(text ?? identifier, url, title))
  }
  return body
}

/** Brings labels and titles within their limits and makes labels unique, without losing a word. */
export function cleanVersions(versions: ParsedVersion[], warnings: Warning[]): void {
  keepLimits(versions, warnings)
  separateLabels(versions, warnings)
}

/** Unused definitions as they were, or as links where they would become those of a version's heading. */
function leftOver(unused: Set<Definition>, source: MarkdownSource, versions: ParsedVersion[]): string[] {
  const labels = new Set(versions.map(({ label }) => label.toLowerCase()))
  const links: string[] = []
  const definitions: string[] = []
  for (const node of unused) {
    if (labels.has(node.identifier))
      links.push(linkParagraph(node.label ?? node.identifier, node.url, node.title))
    else definitions.push(trimBlankLines(source.text.slice(startOf(node), endOf(node))))
  }
  return [...links, definitions.join('\n')]
}

interface Start {
  index: number
  node: Heading | Paragraph
  heading: VersionHeading
}

interface Unfinished extends Omit<ParsedVersion, 'status'> {
  status: VersionStatus | null
}

function findVersions(nodes: RootContent[], source: MarkdownSource): Start[] {
  const begin = nodes.findIndex(isBegin)
  const headings: Start[] = []
  const lines: Start[] = []
  for (let index = begin + 1; index < nodes.length; index++) {
    const node = nodes[index] as RootContent
    if (node.type === 'heading') {
      const heading = readVersionHeading(node, source)
      if (heading !== null) headings.push({ index, node, heading })
    } else if (node.type === 'paragraph' && node.position?.start.line === node.position?.end.line) {
      const heading = readVersionHeading(node, source)
      const bold =
        node.children[0]?.type === 'strong' && heading?.date !== null && nodes[index + 1]?.type === 'list'
      if (heading?.certainty === 'sure' && (heading.bare || bold)) lines.push({ index, node, heading })
    }
  }

  const sure = headings.filter(({ heading }) => heading.certainty === 'sure')
  if (sure.length === 0 && lines.length > 0) return lines
  if (sure.length === 0) return atMostFrequentDepth(headings)
  const depths = new Set(sure.map(({ node }) => depthOf(node)))
  const likely = headings.filter(
    ({ node, heading }) => heading.certainty === 'likely' && depths.has(depthOf(node)),
  )
  const dated = lines.filter(
    ({ index, heading }) => heading.date !== null && nodes[index + 1]?.type === 'list',
  )
  return [...sure, ...likely, ...dated].sort((a, b) => a.index - b.index)
}

function atMostFrequentDepth(headings: Start[]): Start[] {
  const byDepth = Map.groupBy(headings, ({ node }) => depthOf(node))
  let most: Start[] = []
  for (const group of byDepth.values()) if (group.length > most.length) most = group
  return most
}

function depthOf(node: Heading | Paragraph): number {
  return node.type === 'heading' ? node.depth : 7
}

function readVersion(
  { node, heading }: Start,
  below: RootContent[],
  source: MarkdownSource,
  warnings: Warning[],
): Unfinished {
  const body = readVersionBody(below, source, { wantsDate: heading.date === null && !heading.undated })
  const line = source.lineOf(node)
  const doubt = heading.doubt ?? body.date?.doubt ?? null
  if (doubt !== null) warnings.push({ line, message: doubt })
  warnings.push(...body.warnings)
  const version: Unfinished = {
    label: heading.label,
    title: heading.title,
    date: heading.date ?? body.date?.at ?? null,
    status: heading.status,
    description: body.description,
    changes: body.changes,
    line,
  }
  if (heading.link !== null) append(version, heading.link)
  return version
}

function append(version: { description: string | null }, paragraph: string): void {
  version.description = version.description === null ? paragraph : `${version.description}\n\n${paragraph}`
}

function settleStatus(versions: Unfinished[], warnings: Warning[]): ParsedVersion[] {
  const dated = hasDates(versions)
  let reported = false
  return versions.map((version) => {
    const implied = impliedStatus(version, dated)
    if (version.status === null && version.date === null) {
      if (implied === 'draft' && impliedStatus(version, false) === 'published') {
        warnings.push({ line: version.line, message: 'no date, kept as a draft' })
      } else if (implied === 'published' && !reported) {
        reported = true
        warnings.push({
          line: version.line,
          message: 'most versions have no date, so that none needs one: kept as published',
        })
      }
    }
    return { ...version, status: version.status ?? implied }
  })
}

function keepLimits(versions: ParsedVersion[], warnings: Warning[]): void {
  for (const version of versions) {
    const { label, title, line } = version
    if (title.length > LIMITS.title) {
      version.title = cut(title, LIMITS.title)
      version.description = version.description === null ? title : `${title}\n\n${version.description}`
      warnings.push({
        line,
        message: `title longer than ${LIMITS.title} characters, kept whole in the description`,
      })
    }
    if (label.length > LIMITS.label) {
      version.label = cut(label, LIMITS.label)
      if (!title.includes(label)) append(version, label)
      warnings.push({
        line,
        message: `label longer than ${LIMITS.label} characters, cut to "${version.label}"`,
      })
    }
  }
}

function separateLabels(versions: ParsedVersion[], warnings: Warning[]): void {
  const taken = new Set(versions.map(({ label }) => label))
  const seen = new Map<string, number>()
  for (const version of versions) {
    const { label } = version
    const first = seen.get(label)
    if (first === undefined) {
      seen.set(label, version.line)
      continue
    }
    for (let count = 2; taken.has(version.label); count++)
      version.label = `${cut(label, LIMITS.label - 8)} (${count})`
    taken.add(version.label)
    if (version.title === label) version.title = version.label
    warnings.push({
      line: version.line,
      message: `"${label}" stands in line ${first} too, kept as "${version.label}"`,
    })
  }
}

/** `<a name="1.2.0"></a>` above a heading is the heading's anchor, not content of the version before. */
function withoutAnchors(nodes: RootContent[]): RootContent[] {
  let end = nodes.length
  while (end > 0 && isAnchor(nodes[end - 1] as RootContent)) end--
  return nodes.slice(0, end)
}

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

function isBegin(node: RootContent): boolean {
  return node.type === 'html' && node.value.trim() === VERSIONS_BEGIN
}
