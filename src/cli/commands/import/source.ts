import { Refusal } from '../../../domain/refusal.ts'
import { detectFormat, type Format, HEAD_LENGTH, isExport } from '../../../formats/detect.ts'
import { readMarkdown } from '../../../formats/keepachangelog/read.ts'
import { type LocatedRecord, openExport } from '../../../formats/native/read.ts'
import { FormatError, type ParsedChangelog } from '../../../formats/parsed.ts'
import { parseReleases } from '../../../formats/releases/read.ts'
import { isRestructuredText, markdownOf } from '../../../formats/restructuredtext.ts'
import type { Context } from '../../context.ts'
import type { Input } from './input.ts'

/** What an input holds. */
export type Source = ChangelogSource | ExportSource

export interface ChangelogSource {
  /** What messages call the input. */
  name: string
  format: Exclude<Format, 'json'>
  parsed: ParsedChangelog
}

/** One of our own exports, whose records are read one by one. `where` of each begins with the name of the input. */
export interface ExportSource {
  format: 'json'
  records(): AsyncIterable<LocatedRecord>
}

/**
 * Finds out what an input is, reads it to its end and checks it. Refuses what cannot be understood, and a changelog
 * without a version.
 */
export async function readSource(context: Context, input: Input, wanted: Format | 'auto'): Promise<Source> {
  const { name } = input
  const text = () => decodeText(name, watched(context, input))
  try {
    const head = await headOf(input)
    const format = wanted === 'auto' ? detectFormat(name, head) : wanted
    if (format === 'json') return await exportSource(context, input, head)
    const parsed =
      format === 'keepachangelog' ? parseChangelog(name, await text()) : parseReleases(await text(), format)
    if (parsed.versions.length === 0) throw nothingFound(name, format)
    return { name, format, parsed }
  } catch (error) {
    throw asRefusal(name, error)
  }
}

const parseChangelog = (name: string, text: string): ParsedChangelog =>
  readMarkdown(isRestructuredText(name) ? markdownOf(text) : text)

/** Reads one of our own exports to its end and checks it. Refuses anything else. */
export async function readExport(context: Context, input: Input): Promise<ExportSource> {
  const { name } = input
  try {
    const head = await headOf(input)
    if (!isExport(head))
      throw new Refusal(`${name}: ${head.trim() === '' ? 'empty: ' : ''}not an export of changelogd.`, {
        hint: 'To import another file, name a product: changelogd import TEAM/PRODUCT FILE',
      })
    return await exportSource(context, input, head)
  } catch (error) {
    throw asRefusal(name, error)
  }
}

async function exportSource(context: Context, input: Input, head: string): Promise<ExportSource> {
  const records = await openExport(head, () => watched(context, input))
  return { format: 'json', records: () => located(input.name, records()) }
}

const headOf = async (input: Input): Promise<string> =>
  new TextDecoder().decode(await collect(input.chunks(), HEAD_LENGTH))

/** Shows how far the input has been read. */
async function* watched(context: Context, input: Input): AsyncGenerator<Uint8Array> {
  const progress = await context.progress(input.size)
  let done = 0
  try {
    for await (const chunk of input.chunks()) {
      yield chunk
      done += chunk.length
      progress.update(done)
    }
  } finally {
    progress.end()
  }
}

/** As many of the chunks as have at least so many bytes, in one. */
async function collect(chunks: AsyncIterable<Uint8Array>, enough: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    parts.push(chunk.slice())
    length += chunk.length
    if (length >= enough) break
  }
  return Buffer.concat(parts)
}

async function decodeText(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new Refusal(`${name} is not UTF-8 text.`, { hint: 'Convert it first, for example with iconv.' })
    }
  }
  const parts: string[] = []
  for await (const chunk of chunks) parts.push(decode(chunk))
  parts.push(decode())
  return parts.join('')
}

async function* located(name: string, records: AsyncIterable<LocatedRecord>): AsyncGenerator<LocatedRecord> {
  try {
    for await (const { where, record } of records) yield { where: `${name}: ${where}`, record }
  } catch (error) {
    throw asRefusal(name, error)
  }
}

function asRefusal(name: string, error: unknown): unknown {
  if (error instanceof RangeError)
    return new Refusal(`${name}: nested too deeply to be read.`, { cause: error })
  return error instanceof FormatError ? new Refusal(`${name}: ${error.message}.`, { cause: error }) : error
}

const nothingFound = (name: string, format: ChangelogSource['format']): Refusal =>
  format === 'keepachangelog'
    ? new Refusal(`${name}: no version found.`, {
        hint: 'A version is a heading such as "## [1.2.0] - 2026-01-02".',
      })
    : new Refusal(`${name}: no release found.`, {
        hint: `Expected the JSON of ${format}'s releases endpoint.`,
      })
