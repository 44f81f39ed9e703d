import { decode, parseJson } from '../json.ts'
import { FormatError } from '../parsed.ts'
import { textLines } from '../text-lines.ts'
import { DOCUMENT, type ExportRecord, HEADER, LINE } from './records.ts'

/** What a line holds, told from how it begins; and what may be on the line before. */
const KIND = /^\s*\{\s*"(team|product|version|key|end)"/
const RECORD = ['team', 'product', 'version', 'key']
const ANY = ['header', ...RECORD]
const BEFORE = { team: ANY, product: RECORD, version: ['product', 'version'], key: RECORD, end: ANY }

/**
 * Reads an export to its end and returns how to read its records; `head` is how its text begins. Throws a FormatError
 * if the file is not complete: records are missing, or cannot belong where they are. Reading the records throws one
 * that names line (or path) and field if one of them is wrong; the records before it have been yielded by then.
 */
export async function openExport(
  head: string,
  chunks: () => AsyncIterable<Uint8Array>,
): Promise<() => AsyncIterable<ExportRecord>> {
  const format = Number(/^[^[{]*\{[^[{]*"version"\s*:\s*(\d+)/.exec(head)?.[1] ?? 1)
  if (format > 2) throw new FormatError(`a newer changelogd is needed to read format ${format}`)
  if (format === 2) {
    for await (const _ of readLines(chunks(), false));
    return () => readLines(chunks(), true)
  }
  const records = readDocument((await Array.fromAsync(textLines(chunks()))).join('\n'))
  return async function* () {
    yield* records
  }
}

async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  withRecords: boolean,
): AsyncGenerator<ExportRecord> {
  const counts = { team: 0, product: 0, version: 0, key: 0 }
  let line = 0
  let last = 'header'
  for await (const text of textLines(chunks)) {
    const where = `line ${++line}: `
    if (line === 1) decode(HEADER, parseJson(text, where), where)
    if (line === 1 || text.trim() === '') continue
    const kind = KIND.exec(text)?.[1] as keyof typeof BEFORE | undefined
    if (kind === undefined) throw new FormatError(`${where}must be ${LINE.title}`)
    if (!BEFORE[kind].includes(last)) throw new FormatError(`${where}${kind} cannot follow ${last}`)
    last = kind
    if (kind !== 'end') {
      counts[kind]++
      if (withRecords) yield decode(LINE, parseJson(text, where), where) as ExportRecord
    } else if (!Bun.deepEquals(decode(LINE, parseJson(text, where), where).end, counts))
      throw new FormatError(`${where}end must count the records before it: ${JSON.stringify(counts)}`)
  }
  if (last !== 'end') throw new FormatError(`cut off after line ${line}: the end record is missing`)
}

const readDocument = (text: string): ExportRecord[] =>
  decode(DOCUMENT, parseJson(text)).teams.flatMap(({ keys = [], products, ...team }) => [
    { team },
    ...products.flatMap(({ versions, ...product }) => [
      { product },
      ...versions.map((version) => ({ version })),
    ]),
    ...keys.map((key) => ({ key })),
  ])
