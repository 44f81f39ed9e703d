import type { TSchema } from '@sinclair/typebox'
import { TransformEncode } from '@sinclair/typebox/value'
import { type Decoded, type ExportRecord, endOf, RECORDS, type RecordKind } from './records.ts'

/** All records as JSON Lines. */
export async function* writeLines(records: AsyncIterable<ExportRecord>): AsyncGenerator<string> {
  const counts = { team: 0, product: 0, picture: 0, version: 0, key: 0 }
  yield `${JSON.stringify({ format: 'changelogd', version: 2 })}\n`
  for await (const record of records)
    for (const [kind, value] of Object.entries(record) as [RecordKind, Decoded<RecordKind>][]) {
      counts[kind]++
      yield `{"${kind}":${encode(kind, value)}}\n`
    }
  yield `{"end":${JSON.stringify(endOf(counts))}}\n`
}

/** One product with its team as a JSON document, a picture or a version a line. */
export async function* writeDocument(
  team: Decoded<'team'>,
  product: Decoded<'product'>,
  pictures: AsyncIterable<Decoded<'picture'>>,
  versions: AsyncIterable<Decoded<'version'>>,
): AsyncGenerator<string> {
  yield '{"format":"changelogd","version":1,"teams":[\n'
  yield `${opened('team', team)},"products":[\n${opened('product', product)}`
  yield* listOf('picture', pictures, '')
  yield* listOf('version', versions, ',"versions":[]')
  yield '}\n]}\n]}\n'
}

/** The field with a list of records; `empty` without any. */
async function* listOf<K extends RecordKind>(kind: K, records: AsyncIterable<Decoded<K>>, empty: string) {
  let separator = `,"${kind}s":[\n`
  let end = empty
  for await (const record of records) {
    yield separator + encode(kind, record)
    separator = ',\n'
    end = '\n]'
  }
  yield end
}

/** The JSON of a record without its end. */
const opened = <K extends RecordKind>(kind: K, record: Decoded<K>): string =>
  encode(kind, record).slice(0, -1)

const encode = <K extends RecordKind>(kind: K, record: Decoded<K>): string =>
  JSON.stringify(fieldsOf(RECORDS[kind], TransformEncode(RECORDS[kind], [], record)))

/** Only the fields of its schema, in their order, and none that has its default. */
function fieldsOf({ properties, items }: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => fieldsOf(items, each))
  if (!properties) return value
  const record = value as Record<string, unknown>
  const isTold = ([name, field]: [string, TSchema]) => !Bun.deepEquals(record[name], field.default)
  const fields = Object.entries<TSchema>(properties).filter(isTold)
  return Object.fromEntries(fields.map(([name, field]) => [name, fieldsOf(field, record[name])]))
}
