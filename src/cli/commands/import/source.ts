import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { UNRELEASED } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { bounded } from '../../../domain/text/bounded.ts'
import { plural } from '../../../domain/text/plural.ts'
import { fileError } from '../../../files/errors.ts'
import { fileAt, notAFile } from '../../../files/lookup.ts'
import { decodeAny, decodeText, inputAt, readChunks } from '../../../files/read.ts'
import { fill, temporaryFileBeside } from '../../../files/temporary.ts'
import type { ChangesetFile } from '../../../formats/changesets.ts'
import { detectFormat, type Format } from '../../../formats/detect.ts'
import {
  FormatError,
  type ParsedChangelog,
  type ParsedVersion,
  type Warning,
} from '../../../formats/parsed.ts'
import {
  type ExportSource,
  exportSource,
  headOf,
  type Readable,
} from '../../../transfer/exports/read-export.ts'
import { asRefusal, type ChangelogSource, parseChangelog } from '../../../transfer/parse-changelog.ts'
import { picturesBeside } from '../../../transfer/pictures/beside.ts'
import { takePictures } from '../../../transfer/pictures/take.ts'
import type { Context } from '../../context.ts'
import { readInput } from '../../files.ts'
import { type RepositoryOptions, readRepository, readTagDates } from './git.ts'

export type ImportSource = ChangelogSource | ExportSource

export interface SourceOptions extends RepositoryOptions {
  format: Format | 'auto'
  /** The repository whose tags date the versions that have no date. */
  datesFrom?: string | undefined
  /** Takes in the pictures beside a file. */
  pictures: boolean
}

/** Detects, reads and checks an input. Refuses what cannot be understood, and a changelog without versions. */
export async function readSource(
  context: Context,
  input: Input,
  { format: wanted, datesFrom, pictures, ...options }: SourceOptions,
  database: string,
): Promise<ImportSource> {
  const { name } = input
  try {
    if (input.kind === 'repository') {
      if (options.commits) {
        const { readCommits } = await import('./commits.ts')
        return { name, format: 'git', parsed: await readCommits(context.env, name, options) }
      }
      const { dates, ...parsed } = await readRepository(context.env, name, options)
      return { name, format: 'git', parsed, dates }
    }
    if (input.kind === 'folder') return { name, format: 'changesets', parsed: await readFolder(name, wanted) }
    const head = await headOf(input)
    const format = wanted === 'auto' ? detectFormat(name, head) : wanted
    if (format === 'json') {
      if (datesFrom !== undefined)
        throw new Refusal('A changelogd export has its own dates.', {
          hint: 'Leave out --dates-from.',
        })
      return await exportSource(input, head)
    }
    if (format === 'changesets')
      throw new Refusal(`${name} is not a directory.`, {
        hint: 'Give the .changeset directory.',
      })
    const tags = datesFrom === undefined ? [] : await readTagDates(context.env, datesFrom)
    const { text, others } = decodeAny(name, Buffer.concat(await Array.fromAsync(input.chunks(), copied)))
    const isInsisting = wanted !== 'auto'
    const source = parseChangelog(name, text, format, { tags, isInsisting, others })
    const place = pictures && input.path !== undefined && picturesBeside(input.path, database)
    if (place) source.pictures = await takePictures(source.parsed, text, place)
    if (datesFrom !== undefined) {
      const { warnings, versions } = source.parsed
      const told = warnings.filter(({ code }) => code !== 'published')
      source.parsed.warnings = [...told, ...untagged(versions, datesFrom)]
    }
    return source
  } catch (error) {
    throw asRefusal(name, error)
  }
}

/** One warning for released versions that still have no date. */
function untagged(versions: readonly ParsedVersion[], path: string): Warning[] {
  const [first, ...others] = versions.filter(({ date, label }) => date === null && label !== UNRELEASED)
  if (!first) return []
  const { label, line, text } = first
  const more = others.length === 0 ? '' : `, nor ${plural(others.length, 'further version')}`
  return [{ line, text, message: `${label} has neither a date nor a tag in ${path}${more}` }]
}

/** Changesets are short; this bounds memory. */
const MOST_IN_FOLDER = 64 * 1024 * 1024

/** Reads the changesets of a folder. Refuses one without any that has another name. */
async function readFolder(name: string, wanted: Format | 'auto'): Promise<ParsedChangelog> {
  const { isChangeset, parseChangesets, PRERELEASE_FILE } = await import('../../../formats/changesets.ts')
  const names = readdirSync(name).sort()
  const isTheirs = basename(resolve(name)) === '.changeset' || names.includes('config.json')
  if ((wanted !== 'auto' && wanted !== 'changesets') || (wanted === 'auto' && !isTheirs))
    throw new Refusal(`${name} is a directory, not a file.`, {
      hint: 'Give a file in it, or its .changeset folder. To import the tags of a repository, use --git.',
    })
  const files: ChangesetFile[] = []
  const tooLarge = () => new Refusal(`${name}: the changesets are larger than 64 MB.`)
  let left = MOST_IN_FOLDER
  for (const file of names.filter((one) => isChangeset(one) || one === PRERELEASE_FILE)) {
    const path = join(name, file)
    const found = fileAt(path)
    const kind = found && notAFile(found)
    // A FIFO would block: it is read only if it was named itself.
    if (kind) throw new Refusal(`${path} ${kind}.`, { hint: 'Remove it from the directory.' })
    const chunks = readChunks(path)
    const text = await decodeText(path, bounded(chunks, left, tooLarge))
    left -= Buffer.byteLength(text)
    files.push({ name: file, path, text })
  }
  try {
    return parseChangesets(files)
  } catch (error) {
    // The message of a FormatError begins with the file.
    throw error instanceof FormatError ? new Refusal(`${error.message}.`, { cause: error }) : error
  }
}

/** A stream may reuse the memory of a chunk. */
const copied = (chunk: Uint8Array): Uint8Array => chunk.slice()

/** The input of `import` or `undo`. A file can be read more than once. */
interface Input extends Readable, Disposable {
  readonly kind: 'file' | 'folder' | 'repository'
  /** Of a file in its folder. */
  readonly path?: string
}

export const inputOf = (path: string, kind: Input['kind'], name = path): Input => ({
  kind,
  name,
  chunks: () => readChunks(path),
  [Symbol.dispose]: () => {},
})

/** Reads anything but a file to its end at once, so that no slow sender is waited for under the lock. */
export async function openInput(context: Context, path: string): Promise<Input> {
  const found = path === '-' ? undefined : inputAt(path)
  if (found?.isDirectory()) return inputOf(path, 'folder')
  if (found?.isFile()) return { ...inputOf(path, 'file'), path }
  // The input goes to a file, because it may be large and is read more than once.
  using undo = new DisposableStack()
  try {
    const spool = undo.use(temporaryFileBeside(join(tmpdir(), 'changelogd-input')))
    await fill(spool.path, readInput(context, path))
    const end = undo.move()
    const name = path === '-' ? 'standard input' : path
    return { ...inputOf(spool.path, 'file', name), [Symbol.dispose]: () => end.dispose() }
  } catch (error) {
    throw fileError(error, tmpdir(), `Cannot write a temporary file in ${tmpdir()} (TMPDIR)`)
  }
}
