import type { Change, Version } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { checkChange, checkVersion, knownDate } from '../../../domain/rules.ts'
import { cut } from '../../../domain/text/cut.ts'
import { whyNoDate } from '../../../formats/keepachangelog/versions/dates.ts'
import { impliedStatuses } from '../../../formats/keepachangelog/versions/status.ts'
import { writeMarkdown } from '../../../formats/keepachangelog/write.ts'
import type { ParsedVersion } from '../../../formats/parsed.ts'
import { parseMarkdown } from '../../../formats/text/read.ts'

/** The text of a version for editing: a section of Keep a Changelog, below notes. */

/** Without the status: editing neither publishes nor hides. */
export function sectionOf(version: Version, changes: readonly Change[]): string {
  const { label, title, description, closing, yanked } = version
  const named = { label, title, date: knownDate(version) }
  const [status = 'published'] = impliedStatuses([named])
  return writeMarkdown(null, [{ ...named, status, description, closing, yanked, changes: [...changes] }])
}

/** With a first change to fill in. */
export function newSection(label: string): string {
  const named = { label, title: label, date: null }
  const [status = 'published'] = impliedStatuses([named])
  const version = { ...named, status, description: null, changes: [] }
  return `${writeMarkdown(null, [version])}\n### Added\n\n- \n`
}

/** A problem is for the author to fix. */
export type ReadSection = { version: ParsedVersion; warnings: string[] } | { problem: string }

/** Reads a section like an import, and checks that it is exactly one version that can be stored. */
export function readSection(text: string): ReadSection {
  try {
    const { versions, preamble, warnings } = parseMarkdown(text)
    const [version, ...others] = versions
    if (!version)
      return { problem: 'No version was found. It begins with a heading such as ## [1.2.0] - 2026-01-02.' }
    if (others.length > 0) {
      const labels = versions.map(({ label }) => label).join(', ')
      return { problem: `There are ${versions.length} versions (${labels}), but this edits one.` }
    }
    if (preamble !== null)
      return { problem: `This text belongs to no version: ${JSON.stringify(cut(preamble, 60))}.` }
    checkVersion(version)
    for (const change of version.changes) checkChange(change)
    // The status that a missing date implies does not matter here.
    const told = warnings.filter(({ line }) => version.date !== null || line !== version.line)
    return { version, warnings: told.map(({ message }) => message) }
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'The text is nested too deeply to be read.' }
    if (error instanceof Refusal) return { problem: error.message }
    throw error
  }
}

/** A date that does not exist is a problem too, unless it was there before. */
export function readEdited(text: string, before: string): ReadSection {
  const read = readSection(text)
  if ('problem' in read || read.version.falseDate === undefined) return read
  const { falseDate } = read.version
  const opened = readSection(before)
  if ('version' in opened && opened.version.falseDate === falseDate) return read
  return { problem: `${whyNoDate(falseDate)}.` }
}

/** Notes above a text, as comments, which `withoutNotes` removes. */
export const withNotes = (notes: readonly string[], text: string): string =>
  `${notes.map((note) => `<!-- changelogd: ${note.replace(/\s+/g, ' ').replaceAll('--', '- -')} -->\n`).join('')}\n${text}`

export const withoutNotes = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^(?:\s*<!-- changelogd: .* -->[ \t]*\n?)*\n*/, '')
