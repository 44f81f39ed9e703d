import { Refusal, toRun } from '../../domain/refusal.ts'
import { HEAD_LENGTH, isExport } from '../../formats/detect.ts'
import { type LocatedRecord, openExport } from '../../formats/native/read.ts'
import { asRefusal } from '../parse-changelog.ts'

/** One of our exports, read record by record. `where` begins with the name of the input. */
export interface ExportSource {
  format: 'json'
  records(): AsyncIterable<LocatedRecord>
}

/** An input that can be read more than once. */
export interface Readable {
  /** How messages name it: its path, unless it is standard input. */
  readonly name: string
  /** Refuses anything but a file. */
  chunks(): AsyncIterable<Uint8Array>
}

/** Reads one of our exports to its end and checks it. Refuses anything else. */
export async function readExport(input: Readable): Promise<ExportSource> {
  const { name } = input
  try {
    const head = await headOf(input)
    if (!isExport(head))
      throw new Refusal(`${name}: ${head.trim() === '' ? 'empty, ' : ''}not a changelogd export.`, {
        hint: toRun('To import another format, give a product', 'import', ['TEAM/PRODUCT', 'FILE']),
      })
    return await exportSource(input, head)
  } catch (error) {
    throw asRefusal(name, error)
  }
}

/** Checks one of our exports, which begins with `head`. */
export async function exportSource(input: Readable, head: string): Promise<ExportSource> {
  const records = await openExport(head, () => input.chunks())
  return { format: 'json', records: () => located(input.name, records()) }
}

export async function headOf(input: Readable): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of input.chunks()) {
    parts.push(chunk.slice())
    length += chunk.length
    if (length >= HEAD_LENGTH) break
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

async function* located(name: string, records: AsyncIterable<LocatedRecord>): AsyncGenerator<LocatedRecord> {
  try {
    for await (const { where, record } of records) yield { where: `${name}: ${where}`, record }
  } catch (error) {
    throw asRefusal(name, error)
  }
}
