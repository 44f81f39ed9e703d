import type { Decoded, ExportRecord } from '../../../formats/native/records.ts'

/** A team of an export, with its products and keys in the order of the file. */
export interface ExportedTeam {
  team: Decoded<'team'>
  parts: AsyncIterable<ExportedProduct | { key: Decoded<'key'> }>
}

export interface ExportedProduct {
  product: Decoded<'product'>
  versions: AsyncIterable<Decoded<'version'>>
}

/** The records of an export by what they belong to. Whatever of a part is not read is skipped with the next part. */
export async function* teamsOf(records: AsyncIterable<ExportRecord>): AsyncGenerator<ExportedTeam> {
  const rest = records[Symbol.asyncIterator]()
  let next = await rest.next()
  const advance = async () => {
    next = await rest.next()
  }
  async function* versions() {
    for (; !next.done && 'version' in next.value; await advance()) yield next.value.version
  }
  async function* parts() {
    while (!next.done && !('team' in next.value)) {
      const record = next.value
      await advance()
      if ('key' in record) yield record
      else if ('product' in record) yield { product: record.product, versions: versions() }
    }
  }
  try {
    while (!next.done) {
      const record = next.value
      await advance()
      if ('team' in record) yield { team: record.team, parts: parts() }
    }
  } finally {
    await rest.return?.()
  }
}
