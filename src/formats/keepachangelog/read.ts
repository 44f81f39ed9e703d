import type { Definition, RootContent } from 'mdast'
import { LIMITS } from '../../domain/records.ts'
import { cut, type ParsedChangelog, type ParsedVersion, type Warning } from '../parsed.ts'
import { resolveNumericDates } from './dates.ts'
import { findVersions, isVersionsComment, type VersionStart, withoutAnchors } from './find-versions.ts'
import { inlineLink } from './markdown/inline.ts'
import { trimBlankLines } from './markdown/lines.ts'
import { endOf, startOf } from './markdown/nodes.ts'
import { MarkdownSource } from './markdown/source.ts'
import { readVersionBody, type VersionBody } from './version-body.ts'
import { readVersionHeading } from './version-heading.ts'
import { resolveStatuses, type UnresolvedVersion } from './version-status.ts'

/**
 * Reads a changelog as people and generators write it: Keep a Changelog, and any other that has its versions
 * in headings (of any depth) or in lines above lists. A text without versions is not an error.
 *
 * Which versions are drafts:
 * - `Unreleased`, `Next` and the like, and versions whose date is a placeholder (`TBD`, `unreleased`);
 * - versions without a date in a file in which most have one; each is reported.
 * A file in which most versions have no date is of a style without dates (changesets writes such files). Its
 * versions count as published, which is reported once.
 *
 * No content is lost: the link of a heading ends the version's description, a duplicate label gets a number,
 * and the preamble is the text before the first version and the link definitions that nothing uses.
 */
export function parseMarkdown(text: string): ParsedChangelog {
  const source = new MarkdownSource(text)
  const nodes = source.root.children
  const { starts, warnings } = findVersions(nodes, source)

  const unused = new Set(source.unusedDefinitions())
  const named = new Map([...unused].toReversed().map((node) => [node.identifier, node]))
  const unresolved = starts.map((start, index) => {
    const below = nodes.slice(start.index + 1, starts[index + 1]?.index ?? nodes.length)
    const version = readVersion(start, withoutAnchors(below), source, warnings)
    const definition = named.get(version.label.toLowerCase()) ?? named.get(`v${version.label}`.toLowerCase())
    if (start.heading.link === null && definition !== undefined && unused.delete(definition)) {
      append(version, inlineLink(version.label, definition.url, definition.title))
    }
    return version
  })

  resolveNumericDates(unresolved, warnings)
  const versions = resolveStatuses(unresolved, warnings)
  cleanVersions(versions, warnings)

  const before = withoutAnchors(nodes.slice(0, starts[0]?.index ?? nodes.length)).filter(
    (node) => !isVersionsComment(node),
  )
  const preamble = [source.blocks(before), ...unusedDefinitions(unused, source, versions)].filter(
    (part) => part !== '',
  )
  return {
    versions,
    warnings: warnings.sort((a, b) => a.line - b.line),
    preamble: preamble.length === 0 ? null : preamble.join('\n\n'),
  }
}

/**
 * Reads the text of one release by the rules for a version's text. A heading at the top that repeats the
 * release's label, as generators write it, is not a section; its link is kept.
 */
export function readReleaseBody(text: string, label: string): VersionBody {
  const source = new MarkdownSource(text)
  const nodes = withoutAnchors(source.root.children)
  const [first, ...others] = nodes
  const heading = first?.type === 'heading' ? readVersionHeading(first, source) : null
  const repeatsLabel =
    heading !== null && heading.label.replace(/^v/, '') === label.replace(/^v/, '') && heading.isOnlyLabel
  const body = readVersionBody(repeatsLabel ? others : nodes, source)
  if (repeatsLabel && heading.link !== null) append(body, heading.link)
  for (const { label: text, identifier, url, title } of source.unusedDefinitions()) {
    append(body, inlineLink(text ?? identifier, url, title))
  }
  return body
}

/** Shortens labels and titles to their limits and makes labels unique. Cut titles and labels are kept in full. */
export function cleanVersions(versions: ParsedVersion[], warnings: Warning[]): void {
  keepLimits(versions, warnings)
  separateLabels(versions, warnings)
}

/** Definitions as they were, or as links where they would otherwise become the link of a version's heading. */
function unusedDefinitions(
  unused: Set<Definition>,
  source: MarkdownSource,
  versions: ParsedVersion[],
): string[] {
  const labels = new Set(versions.map(({ label }) => label.toLowerCase()))
  const links: string[] = []
  const definitions: string[] = []
  for (const node of unused) {
    if (labels.has(node.identifier))
      links.push(inlineLink(node.label ?? node.identifier, node.url, node.title))
    else definitions.push(trimBlankLines(source.text.slice(startOf(node), endOf(node))))
  }
  return [...links, definitions.join('\n')]
}

function readVersion(
  { node, heading }: VersionStart,
  below: RootContent[],
  source: MarkdownSource,
  warnings: Warning[],
): UnresolvedVersion {
  const body = readVersionBody(below, source, { lookForDate: heading.date === null && !heading.undated })
  const line = source.lineOf(node)
  const warning = heading.warning ?? body.date?.warning ?? null
  if (warning !== null) warnings.push({ line, message: warning })
  warnings.push(...body.warnings)
  const version: UnresolvedVersion = {
    label: heading.label,
    title: heading.title,
    date: heading.date ?? body.date?.at ?? null,
    numericDate: heading.numericDate ?? body.date?.numeric ?? null,
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

function keepLimits(versions: ParsedVersion[], warnings: Warning[]): void {
  for (const version of versions) {
    const { label, title, line } = version
    if (title.length > LIMITS.title) {
      version.title = cut(title, LIMITS.title)
      version.description = version.description === null ? title : `${title}\n\n${version.description}`
      warnings.push({
        line,
        message: `title longer than ${LIMITS.title} characters, kept in full in the description`,
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
      message: `"${label}" is already in line ${first}, kept as "${version.label}"`,
    })
  }
}
