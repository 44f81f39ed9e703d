import { isId } from '../../domain/id.ts'
import { LIMITS } from '../../domain/records.ts'
import { typeFromHeading } from '../../domain/slug.ts'
import { cut } from '../../domain/text/cut.ts'
import { namesKind } from '../../domain/versions/kinds.ts'
import type { Definition } from '../markdown/blocks.ts'
import { linkOf } from '../markdown/definitions.ts'
import { escapePlain } from '../markdown/inline.ts'
import { trimBlankLines } from '../markdown/lines.ts'
import { isList, type Node, textOf, withoutAnchors } from '../markdown/nodes.ts'
import { MarkdownDocument, MarkdownSource } from '../markdown/source.ts'
import {
  append,
  fillDates,
  type ParsedChangelog,
  type ParsedVersion,
  paragraphs,
  type ReadOptions,
  type Warning,
} from '../parsed.ts'
import { OWN_COMMENT, VERSIONS_COMMENT } from './comments.ts'
import { readVersionBody } from './versions/body.ts'
import { dateAtTop } from './versions/date-lines.ts'
import { notADate, resolveNumericDates } from './versions/dates.ts'
import { resolveMajor, resolveSymbols, symbolsIn } from './versions/declared-kinds.ts'
import { type ReadHeading, type VersionHeading, versionHeading } from './versions/heading.ts'
import { resolveStatuses, type UnresolvedVersion } from './versions/status.ts'
import { isFileTitle } from './vocabulary.ts'

export type MarkdownChangelog = Required<Omit<ParsedChangelog, 'repository' | 'isNewestFirst'>>

/** A line of a text that begins a version. */
export interface VersionLine {
  /** From 0. */
  at: number
  /** The level of the author's heading, 0 for other lines. */
  level: number
  heading: ReadHeading
}

/** An entry of a product changelog: what its lines say was read before. */
export interface EntryLine extends Omit<VersionLine, 'heading'> {
  said: VersionHeading
}

/**
 * Reads a markdown text whose versions begin at these lines: their headings were read, and the lines are empty. No content is
 * lost: the link of a heading ends the description, a duplicate label gets a number, and the preamble is the text before the
 * first version and unused link definitions.
 */
export function readVersions(
  text: string,
  lines: readonly (VersionLine | EntryLine)[],
  { tags = [], isStrict = false, isPlain = false }: ReadOptions & { isStrict?: boolean; isPlain?: boolean },
): Omit<MarkdownChangelog, 'untaken'> {
  const document = new MarkdownDocument(text, { cuts: lines.map(({ at }) => at), isStrict })
  const warnings: Warning[] = []
  const parts = document.parts()
  const before = new MarkdownSource(document, parts.next().value ?? [])
  const isMark = ({ type, value }: Node) => type === 'html' && value.trim() === VERSIONS_COMMENT
  const introduction = withoutAnchors(before.nodes).filter((node) => !isMark(node))
  const legend = symbolsIn(before.blocks(introduction))
  // Else each day is that of the version below it.
  const mayEndWithDate = dateAtTop(introduction.at(-1), before) === null

  // One after the other, so that only the blocks of one version are in memory.
  const unresolved: UnresolvedVersion[] = []
  for (const [index, line] of lines.entries()) {
    const { at, level } = line
    const source = new MarkdownSource(document, parts.next().value ?? [])
    const isEntry = 'said' in line
    const said = isEntry ? line.said : versionHeading(line.heading, document.definitions)
    if (isPlain) Object.assign(said, asPlain(said))
    const outer = outerHeadings(source.nodes, level)
    const isOther = outer.length > 0 && outer.every(({ text }) => isNoSection(text))
    const isEnd = isOther && index === lines.length - 1 && index > 1
    const lastList = source.nodes.findLastIndex(isList)
    const again = outer.find(({ at, text }) => at > lastList && isFileTitle(text))
    const version = readVersion(at + 1, said, source, warnings, {
      end: (isEnd ? outer[0] : again)?.at,
      mayEndWithDate,
      isEntry,
    })
    resolveSymbols(version.changes, [...legend, ...symbolsIn(version.description)])
    resolveMajor(version.label, version.changes)
    unresolved.push(version)
  }

  resolveNumericDates(unresolved, warnings, document.text)
  fillDates(unresolved, tags)
  const versions = resolveStatuses(unresolved, warnings)
  cleanVersions(versions, warnings)
  const unused = unusedDefinitions(document.definitions.unused(), versions)
  return {
    versions,
    warnings: warnings.sort((a, b) => a.line - b.line),
    preamble: paragraphs(before.blocks(introduction), ...unused),
  }
}

/** In a plain text, a link in a title is text. */
const asPlain = ({ title, byline, link }: VersionHeading): Partial<VersionHeading> => ({
  title: escapePlain(title),
  byline: byline && escapePlain(byline),
  link: title.includes('](') ? null : link,
})

