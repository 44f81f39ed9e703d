import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OutcomeUnknown, Refusal } from '../../../domain/refusal.ts'
import { fileError } from '../../../files/errors.ts'
import { decodeText, readChunks } from '../../../files/read.ts'
import { type Edited, readEdited, type Section } from '../../../transfer/section.ts'
import type { Context } from '../../context.ts'

interface Draft extends Section {
  label: string
  notes: readonly string[]
}

/**
 * Lets the author edit a text until `save` succeeds, unless the author gives up by emptying it or leaving it unchanged.
 * At a terminal, a text that cannot be read is opened again with the problem on top. An unsaved text is kept in its
 * file, which the refusal names.
 */
export async function editUntilSaved<T>(
  context: Context,
  editor: string,
  { label, text: original, read: readText, notes }: Draft,
  save: (edited: Edited, text: string) => Promise<T>,
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
    if (!('problem' in read)) return discard(file, await keeping(context, file, () => save(read, text)))
    // Closing the same text without a change gives up.
    if (text === opened || !context.terminal.input) throw kept(file, read.problem)
    opened = text
    file.write(
      withNotes([read.problem.message, 'Correct it. To give up, close without changes.', ...notes], text),
    )
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

/** Notes above a text, as comments, which `withoutNotes` removes. */
const withNotes = (notes: readonly string[], text: string): string =>
  `${notes.map((note) => `<!-- changelogd: ${note.replace(/\s+/g, ' ').replaceAll('--', '- -')} -->\n`).join('')}\n${text}`

const withoutNotes = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .replace(/^(?:\s*<!-- changelogd: .* -->[ \t]*\n?)*\n*/, '')
