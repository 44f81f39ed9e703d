import { eq } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import { LIMITS, type Product } from '../../domain/records.ts'
import { checkText } from '../../domain/rules.ts'
import { type Reading, type StoredSource, storedSource } from '../../domain/versions/source.ts'
import { bulkInserter, type Engine } from './engine.ts'

/** A version, and the text that it was read from, if that is known. */
type Incoming = Reading & { source?: string | null | undefined }

/** The markdown that versions were read from. Whether it still counts, `sourceOf` of domain/versions/source.ts tells. */
export function versionSourceRecords(engine: Engine) {
  const { db, tables } = engine
  const { versions, versionSources } = tables
  const insert = bulkInserter(engine, versionSources)

  /** What to store; null if there is no text, or one that is longer than any text may be. */
  const rowOf = ({ source, ...reading }: Incoming): StoredSource | null => {
    if (!source || source.length > LIMITS.description) return null
    checkText('description', source, 'source')
    return storedSource(source, reading)
  }

  return {
    find: async (versionId: string): Promise<StoredSource | null> => {
      const own = eq(versionSources.versionId, versionId)
      const [found] = await db
        .select(pick(versionSources, 'text', 'hash'))
        .from(versionSources)
        .where(own)
      return found ?? null
    },

    /** By the id of the version. */
    hashes: async (product: Product): Promise<Map<string, string>> => {
      const rows = await db
        .select(pick(versionSources, 'versionId', 'hash'))
        .from(versionSources)
        .innerJoin(versions, eq(versions.id, versionSources.versionId))
        .where(eq(versions.changelogId, product.changelog.id))
      return new Map(rows.map(({ versionId, hash }) => [versionId, hash]))
    },

    /** Of a version that is new in this transaction. */
    add: async (versionId: string, version: Incoming): Promise<void> => {
      const row = rowOf(version)
      if (row) await insert({ ...row, versionId })
    },

    /** Of any version, unless this is the hash of what is stored. Without a text, what is stored stays. */
    keep: async (versionId: string, version: Incoming, known?: string): Promise<void> => {
      const row = rowOf(version)
      if (!row || row.hash === known) return
      await db
        .insert(versionSources)
        .values({ ...row, versionId })
        .onConflictDoUpdate({ target: versionSources.versionId, set: row })
    },
  }
}
