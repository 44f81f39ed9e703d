import type { LocatedRecord } from '../../formats/native/read.ts'
import type { Decoded, ExportRecord } from '../../formats/native/records.ts'

export interface ExportedProduct {
  where: string
  product: Decoded<'product'>
  /** To be read before the versions, which skip the rest of them. */
  pictures: AsyncIterable<{ where: string; picture: Decoded<'picture'> }>
  versions: AsyncGenerator<ExportedVersion>
}

export interface ExportedVersion {
  where: string
  version: Decoded<'version'>
}

/** Groups the records of an export by team and product while reading. A caller may skip the rest of either. */
export async function* teamsOf(records: AsyncIterable<LocatedRecord>) {
  const rest = records[Symbol.asyncIterator]()
  let next = await rest.next()
  async function* until(isEnd: (record: ExportRecord) => boolean) {
    while (!next.done && !isEnd(next.value.record)) {
      const { value } = next
      next = await rest.next()
      yield value
    }
  }
  async function* pictures() {
    for await (const { where, record } of until((record) => !('picture' in record)))
      if ('picture' in record) yield { where, picture: record.picture }
  }
  async function* versions(): ExportedProduct['versions'] {
    for await (const { where, record } of until((record) => !('version' in record || 'picture' in record)))
      if ('version' in record) yield { where, version: record.version }
  }
  async function* parts(): AsyncGenerator<ExportedProduct | { where: string; key: Decoded<'key'> }> {
    for await (const { where, record } of until((record) => 'team' in record))
      if ('key' in record) yield { where, key: record.key }
      else if ('product' in record)
        yield { where, product: record.product, pictures: pictures(), versions: versions() }
  }
  try {
    for await (const { where, record } of until(() => false))
      if ('team' in record) yield { where, team: record.team, parts: parts() }
  } finally {
    await rest.return?.()
  }
}
