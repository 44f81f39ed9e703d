import { newId } from '../../domain/id.ts'
import {
  address,
  type Instant,
  type Product,
  type Version,
  type VersionContents,
} from '../../domain/records.ts'
import { inPieces } from '../../files/temporary.ts'
import { writeLines } from '../../formats/native/write.ts'
import type { Records } from '../../store/records/records.ts'
import { compressed } from './keep.ts'

/** The text of a version, to be kept once it is another. */
export async function textOf(
  records: Records,
  { changeCount: _, ...version }: Version,
): Promise<VersionContents> {
  const changes = await records.changes.list(version)
  const source = await records.versions.source({ ...version, changeCount: 0 }, changes)
  return {
    ...plain(version),
    formerLabels: [],
    changes: changes.map(({ position: _, ...change }) => plain(change)),
    source,
  }
}

const plain = <T extends { imported?: unknown }>(record: T) => ({
  ...record,
  imported: record.imported ?? undefined,
})

/** Keeps the text of a version as it was before an act, with nothing of others. */
export async function keepText(
  records: Records,
  { event: act, who, now: at }: { event: string; who: string | null; now: Instant },
  product: Product,
  before: VersionContents,
): Promise<void> {
  const { team } = product
  const what = `version ${before.label} of ${address(product)}`
  const head = { what, ids: [before.id], label: before.label }
  const ids = { teamId: team.id, productId: product.id, versionId: before.id }
  async function* lines() {
    yield { team: { ...team, hooks: [] } }
    yield { product: { ...product, formerNames: [], source: null } }
    yield { version: before }
  }
  await records.kept.add(
    { id: newId('kept'), at, act, who, ...ids, head },
    compressed(inPieces(writeLines(lines()))),
  )
}
