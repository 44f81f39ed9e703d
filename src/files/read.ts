import { createReadStream, type Stats, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { codeOf } from '../domain/errors.ts'
import { Refusal, withHint } from '../domain/refusal.ts'
import { type Decoded, decode } from '../domain/text/decode.ts'
import { fileError } from './errors.ts'

/** Reads a file in chunks: also a pipe or a device, once. */
export const readChunks = (path: string): AsyncIterable<Uint8Array> => chunksOf(open(path), path)

export async function* chunksOf(file: Streamed, path: string): AsyncGenerator<Uint8Array> {
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
  const next = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw notText(name)
    }
  }
  for await (const chunk of chunks) parts.push(next(chunk))
  parts.push(next())
  return parts.join('')
}

/** The text of a changelog, which may be in an older encoding. Refuses what is no text, such as a compressed file. */
export function decodeAny(name: string, bytes: Uint8Array): Decoded {
  const read = decode(bytes)
  if (read.others.length > 0 && BINARY.test(read.text)) throw notText(name)
  return read
}

/** Texts have tabs, newlines, form feeds, and where DOS ended a file. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\0-\x08\x0e-\x19\x1b-\x1f]/

const notText = (name: string): Refusal =>
  new Refusal(`${name} is not UTF-8 text.`, {
    hint: 'Convert it with iconv, or decompress it with zcat.',
  })

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

/** Something to read, such as a `Blob`. */
type Streamed = Pick<Blob, 'stream'> | ReturnType<typeof device>

function open(path: string): Streamed {
  const found = inputAt(path)
  refuseOther(path, found)
  return found?.isCharacterDevice() ? device(path) : Bun.file(path)
}

/** A device such as /dev/null lacks what Bun waits for. */
const device = (path: string) => ({ stream: () => createReadStream(path) })

/** Pipes and devices can be read and written; directories and sockets cannot. */
export function refuseOther(path: string, found: Stats | undefined): void {
  if (path.endsWith('/') || found?.isDirectory())
    throw new Refusal(`${path} is a directory, not a file.`, { hint: 'Give a file in it.' })
  if (found?.isSocket()) throw new Refusal(`${path} is a socket, not a file.`)
}
