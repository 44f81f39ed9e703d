import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeFields } from '../../../domain/importing/imported.ts'
import type { Change, Version } from '../../../domain/records.ts'
import { OutcomeUnknown, Refusal } from '../../../domain/refusal.ts'
import { checkChange, checkVersion, knownDate } from '../../../domain/rules.ts'
import { cut } from '../../../domain/text/cut.ts'
import { fileError } from '../../../files/errors.ts'
import { OWN_COMMENT } from '../../../formats/changelog/comments.ts'
import { whyNoDate } from '../../../formats/changelog/versions/dates.ts'
import { impliedStatuses } from '../../../formats/changelog/versions/status.ts'
import { writeMarkdown } from '../../../formats/changelog/write.ts'
import { parseMarkdown } from '../../../formats/lines/read.ts'
import { trimBlankLines } from '../../../formats/markdown/lines.ts'
import type { ParsedVersion } from '../../../formats/parsed.ts'
import { readReleaseBody } from '../../../formats/releases/body.ts'
import type { Context } from '../../context.ts'
import { decodeText, readChunks } from '../../files.ts'

export interface Draft extends Section {
  label: string
  notes: readonly string[]
}

export type Edited = Extract<ReadSection, { version: ParsedVersion }>

/**
 * Lets the author edit a text until `save` succeeds, unless the author gives up by emptying it or leaving it unchanged.
 * At a terminal, a text that cannot be read is opened again with the problem on top. An unsaved text is kept in its
 * file, which the refusal names.
 */
export async function editUntilSaved<T>(
  context: Context,
  editor: string,
  { label, text: original, read: readText, notes }: Draft,
  save: (edited: Edited) => Promise<T>,
): Promise<T | 'empty' | 'unchanged'> {
  const file = createEditedFile(label, withNotes(notes, original))
  let opened = original
  for (;;) {
    const failure = await keeping(context, file, () => context.runEditor(editor, file.path))
    const text = await keeping(context, file, async () => withoutNotes(await file.read()))
    if (failure !== null)
      throw text === original
        ? discard(file, new Refusal(`${failure} Nothing was changed.`))
        : kept(file, new Refusal(failure))
    if (text.trim() === '') return discard(file, 'empty')
    if (text === original) return discard(file, 'unchanged')
    const read = readEdited(text, { text: original, read: readText })
    if (!('problem' in read)) return discard(file, await keeping(context, file, () => save(read)))
    // Closing the same text without a change gives up.
    if (text === opened || !context.terminal.input) throw kept(file, new Refusal(read.problem))
    opened = text
    file.write(withNotes([read.problem, 'Correct it. To give up, close without changes.', ...notes], text))
  }
}

function discard<T>(file: EditedFile, result: T): T {
  file.remove()
  return result
}

const kept = ({ path }: EditedFile, error: Refusal): Refusal => {
  const { message, advice: hint, cause } = error
  return error instanceof OutcomeUnknown
    ? new OutcomeUnknown(`${message} Your text is in ${path}.`, { hint, cause })
    : new Refusal(`${message} Nothing was saved. Your text is in ${path}.`, { hint, cause })
}

/** Adds to an error where the text is. */
async function keeping<T>(context: Context, file: EditedFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw kept(file, error)
    await context.stderr(`Nothing was saved. Your text is in ${file.path}.\n`)
    throw error
  }
}

type EditedFile = ReturnType<typeof createEditedFile>

/**
 * The file in the editor. It stays until it is removed, so that nothing is lost. Readable by this user only, in a
 * directory of its own: editors put other files beside it.
 */
function createEditedFile(label: string, text: string) {
  const name = label.replace(/[^\w.+-]/g, '-').replace(/^[.-]+/, '')
  const place = orRefuse(tmpdir(), () => mkdtempSync(join(tmpdir(), 'changelogd-')))
  const path = join(place, `${name.slice(0, 64) || 'version'}.md`)
  const write = (content: string) => orRefuse(path, () => writeFileSync(path, content, { mode: 0o600 }))
  write(text)
  return {
    path,
    // Deleting the file empties it.
    read: async () => (existsSync(path) ? decodeText(path, readChunks(path)) : ''),
    write,
    remove: () => rmSync(place, { recursive: true, force: true }),
  }
}

function orRefuse<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fileError(error, path, `Cannot write a temporary file in ${tmpdir()}`)
  }
}

/** The text of a version for editing: a section of Keep a Changelog, below notes. */

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

/** A version as its author wrote it, if that is known and still means the same; else as we write it. */
export function openSection(version: Version, changes: readonly Change[], source: string | null): Section {
  const heading = sectionOf({ ...version, description: null, closing: null }, [])
  const text = `${heading}\n${source}\n`
  const meansTheSame = (read: Section['read']): boolean => {
    const found = source === null ? null : read(text)
    const fields = found && 'version' in found ? found.version.changes.map(changeFields) : null
    return Bun.deepEquals(fields, changes.map(changeFields))
  }
  const read = [readSection, readSource].find(meansTheSame)
  return read ? { text, read } : { text: sectionOf(version, changes), read: readSection }
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

/** Reads the heading like `readSection`, and the rest like the text of a release, which may have any headings. */
const readSource = (text: string): ReadSection => readSection(text, true)

/** Reads a section like an import, and checks that it is exactly one version that can be stored. */
export function readSection(text: string, isSource = false): ReadSection {
  const { heading, body } = splitHeading(text)
  try {
    const { versions, preamble, warnings } = parseMarkdown(isSource ? heading : text)
    const [found, ...others] = versions
    if (!found)
      return { problem: 'No version found. A version starts with a heading such as ## [1.2.0] - 2026-01-02.' }
    if (others.length > 0) {
      const labels = versions.map(({ label }) => label).join(', ')
      return { problem: `The text has ${versions.length} versions (${labels}). Keep one.` }
    }
    if (preamble !== null)
      return {
        problem: `This text is above the heading of the version: ${JSON.stringify(cut(preamble, 60))}.`,
      }
    const read = isSource ? readReleaseBody(body, found.label, found.title).texts : found
    const { description, closing = null, changes } = read
    const version = { ...found, description, closing, changes, source: OWN_COMMENT.test(body) ? null : body }
    checkVersion(version)
    for (const change of version.changes) checkChange(change)
    // The status that a missing date implies does not matter here.
    const told = warnings.filter(({ line }) => version.date !== null || line !== version.line)
    return { version, warnings: told.map(({ message }) => message) }
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'The text is nested too deeply.' }
    if (error instanceof Refusal) return { problem: error.message }
    throw error
  }
}

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
