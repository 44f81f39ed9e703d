import type { TSchema } from '@sinclair/typebox'
import { TransformEncode } from '@sinclair/typebox/value'
import { type Decoded, type Deleted, type ExportRecord, RECORDS, type RecordKind } from './records.ts'

/** All records as JSON Lines; `deleted` tells what a command has deleted. */
export async function* writeLines(
  records: AsyncIterable<ExportRecord>,
  deleted?: Deleted,
): AsyncGenerator<string> {
  const counts = { team: 0, product: 0, version: 0, key: 0 }
  yield `${JSON.stringify({ format: 'changelogd', version: 2, deleted })}\n`
  for await (const record of records)
    for (const [kind, value] of Object.entries(record) as [RecordKind, Decoded<RecordKind>][]) {
      counts[kind]++
      yield `{"${kind}":${encode(kind, value)}}\n`
    }
  yield `{"end":${JSON.stringify(counts)}}\n`
}

/** One product with its team as a JSON document, a version a line. */
export async function* writeDocument(
  team: Decoded<'team'>,
  product: Decoded<'product'>,
  versions: AsyncIterable<Decoded<'version'>>,
): AsyncGenerator<string> {
  yield '{"format":"changelogd","version":1,"teams":[\n'
  yield `${opened('team', team, 'products')}\n${opened('product', product, 'versions')}`
  let separator = '\n'
  for await (const version of versions) {
    yield separator + encode('version', version)
    separator = ',\n'
  }
  yield `${separator === '\n' ? '' : '\n'}]}\n]}\n]}\n`
}

/** The JSON of a record up to its last field, a list. */
const opened = <K extends RecordKind>(kind: K, record: Decoded<K>, list: string): string =>
  `${encode(kind, record).slice(0, -1)},"${list}":[`

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
