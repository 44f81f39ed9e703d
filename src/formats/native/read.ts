import type { Static } from '@sinclair/typebox'
import { decodedPictureId } from '../../domain/webp.ts'
import { isJsonLines } from '../detect.ts'
import { check, decode, parseJson } from '../json.ts'
import { FormatError } from '../parsed.ts'
import { textLines } from '../text-lines.ts'
import { type Deleted, DOCUMENT, type ExportRecord, endOf, HEADER, LINE } from './records.ts'

/** The kind of a line by its beginning, and the kinds that may precede it. */
const KIND = /^\s*\{\s*"(team|product|picture|version|key|end)"/
const RECORD = ['team', 'product', 'picture', 'version', 'key']
const ANY = ['header', ...RECORD]
const BEFORE = {
  team: ANY,
  product: RECORD,
  picture: ['product', 'picture'],
  version: ['product', 'picture', 'version'],
  key: RECORD,
  end: ANY,
}

/** A record, and where it is in the file: its line, or its path in a document. */
export type LocatedRecord = { where: string; record: ExportRecord }
type LocatedJson = { where: string; json: unknown }

/**
 * Reads an export to its end, checks it and returns how to read its records. Throws a FormatError that names line (or
 * path) and field if a record is wrong, missing, repeated or misplaced. Pictures that cannot be decoded have no bytes.
 */
export async function openExport(
  head: string,
  chunks: () => AsyncIterable<Uint8Array>,
): Promise<() => AsyncIterable<LocatedRecord>> {
  const all = isJsonLines(head)
    ? () => readLines(chunks())
    : documentReader((await Array.fromAsync(textLines(chunks()))).join('\n'))
  const [nameOf, places, spoiled] = [naming(), new Map<string, string>(), new Set<string>()]
  for await (const { where, json } of all()) {
    const line = check(LINE, json, `${where}: `)
    const name = nameOf(line)
    // Here nobody waits for a transaction.
    if (line.picture && !(await decodedPictureId(Buffer.from(line.picture.bytes, 'base64'))))
      spoiled.add(where)
    const first = places.get(name)
    if (first)
      throw new FormatError(`${where}: ${name} is already ${first.startsWith('line') ? 'on' : 'at'} ${first}`)
    places.set(name, where)
  }
  return async function* () {
    for await (const { where, json } of all()) {
      const record = decode(LINE, json, `${where}: `) as ExportRecord
      if ('picture' in record && spoiled.has(where)) record.picture.bytes = Buffer.alloc(0)
      yield { where, record }
    }
  }
}

/** What a command deleted, with the ids of its first team and product, and the label of the first version. */
export interface DeletedFile extends Deleted {
  team: string | null
  product: string | null
  label: string | null
}

/** Reads the first lines of what a command kept; null for other files. */
export async function readDeleted(chunks: AsyncIterable<Uint8Array>): Promise<DeletedFile | null> {
  let file: DeletedFile | undefined
  let at = 0
  for await (const line of textLines(chunks)) {
    const where = `line ${++at}: `
    if (file) {
      const { team, product, version } = check(LINE, parseJson(line, where), where)
      file.team ??= team?.id ?? null
      file.product ??= product?.id ?? null
      file.label ??= version?.version ?? null
      if (at === 4) break
      continue
    }
    if (!isJsonLines(line)) return null
    const { deleted } = check(HEADER, parseJson(line, where), where)
    if (!deleted) return null
    file = { ...deleted, team: null, product: null, label: null }
  }
  return file ?? null
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LocatedJson> {
  const counts = { team: 0, product: 0, picture: 0, version: 0, key: 0 }
  let line = 0
  let last = 'header'
  for await (const text of textLines(chunks)) {
    const where = `line ${++line}`
    if (line === 1) check(HEADER, parseJson(text, `${where}: `), `${where}: `)
    if (line === 1 || text.trim() === '') continue
    const kind = KIND.exec(text)?.[1] as keyof typeof BEFORE | undefined
    if (kind === undefined) throw new FormatError(`${where}: must be ${LINE.title}`)
    if (!BEFORE[kind].includes(last)) throw new FormatError(`${where}: ${kind} cannot follow ${last}`)
    last = kind
    const json = parseJson(text, `${where}: `)
    if (kind !== 'end') {
      counts[kind]++
      yield { where, json }
    } else if (!Bun.deepEquals(check(LINE, json, `${where}: `).end, endOf(counts)))
      throw new FormatError(
        `${where}: end must be the number of records before it: ${JSON.stringify(endOf(counts))}`,
      )
  }
  if (last !== 'end') throw new FormatError(`incomplete after line ${line}: the end record is missing`)
}

function documentReader(text: string): () => AsyncGenerator<LocatedJson> {
  const { teams } = check(DOCUMENT, parseJson(text))
  return async function* () {
    for (const [t, { keys = [], products, ...team }] of teams.entries()) {
      yield { where: `teams[${t}]`, json: { team } }
      for (const [p, { pictures = [], versions, ...product }] of products.entries()) {
        const where = `teams[${t}].products[${p}]`
        yield { where, json: { product } }
        for (const [i, picture] of pictures.entries())
          yield { where: `${where}.pictures[${i}]`, json: { picture } }
        for (const [v, version] of versions.entries())
          yield { where: `${where}.versions[${v}]`, json: { version } }
      }
      for (const [k, key] of keys.entries()) yield { where: `teams[${t}].keys[${k}]`, json: { key } }
    }
  }
}

/** Names each record of a file, called in their order. */
function naming() {
  let [inTeam, inProduct] = ['', '']
  return ({ team, product, picture, version, key }: Static<typeof LINE>): string => {
    inTeam = team?.slug ?? inTeam
    inProduct = product ? `${inTeam}/${product.slug}` : inProduct
    if (picture) return `picture ${picture.id} of ${inProduct}`
    if (version) return `version ${version.version} of ${inProduct}`
    return team ? `team ${inTeam}` : product ? `product ${inProduct}` : `key ${key?.id}`
  }
}
