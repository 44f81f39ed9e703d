import { createReadStream, type Stats, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { bounded } from '../domain/bounded.ts'
import { codeOf } from '../domain/errors.ts'
import { Refusal, withHint } from '../domain/refusal.ts'
import { fileError } from '../files/errors.ts'
import { fileAt } from '../files/lookup.ts'
import { fill, replaceFile } from '../files/temporary.ts'
import type { Context } from './context.ts'

/** All of a file or of standard input. More than `most` bytes are refused; `hint` then says what to do. */
export async function readText(context: Context, path: string, most: number, hint?: string): Promise<string> {
  const name = path === '-' ? 'Standard input' : path
  const tooLarge = () =>
    new Refusal(`${name} is too large. The limit is ${most.toLocaleString('en')} bytes.`, {
      hint,
    })
  return decodeText(name, bounded(readInput(context, path), most, tooLarge))
}

function readError(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code !== '' && /^https?:\/\//i.test(path))
    return new Refusal(`${path} is an address, not a file.`, { hint: 'Download it first.' })
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const place = isAbsolute(path) ? '' : ` in ${process.cwd()}`
    return new Refusal(`There is no file ${path}${place}.`, { kind: 'not_found' })
  }
  const known = fileError(error, path, `Cannot read ${path}`)
  // Running this as the owner of the file would not help if the database is another user's.
  return code === 'EACCES' && known instanceof Refusal ? withHint(known, READABLE) : known
}

const READABLE =
  'Let that user read it. A file named on the command line can also be standard input: - < FILE'

/** The file to read at a path, links followed, or undefined. Refuses what this user may not look up. */
export function inputAt(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    const known = readError(error, path)
    if (known instanceof Refusal && known.kind !== 'unavailable') return undefined
    throw known
  }
}

/** A file that was named on the command line; `-` is standard input. */
export const readInput = (context: Context, path: string): AsyncIterable<Uint8Array> =>
  path === '-' ? chunksOf(context.stdin, path) : readChunks(path)

export const readChunks = (path: string): AsyncIterable<Uint8Array> => chunksOf(open(path), path)

async function* chunksOf(file: ReturnType<typeof open>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file.stream()
  } catch (error) {
    throw readError(error, path)
  }
}

/** Refuses bytes that are not UTF-8; `name` is for the message. */
export async function decodeText(name: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parts: string[] = []
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new Refusal(`${name} is not UTF-8 text.`, {
        hint: 'Convert it with iconv, or decompress it with zcat.',
      })
    }
  }
  for await (const chunk of chunks) parts.push(decode(chunk))
  parts.push(decode())
  return parts.join('')
}

/** Writes a file whole or not at all; pipes and devices directly. Refuses files of the database. */
export async function writeWhole(
  path: string,
  mode: number,
  chunks: AsyncIterable<string>,
  database: string,
) {
  try {
    const found = fileAt(path)
    refuseOther(path, found)
    if (found && !found.isFile()) return await fill(path, chunks)
    await replaceFile(path, mode & ~process.umask(), database, (temporary) => fill(temporary, chunks))
  } catch (error) {
    throw fileError(error, path, `Cannot write ${path}`)
  }
}

function open(path: string): Context['stdin'] | ReturnType<typeof device> {
  const found = inputAt(path)
  refuseOther(path, found)
  return found?.isCharacterDevice() ? device(path) : Bun.file(path)
}

/** A device such as /dev/null lacks what Bun waits for. */
const device = (path: string) => ({ stream: () => createReadStream(path) })

/** Pipes and devices can be read and written; directories and sockets cannot. */
function refuseOther(path: string, found: Stats | undefined): void {
  if (path.endsWith('/') || found?.isDirectory())
    throw new Refusal(`${path} is a directory, not a file.`, { hint: 'Give a file in it.' })
  if (found?.isSocket()) throw new Refusal(`${path} is a socket, not a file.`)
}
