import { and, asc, eq } from 'drizzle-orm'
import type { Product, Version } from '../../domain/records.ts'
import { hiddenVersion } from '../../domain/versions/hidden.ts'
import type { Engine } from './engine.ts'

/** Labels that versions had while they were public, so that old addresses redirect to them. */
export function formerLabelRecords({ db, tables: { formerLabels } }: Engine) {
  const keep = async (product: Product, versionId: string, label: string): Promise<void> =>
    db
      .insert(formerLabels)
      .values({ changelogId: product.changelog.id, label, versionId })
      .onConflictDoUpdate({ target: [formerLabels.changelogId, formerLabels.label], set: { versionId } })

  const list = (product: Product): Promise<{ label: string; versionId: string }[]> =>
    db
      .select({ label: formerLabels.label, versionId: formerLabels.versionId })
      .from(formerLabels)
      .where(eq(formerLabels.changelogId, product.changelog.id))
      .orderBy(asc(formerLabels.label))

  return {
    list,

    byVersion: async (product: Product): Promise<Map<string, string[]>> => {
      const labels = new Map<string, string[]>()
      for (const { label, versionId } of await list(product))
        labels.set(versionId, [...(labels.get(versionId) ?? []), label])
      return labels
    },

    /** Makes a label lead to this version, even if it led to another. */
    keep,

    /** To be called before a version gets another label. Only a public label is kept. */
    rename: async (product: Product, version: Omit<Version, 'changeCount'>, label: string) => {
      if (hiddenVersion(product, version).length === 0) await keep(product, version.id, version.label)
      await db
        .delete(formerLabels)
        .where(
          and(
            eq(formerLabels.changelogId, product.changelog.id),
            eq(formerLabels.label, label),
            eq(formerLabels.versionId, version.id),
          ),
        )
    },
  }
}
