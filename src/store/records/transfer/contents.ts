import { and, asc, desc, eq, sql } from 'drizzle-orm'
import { pick } from '../../../domain/objects.ts'
import type { Change, Product, VersionContents } from '../../../domain/records.ts'
import { sourceOf } from '../../../domain/versions/source.ts'
import { comparePosition } from '../../queries/lists.ts'
import { changeColumns } from '../../queries/statement.ts'
import type { Engine } from '../engine.ts'
import { formerLabelRecords } from '../former-labels.ts'
import { versionColumns } from '../versions.ts'

const PAGE = 500

/** Without the number of changes: an export has the changes. */
export function contentColumns(engine: Engine) {
  const { changeCount: _, ...columns } = versionColumns(engine)
  return columns
}

export function contentRecords(engine: Engine) {
  const { db, tables } = engine
  const { versions, changes, versionSources } = tables
  const { byVersion } = formerLabelRecords(engine)

  return {
    /** All changes of a product in their order, by the id of their version. */
    changesByVersion: async (product: Product): Promise<Map<string, Change[]>> => {
      const found = await db
        .select({ ...changeColumns(tables), imported: changes.imported, versionId: changes.versionId })
        .from(changes)
        .innerJoin(versions, eq(versions.id, changes.versionId))
        .where(eq(versions.changelogId, product.changelog.id))
        .orderBy(asc(changes.versionId), asc(changes.position), asc(changes.id))
      return Map.groupBy(found, ({ versionId }) => versionId)
    },

    /** Versions with their changes, newest first; only those with these ids, if they are given. */
    contents: async function* (product: Product, ids?: ReadonlySet<string>): AsyncGenerator<VersionContents> {
      const former = await byVersion(product)
      const changesOf = prepareChangesOf(engine)
      const page = db
        .select({ ...contentColumns(engine), source: pick(versionSources, 'text', 'hash') })
        .from(versions)
        .leftJoin(versionSources, eq(versionSources.versionId, versions.id))
        .where(
          and(
            eq(versions.changelogId, sql.placeholder('changelogId')),
            comparePosition(versions, '<', { at: 'at', id: 'id' }),
          ),
        )
        .orderBy(desc(versions.publishedAt), desc(versions.id))
        .limit(PAGE)
        .prepare()
      let last = { at: Number.MAX_SAFE_INTEGER, id: '' }
      for (;;) {
        const found = await page.execute({ changelogId: product.changelog.id, ...last })
        const wanted = found.filter(({ id }) => ids?.has(id) ?? true)
        // Sent together: a remote engine answers in one round trip.
        const lists = await Promise.all(wanted.map(({ id }) => changesOf.execute({ versionId: id })))
        for (const [at, version] of wanted.entries()) {
          const changes: Change[] = lists[at] ?? []
          for (const change of changes) change.imported ??= undefined
          const formerLabels = former.get(version.id) ?? []
          const source = sourceOf(version.source, { ...version, changes })
          yield { ...version, formerLabels, imported: version.imported ?? undefined, changes, source }
        }
        const end = found.at(-1)
        if (!end) return
        last = { at: end.publishedAt, id: end.id }
      }
    },
  }
}

export const prepareChangesOf = ({ db, tables }: Engine) => {
  const { changes } = tables
  return db
    .select({ ...changeColumns(tables), imported: changes.imported })
    .from(changes)
    .where(eq(changes.versionId, sql.placeholder('versionId')))
    .orderBy(asc(changes.position), asc(changes.id))
    .prepare()
}
