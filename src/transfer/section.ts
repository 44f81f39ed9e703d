import { changeFields } from '../domain/importing/imported.ts'
import { Refused } from '../domain/reasons.ts'
import { type Change, LIMITS, type Version } from '../domain/records.ts'
import { Refusal } from '../domain/refusal.ts'
import { checkChange, checkVersion, knownDate } from '../domain/rules.ts'
import { cut } from '../domain/text/cut.ts'
import { OWN_COMMENT } from '../formats/changelog/comments.ts'
import { WAS_CUT } from '../formats/changelog/versions/body.ts'
import { whyNoDate } from '../formats/changelog/versions/dates.ts'
import { impliedStatuses } from '../formats/changelog/versions/status.ts'
import { parseMarkdown } from '../formats/lines/read.ts'
import { trimBlankLines } from '../formats/markdown/lines.ts'
import type { ParsedVersion } from '../formats/parsed.ts'
import { readReleaseBody } from '../formats/releases/body.ts'
import { writeMarkdown } from '../formats/write-markdown.ts'

/** The text of a version for editing: a section of Keep a Changelog. */

/** Leaves the status out: editing neither publishes nor hides. */
export function sectionOf(version: Version, changes: readonly Change[]): string {
  const { label, title, description, closing, yanked } = version
  const named = { label, title, date: knownDate(version) }
  const [status = 'published'] = impliedStatuses([named])
  return writeMarkdown(null, [{ ...named, status, description, closing, yanked, changes: [...changes] }])
}

/** A text to edit, and how it is read. */
export interface Section {
  text: string
  read(text: string): ReadSection
}

/** How texts of versions are read, the first that suits a text: as a section, or as one with any headings. */
const KNOWN_HEADINGS = [readSection, readSource]
export const FREE_HEADINGS = [readSource, readSection]

/** A version as its author wrote it, if that is known and still means the same; else as we write it. */
export function openSection(
  version: Version,
  changes: readonly Change[],
  source: string | null,
  readers: readonly Section['read'][] = KNOWN_HEADINGS,
): Section {
  const heading = sectionOf({ ...version, description: null, closing: null }, [])
  const text = source === null ? sectionOf(version, changes) : `${heading}\n${source}\n`
  const meansTheSame = (read: Section['read']): boolean => {
    const found = read(text)
    const fields = 'version' in found ? found.version.changes.map(changeFields) : null
    return Bun.deepEquals(fields, changes.map(changeFields))
  }
  // What we write has comments that only the reader of sections knows.
  const fitting = source !== null ? readers : OWN_COMMENT.test(text) ? [readSection] : readers.slice(0, 1)
  const read = fitting.find(meansTheSame)
  return read ? { text, read } : { text: sectionOf(version, changes), read: readSection }
}

/** With a first change to fill in. */
export function newSection(label: string, title: string): string {
  const named = { label, title, date: null }
  const [status = 'published'] = impliedStatuses([named])
  const version = { ...named, status, description: null, changes: [] }
  return `${writeMarkdown(null, [version])}\n### Added\n\n- \n`
}

/** A version, or a problem for the author to fix. */
type ReadSection = Edited | { problem: Refused }

export interface Edited {
  version: ParsedVersion
  warnings: string[]
}

/** Reads the heading like `readSection`, and the rest like the text of a release, which may have any headings. */
export function readSource(text: string): ReadSection {
  return readSection(text, true)
}

/** Reads a section like an import, and checks that it is exactly one version that can be stored. */
export function readSection(text: string, isSource = false): ReadSection {
  const { heading, body } = splitHeading(text)
  try {
    const { versions, preamble, warnings } = parseMarkdown(isSource ? heading : text)
    const [found, ...others] = versions
    // A heading without a number: the comment of our own says that it is a version.
    const named = found ? null : /^\s*## (?!.*<!--)(\[.*\].*|.*)$/.exec(heading)?.[1]
    if (named) {
      const label = named.startsWith('[') ? named : `[${named.replace(/[[\]]/g, '\\$&')}]`
      return readSection(`## ${label} <!-- draft -->\n\n${body}`, isSource)
    }
    if (!found) return { problem: new Refused('noVersion', {}) }
    if (others.length > 0) {
      const labels = versions.map(({ label }) => label).join(', ')
      return { problem: new Refused('versions', { count: versions.length, labels }) }
    }
    if (preamble !== null)
      return { problem: new Refused('aboveHeading', { text: JSON.stringify(cut(preamble, 60)) }) }
    const read = isSource ? readReleaseBody(body, found.label, found.title) : { texts: found, warnings }
    // An import keeps what fits; an author would lose the rest without noticing.
    if (read.warnings.some(({ message }) => message === WAS_CUT))
      return { problem: new Refused('longText', { most: LIMITS.description }) }
    const { description, closing = null, changes } = read.texts
    const version = { ...found, description, closing, changes, source: OWN_COMMENT.test(body) ? null : body }
    checkVersion(version)
    for (const change of version.changes) checkChange(change)
    // The status that a missing date implies does not matter here.
    const told = warnings.filter(({ line }) => version.date !== null || line !== version.line)
    return { version, warnings: told.map(({ message }) => message) }
  } catch (error) {
    if (error instanceof RangeError) return { problem: new Refused('nested', {}) }
    if (error instanceof Refused) return { problem: error }
    if (error instanceof Refusal) return { problem: new Refused('unreadable', { why: error.message }) }
    throw error
  }
}

export const bodyOf = (text: string): string => splitHeading(text).body

/** The first line with words, with its underline if any, and the text below it. */
function splitHeading(text: string): { heading: string; body: string } {
  const end = /^\s*\S.*(?:\n[=-]{3,}[ \t]*)?$/m.exec(text)?.[0].length ?? 0
  return { heading: text.slice(0, end), body: trimBlankLines(text.slice(end)) }
}

/** A date that does not exist is a problem too, unless it was there before. */
export function readEdited(text: string, { text: before, read: readText }: Section): ReadSection {
  const read = readText(text)
  if ('problem' in read || read.version.falseDate === undefined) return read
  const { falseDate } = read.version
  const opened = readText(before)
  if ('version' in opened && opened.version.falseDate === falseDate) return read
  return { problem: new Refused('falseDate', { why: whyNoDate(falseDate) }) }
}
