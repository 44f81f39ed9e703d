import type { ProductName } from '../domain/records.ts'
import { importEverything, importOnlyProduct } from '../transfer/exports/import.ts'
import type { ExportSource } from '../transfer/exports/read-export.ts'
import { importChangelog } from '../transfer/import-changelog.ts'
import type { ImportOptions, ImportResult } from '../transfer/import-result.ts'
import type { ChangelogSource } from '../transfer/parse-changelog.ts'
import type { Acting } from './acting.ts'
import { publishProduct } from './products.ts'

/** A changelog, or the only product of an export, for a product; or all that an export has. */
export type Import =
  | { of: ProductName; source: ChangelogSource | ExportSource }
  | { of: null; source: ExportSource }

export async function importSource(
  by: Acting,
  { of, source }: Import,
  options: ImportOptions & { publish?: true | undefined },
): Promise<ImportResult> {
  const { records } = by
  if (of === null) return importEverything(records, source, options)
  const result =
    source.format === 'json'
      ? await importOnlyProduct(records, of, source, options)
      : await importChangelog(records, of, source, options)
  const { product, changed } = result
  const isPublic = product?.status === 'published' && product.changelog.status === 'published'
  if (!options.publish || !product || isPublic) return result
  changed.products++
  const published = await publishProduct(by, product)
  return { ...result, product: await records.products.summary(published.product) }
}
