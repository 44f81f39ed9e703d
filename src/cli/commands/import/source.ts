import { Refusal } from '../../../domain/refusal.ts'
import { detectFormat, type Format, HEAD_LENGTH } from '../../../formats/detect.ts'
import { parseMarkdown } from '../../../formats/keepachangelog/read.ts'
import { type NativeEvent, readNative } from '../../../formats/native/native.ts'
import { FormatError, type ParsedChangelog } from '../../../formats/parsed.ts'
import { parseReleases } from '../../../formats/releases/read.ts'
import type { Context } from '../../context.ts'
import { readChunks } from '../../files.ts'

/** A file to import, understood: parsed whole, or, if it is one of our own exports, as it comes. */
export type Source =
  | { format: Exclude<Format, 'json'>; parsed: ParsedChangelog }
  | { format: 'json'; events: AsyncIterable<NativeEvent> }

/** Opens a file and finds out what it is. Refuses what cannot be read, and a changelog without a version. */
export async function openSource(context: Context, path: string, wish: Format | 'auto'): Promise<Source> {
  const { chunks, size } = readChunks(path)
  const rest = chunks[Symbol.asyncIterator]()
  const begun = await begin(rest)
  const head = new TextDecoder().decode(begun)
  const format = wish === 'auto' ? understood(path, () => detectFormat(path, head)) : wish
  const whole = watched(context, size, joined(begun, rest))
  if (format === 'json') return { format, events: refusing(path, readNative(whole)) }
  const text = decode(path, await collect(whole))
  const parsed = understood(path, () =>
    format === 'keepachangelog' ? parseMarkdown(text) : parseReleases(text, format),
  )
  if (parsed.versions.length === 0) throw nothingFound(path, format)
  return { format, parsed }
}

/** Enough of the beginning to tell what it is. */
async function begin(rest: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  while (length < HEAD_LENGTH) {
    const next = await rest.next()
    if (next.done) break
    parts.push(next.value.slice())
    length += next.value.length
  }
  return Buffer.concat(parts)
}

async function* joined(begun: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield begun
  yield* { [Symbol.asyncIterator]: () => rest }
}

/** Shows how far the file has been read. */
async function* watched(
  context: Context,
  size: number,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const progress = await context.progress(size)
  let done = 0
  try {
    for await (const chunk of chunks) {
      yield chunk
      done += chunk.length
      progress.update(done)
    }
  } finally {
    progress.end()
  }
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk.slice())
  return Buffer.concat(parts)
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal(`${path} is not UTF-8 text: convert it first, with iconv for one.`)
  }
}

async function* refusing<T>(path: string, events: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* events
  } catch (error) {
    throw asRefusal(path, error)
  }
}

function understood<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asRefusal(path, error)
  }
}

const asRefusal = (path: string, error: unknown): unknown =>
  error instanceof RangeError
    ? new Refusal(`${path}: nested too deeply to be read.`, { cause: error })
    : error instanceof FormatError
      ? new Refusal(`${path}: ${error.message}`, { cause: error })
      : error

const nothingFound = (path: string, format: Exclude<Format, 'json'>): Refusal =>
  new Refusal(
    format === 'keepachangelog'
      ? `${path}: no version found. A version is a heading such as "## [1.2.0] - 2026-01-02".`
      : `${path}: no release found. What is read is the JSON of ${format}'s releases endpoint.`,
  )
