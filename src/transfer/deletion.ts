import type { Product, Team, VersionContents } from '../domain/records.ts'
import type { ExportRecord } from '../formats/native/records.ts'
import type { ChangeFound, Records } from '../store/records/types.ts'

/** What a command deletes, and the records needed to restore it. */

/** A team or a product with all that is in it, versions of a product by their ids, or a change. */
export type Deletion =
  | { team: Team }
  | { product: Product }
  | { product: Product; versions: ReadonlySet<string> }
  | { change: ChangeFound }

/** The ids of what is deleted, without those of what is in it. */
export const idsOf = (deletions: readonly Deletion[]): string[] =>
  deletions.flatMap((each) =>
    'team' in each
      ? [each.team.id]
      : 'change' in each
        ? [each.change.change.id]
        : 'versions' in each
          ? [...each.versions]
          : [each.product.id],
  )

/**
 * The records of what is deleted, and of the team, the product and the version that it is in. With a product go the
 * keys that it is attached to, which lose it; with a team go all of its keys.
 */
export async function* recordsOf(
  records: Records,
  deletions: readonly Deletion[],
): AsyncGenerator<ExportRecord> {
  for (const ofTeam of Map.groupBy(deletions, (each) => teamOf(each).id).values()) {
    const team = teamOf(ofTeam[0] as Deletion)
    yield { team }
    const isWhole = ofTeam.some((each) => 'team' in each)
    const products = isWhole ? await records.products.list(team) : ofTeam.flatMap(productOf)
    const deleted = new Set<string>()
    for (const product of products) {
      const parts = ofTeam.filter((each) => productOf(each)[0]?.id === product.id)
      const versions = isWhole ? null : chosenVersions(parts)
      if (!versions) deleted.add(product.slug)
      yield { product }
      const contents = versions ? chosen(records, product, versions) : records.transfer.contents(product)
      for await (const version of contents) yield { version }
    }
    if (deleted.size === 0 && !isWhole) continue
    for (const key of await records.transfer.keys(team))
      if (isWhole || key.products.some((slug) => deleted.has(slug))) yield { key }
  }
}

const teamOf = (each: Deletion): Team =>
  'team' in each ? each.team : ((productOf(each)[0] as Product).team as Team)

const productOf = (each: Deletion): Product[] =>
  'team' in each ? [] : [('change' in each ? each.change : each).product]

/** Only these versions: a product may have very many others. */
async function* chosen(
  records: Records,
  product: Product,
  ids: ReadonlySet<string>,
): AsyncGenerator<VersionContents> {
  const former = await records.versions.formerLabels(product)
  const [only = '', ...others] = ids
  const found =
    others.length === 0 ? [await records.versions.find(product, only)] : await records.versions.list(product)
  for (const version of found) {
    if (!version || !ids.has(version.id)) continue
    const changes = await records.changes.list(version)
    yield {
      ...withoutNull(version),
      formerLabels: former.get(version.id) ?? [],
      changes: changes.map(({ position: _, ...change }) => withoutNull(change)),
    }
  }
}

/** The native format has only the hashes that there are. */
const withoutNull = <T extends { imported?: string | null | undefined }>(record: T): T => ({
  ...record,
  imported: record.imported ?? undefined,
})

/** The versions of a product of which something is deleted; null if the product itself is. */
function chosenVersions(parts: readonly Deletion[]): Set<string> | null {
  const chosen = new Set<string>()
  for (const each of parts)
    if ('change' in each) chosen.add(each.change.version.id)
    else if ('versions' in each) for (const id of each.versions) chosen.add(id)
    else return null
  return chosen
}
