import { asc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { changeColumns } from '../../queries/statement.ts'
import type { Engine } from '../engine.ts'
import type { TransferRecords } from '../types.ts'
import { versionColumns } from '../versions.ts'

/** Of more than these a hash takes seconds, also if the file is short. */
const MOST_VERSIONS = 20_000
const MOST_CHANGES = 100_000

export function importNoteRecords(
  engine: Engine,
): Pick<TransferRecords, 'importNote' | 'putImportNote' | 'contentHash'> {
  const { db, tables } = engine
  const { importNotes, versions, changes, formerLabels } = tables
  return {
    importNote: async ({ id }) =>
      (await db.select().from(importNotes).where(eq(importNotes.productId, id)))[0] ?? null,

    putImportNote: async ({ id }, note) => {
      await db
        .insert(importNotes)
        .values({ ...note, productId: id })
        .onConflictDoUpdate({ target: importNotes.productId, set: note })
    },

    contentHash: async (product) => {
      const inChangelog = eq(versions.changelogId, product.changelog.id)
      if (product.publishedCount + product.draftCount > MOST_VERSIONS) return null
      const [stored] = await db
        .select({ changes: sql`coalesce(sum(${versions.changeCount}), 0)`.mapWith(Number) })
        .from(versions)
        .where(inChangelog)
      if ((stored?.changes ?? 0) > MOST_CHANGES) return null
      const { versionId, position, id, imported } = changes
      const parts = [
        await db
          .select({ row: asText(Object.values(versionColumns(engine))) })
          .from(versions)
          .where(inChangelog)
          .orderBy(asc(versions.id)),
        await db
          .select({ row: asText([versionId, imported, ...Object.values(changeColumns(tables))]) })
          .from(changes)
          .innerJoin(versions, eq(versions.id, versionId))
          .where(inChangelog)
          .orderBy(asc(versionId), asc(position), asc(id)),
        await db
          .select({ row: asText([formerLabels.label, formerLabels.versionId]) })
          .from(formerLabels)
          .where(eq(formerLabels.changelogId, product.changelog.id))
          .orderBy(asc(formerLabels.label)),
      ]
      const hash = new Bun.CryptoHasher('sha256').update(JSON.stringify(product))
      for (const rows of parts) for (const { row } of rows) hash.update(row)
      return hash.digest('base64url')
    },
  }
}

/** A row as one text, made by the engine: that takes a fraction of reading every column. */
const asText = (columns: readonly SQLWrapper[]): SQL<string> =>
  sql.join(
    columns.map(
      (column) => sql`coalesce(length(cast(${column} as text)) || ':' || cast(${column} as text), '-')`,
    ),
    sql` || `,
  ) as SQL<string>
