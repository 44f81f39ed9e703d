import type { LocatedRecord } from '../../formats/native/read.ts'
import type { Decoded } from '../../formats/native/records.ts'

export interface ExportedProduct {
  where: string
  product: Decoded<'product'>
  versions: AsyncIterable<ExportedVersion>
}

export interface ExportedVersion {
  where: string
  version: Decoded<'version'>
}

/** Groups the records of an export by team and product while reading. A caller may skip the rest of either. */
export async function* teamsOf(records: AsyncIterable<LocatedRecord>) {
  const rest = records[Symbol.asyncIterator]()
  let next = await rest.next()
  const advance = async () => {
    next = await rest.next()
  }
  async function* versions() {
    for (; !next.done && 'version' in next.value.record; await advance())
      yield { where: next.value.where, version: next.value.record.version }
  }
  async function* parts() {
    while (!next.done && !('team' in next.value.record)) {
      const { where, record } = next.value
      await advance()
      if ('key' in record) yield { where, key: record.key }
      else if ('product' in record) {
        const part: ExportedProduct = { where, product: record.product, versions: versions() }
        yield part
      }
    }
  }
  try {
    while (!next.done) {
      const { where, record } = next.value
      await advance()
      if ('team' in record) yield { where, team: record.team, parts: parts() }
    }
  } finally {
    await rest.return?.()
  }
}
