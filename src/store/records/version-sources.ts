import { eq } from 'drizzle-orm'
import { LIMITS, type Product } from '../../domain/records.ts'
import { checkText } from '../../domain/rules.ts'
import { type Reading, type StoredSource, sourceOf, storedSource } from '../../domain/versions/source.ts'
import type { Engine } from './engine.ts'

/** The markdown that versions were read from. `sourceOf` of domain/versions/source.ts tells if it still counts. */
export function versionSourceRecords({ db, tables, rows }: Engine) {
  const { versions, versionSources } = tables
  const find = async (versionId: string): Promise<StoredSource | undefined> =>
    (await db.select().from(versionSources).where(eq(versionSources.versionId, versionId)))[0]
  return {
    find,

    hashes: async ({ changelog }: Product): Promise<Map<string, string>> => {
      const { versionId, hash } = versionSources
      const found = await db
        .select({ versionId, hash })
        .from(versionSources)
        .innerJoin(versions, eq(versions.id, versionId))
        .where(eq(versions.changelogId, changelog.id))
      return new Map(found.map((row) => [row.versionId, row.hash]))
    },

    /**
     * If there is a text that can be kept. `known` is the stored hash, or null if the version is new. With `isSame`, a stored
     * text that says the same stays.
     */
    put: async (
      versionId: string,
      version: Reading & { source?: string | null | undefined },
      known?: string | null,
      isSame = false,
    ): Promise<void> => {
      const { source } = version
      if (!source || source.length > LIMITS.description) return
      checkText('description', source, 'source')
      const row = storedSource(source, version)
      if (known === null) await rows.add(versionSources, { ...row, versionId })
      else if (row.hash !== known && !(isSame && sourceOf(await find(versionId), version) !== null))
        await db
          .insert(versionSources)
          .values({ ...row, versionId })
          .onConflictDoUpdate({ target: versionSources.versionId, set: row })
    },
  }
}
