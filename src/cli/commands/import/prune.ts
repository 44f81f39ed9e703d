import { address } from '../../../domain/records.ts'
import type { Records } from '../../../store/records/types.ts'
import type { Deletion } from '../../../transfer/deletion.ts'
import type { ImportResult } from '../../../transfer/import-result.ts'
import { plural } from '../../terminal/text.ts'
import type { Kept, Trash } from '../../trash/trash.ts'

/** Deletes the versions that an import has found to be missing from the file, and keeps them in the trash; null if there are none. */
export async function prune(records: Records, result: ImportResult, trash: Trash): Promise<Kept | null> {
  const [first, ...others] = result.missing.map(
    ({ product, versions }): Deletion => ({ product, versions: new Set(versions.map(({ id }) => id)) }),
  )
  if (!first) return null
  const of = result.product ? ` of ${address(result.product)}` : ''
  const what = `${plural(result.pruned, 'version')}${of} that import --prune deleted`
  const kept = await trash.keep(records, what, [first, ...others])
  for (const { product, versions } of result.missing)
    for (const version of versions) await records.versions.delete(product, version)
  if (result.product) result.product = await records.products.summary(result.product)
  return kept
}

/** How many drafts `--prune` has spared, and how to delete them too. */
export const sparedNotes = ({ spared }: ImportResult): string[] =>
  spared === 0
    ? []
    : [
        `${plural(spared, 'draft')} not in the file ${spared === 1 ? 'stays' : 'stay'}. To delete drafts too, use --prune-drafts.`,
      ]