/** Shortens labels and titles to their limits, keeping the full text, and makes labels unique. */
export function cleanVersions(versions: ParsedVersion[], warnings: Warning[]): void {
  for (const version of versions) keepLimits(version, warnings)
  separateLabels(versions, warnings)
}

/** Definitions as written, or as links where they would become the link of a heading. */
function unusedDefinitions(unused: Definition[], versions: ParsedVersion[]): string[] {
  const labels = new Set(versions.map(({ label }) => label.toLowerCase()))
  const isLink = ({ identifier }: Definition) => labels.has(identifier)
  const others = unused.filter((definition) => !isLink(definition))
  return [...unused.filter(isLink).map(linkOf), others.map(({ source }) => trimBlankLines(source)).join('\n')]
}

/** Headings that are as high as that of the version: `# Changelog` once more, or something else at the end. */
const outerHeadings = (nodes: readonly Node[], level: number): { at: number; text: string }[] =>
  nodes.flatMap((node, at) =>
    node.type === 'heading' && node.depth <= level ? { at, text: textOf(node).trim() } : [],
  )

/** True for a heading that names no kind of change and no number. */
const isNoSection = (text: string): boolean =>
  /\p{L}/u.test(text) && !/\d/.test(text) && !namesKind(typeFromHeading(text) ?? '')

/** The blocks from `end` on are text: the file goes on with something else there. */
function readVersion(
  line: number,
  heading: VersionHeading,
  source: MarkdownSource,
  warnings: Warning[],
  { end, mayEndWithDate, isEntry }: { end: number | undefined; mayEndWithDate: boolean; isEntry: boolean },
): UnresolvedVersion {
  const { nodes, document } = source
  const { label, title, falseDate, comment } = heading
  const below = withoutAnchors(nodes.slice(0, end))
  const after = end === undefined ? '' : source.blocks(nodes.slice(end))
  const lookForDate = heading.date === null && !comment.undated
  const isSentence = below.length === 1 && below[0]?.type === 'paragraph' && !document.isStrict
  const isProse = !isEntry && (document.isProse || isSentence)
  const body = readVersionBody(below, source, { line, lookForDate, mayEndWithDate, isProse })
  const date = heading.date ?? body.date
  if (date?.warning) warnings.push({ line, message: date.warning })
  if (falseDate !== null) warnings.push({ line, ...notADate(falseDate) })
  for (const found of body.warnings) warnings.push(found)
  return {
    label,
    title,
    date: date?.at ?? null,
    numericDate: date?.numeric ?? null,
    status: comment.status === 'scheduled' ? 'draft' : comment.status,
    ...(comment.status === 'scheduled' && { scheduled: true }),
    ...(falseDate !== null && { falseDate }),
    ...(heading.isYanked && { yanked: '' }),
    description: paragraphs(heading.byline, body.description, heading.link),
    closing: paragraphs(body.closing, after),
    changes: body.changes,
    line,
    source: sourceOf(source, heading),
  }
}

/** The text of a version as it was written; none if we wrote it and it is more than its author's. */
function sourceOf(source: MarkdownSource, { link }: VersionHeading): string | null | undefined {
  const text = source.blocks(withoutAnchors(source.nodes))
  return text === '' || OWN_COMMENT.test(text) ? undefined : paragraphs(text, link)
}

function keepLimits(version: ParsedVersion, warnings: Warning[]): void {
  const { title, line, text } = version
  // On one line, and no id of ours.
  const written = version.label.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const label = isId('ver', written) ? `version ${written}` : written
  version.title = cut(title, LIMITS.title)
  version.label = cut(label, LIMITS.label)
  if (version.title !== title) {
    version.description = paragraphs(title, version.description)
    const message = `title longer than ${LIMITS.title} characters, kept in full in the description`
    warnings.push({ line, text, message })
  }
  if (version.label !== label) {
    if (!title.includes(label)) append(version, label)
    const cause = `label longer than ${LIMITS.label} characters, cut`
    warnings.push({ line, text, message: `${cause} to "${version.label}"`, cause })
  }
}

function separateLabels(versions: ParsedVersion[], warnings: Warning[]): void {
  const taken = new Set(versions.map(({ label }) => label))
  /** The next number to try, so that many labels that begin alike take linear time. */
  const counts = new Map<string, number>()
  for (const [label, [first, ...others]] of Map.groupBy(versions, (version) => version.label)) {
    const stem = cut(label, LIMITS.label - 8)
    let count = counts.get(stem) ?? 2
    for (const version of others) {
      for (; taken.has(version.label); count++) version.label = `${stem} (${count})`
      taken.add(version.label)
      if (version.title === label) version.title = version.label
      const { line, text } = version
      const message = `"${label}" is already on line ${first?.line}, kept as "${version.label}"`
      warnings.push({ line, text, message, cause: 'a label occurs twice, the second is kept with a number' })
    }
    counts.set(stem, count)
  }
}
