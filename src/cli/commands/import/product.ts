import type { ExactVersion } from '../../../domain/merge.ts'
import type { Product, Team } from '../../../domain/records.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Decoded } from '../../../formats/native/records.ts'
import type { Records } from '../../../store/records/port.ts'
import type { ProductName } from '../../arguments.ts'
import { findProduct } from '../../lookup.ts'
import { type ExportedProduct, teamsOf } from './exported-teams.ts'
import { emptyResult, type ImportOptions, type ImportResult } from './result.ts'
import type { ExportSource } from './source.ts'
import { importVersions } from './versions.ts'

/**
 * Imports the only product of an export under the name that it gets here. A product that is here keeps its settings:
 * only its contents are imported. Keys are not.
 */
export async function importOnlyProduct(
  records: Records,
  name: ProductName,
  source: ExportSource,
  options: ImportOptions,
): Promise<ImportResult> {
  if (options.status)
    throw new Refusal('An export of changelogd has the status of each version.', {
      hint: 'To import it, leave out --status.',
    })
  const result = emptyResult()
  let imported: Product | null = null
  for await (const { team: owner, parts } of teamsOf(source.records()))
    for await (const part of parts) {
      if ('key' in part) continue
      if (imported)
        throw new Refusal('The file holds more than one product.', {
          hint: 'To import them all: changelogd import --all FILE',
        })
      const found = await records.products.find(name.team, name.product)
      const here = found ?? (options.create ? null : await findProduct(records, name))
      const team =
        here?.team ??
        (await records.teams.find(name.team)) ??
        (await records.transfer.addTeam({ ...owner, slug: name.team }))
      const renamed = { ...part.product, slug: name.product }
      imported = await importContents(records, team, here, { ...part, product: renamed }, result, options)
      if (!here) await importSettings(records, imported, renamed, result)
    }
  if (!imported) throw new Refusal('The file holds no product.')
  return { ...result, product: await records.products.summary(imported) }
}

/** Fills a product from an export. A new one is neither published nor locked before it is filled. */
export async function importContents(
  records: Records,
  team: Team,
  here: Product | null,
  { product, versions }: ExportedProduct,
  result: ImportResult,
  options: ImportOptions,
): Promise<Product> {
  const draft = { status: 'draft' } as const
  const unlocked = { ...product, ...draft, changelog: { ...product.changelog, ...draft } }
  const target = here ?? (await records.transfer.addProduct(team, unlocked))
  await importVersions(records, target, exactly(versions), result, options)
  return target
}

/** Names and states of a product and its changelog as the file has them, by the rules for changing them. */
export async function importSettings(
  records: Records,
  here: Product,
  { name, status, changelog }: Decoded<'product'>,
  result: ImportResult,
): Promise<void> {
  const { id: _, ...known } = here.changelog
  const { id: __, ...wanted } = changelog
  if (here.name === name && here.status === status && Bun.deepEquals(known, wanted)) return
  result.records++
  await records.products.update(await records.products.updateChangelog(here, wanted), { name, status })
}

async function* exactly(versions: ExportedProduct['versions']): AsyncGenerator<ExactVersion> {
  for await (const version of versions) yield { from: 'export', version }
}
