import { eq } from 'drizzle-orm'
import type { Product } from '../../../domain/records.ts'
import type { Tables } from '../../tables/schema.ts'
import type { Engine } from '../engine.ts'
import { formerLabelRecords } from '../former-labels.ts'
import type { ProductSummary } from '../types.ts'
import { versionRecords } from '../versions.ts'
import { contentRecords } from './contents.ts'

/** Hashing more takes seconds, even if the file is short. */
const MOST_VERSIONS = 20_000
const MOST_CHANGES = 100_000

/** Results of the last import of a file: see transfer/remembered-import.ts. */
type ImportNote = Omit<Tables['importNotes']['$inferInsert'], 'productId'>

export function importNoteRecords(engine: Engine) {
  const { db, tables } = engine
  const { importNotes } = tables
  return {
    importNote: async ({ id }: Product) =>
      (await db.select().from(importNotes).where(eq(importNotes.productId, id)))[0] ?? null,

    putImportNote: async ({ id }: Product, note: ImportNote): Promise<void> =>
      db
        .insert(importNotes)
        .values({ ...note, productId: id })
        .onConflictDoUpdate({ target: importNotes.productId, set: note }),

    /**
     * Another text whenever anything that an import compares may be another: the product, versions, changes and old
     * labels. Null if they are so many that it would take long.
     */
    contentHash: async (product: ProductSummary): Promise<string | null> => {
      if (product.publishedCount + product.draftCount > MOST_VERSIONS) return null
      const versions = await versionRecords(engine).list(product)
      if (versions.reduce((sum, { changeCount }) => sum + changeCount, 0) > MOST_CHANGES) return null
      const changes = await contentRecords(engine).changesByVersion(product)
      const labels = await formerLabelRecords(engine).list(product)
      const hash = new Bun.CryptoHasher('sha256')
      for (const part of [product, versions, [...changes.values()], labels]) hash.update(JSON.stringify(part))
      return hash.digest('base64url')
    },
  }
}
