import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import {
  type IncomingVersion,
  matchVersion,
  mergedChanges,
  mergeVersion,
  newChanges,
  newVersion,
} from '../../domain/merge.ts'
import { address, type Instant, type Product, type VersionContents } from '../../domain/records.ts'
import { Refusal } from '../../domain/refusal.ts'
import { checkChange, checkUnlocked, checkVersion } from '../../domain/rules.ts'
import { contentColumns, prepareChangesOf } from './contents.ts'
import { bulkInserter, type Engine, inserter } from './insert.ts'
import type { TransferRecords } from './port.ts'
import { labelTaken } from './versions.ts'

/** Writes the versions of an import into one product. */
export function importRecords(engine: Engine): Pick<TransferRecords, 'importVersions'> {
  const { db, tables } = engine
  const { versions, changes } = tables
  const addVersion = bulkInserter(engine, versions)
  const addChange = bulkInserter(engine, changes)
  const insertChange = inserter(engine, changes)
  const { byId, byLabel, changesOf } = prepareStatements(engine)

  const add = async (
    product: Product,
    incoming: IncomingVersion,
    id: string,
    now: Instant,
  ): Promise<void> => {
    checkUnlocked(product)
    const row = newVersion(incoming, now)
    await addVersion({ ...row, id, changeCount: 0, changelogId: product.changelog.id })
    let position = 0
    for (const { id: changeId, ...change } of newChanges(incoming, id)) {
      position++
      await addChange({ ...change, id: changeId, versionId: id, position })
    }
  }

  /** Updates a stored version where it differs; says whether it did. */
  const update = async (
    product: Product,
    known: Omit<VersionContents, 'changes'>,
    incoming: IncomingVersion,
    now: Instant,
  ): Promise<boolean> => {
    const { label } = incoming.version
    const fields = mergeVersion(known, incoming, now)
    const merge = mergedChanges(await changesOf.execute({ versionId: known.id }), incoming)
    if (!fields && !merge) return false
    checkUnlocked(product)
    if (fields?.label !== undefined) {
      const [other] = await byLabel.execute({ changelogId: product.changelog.id, label })
      if (other) throw labelTaken(product, label)
    }
    if (fields) await db.update(versions).set(fields).where(eq(versions.id, known.id))
    if (!merge) return true
    if (merge.removed.length > 0) await db.delete(changes).where(inArray(changes.id, merge.removed))
    for (const [at, { id, type, typeLabel = null, title, description }] of merge.changes.entries()) {
      const row = { position: at + 1, type, typeLabel, title, description }
      if (id === null) await insertChange({ ...row, id: newId('chg'), versionId: known.id })
      else await db.update(changes).set(row).where(eq(changes.id, id))
    }
    return true
  }

  const isNone = async (where?: SQL): Promise<boolean> =>
    (await db.select({ id: versions.id }).from(versions).where(where).limit(1)).length === 0
  /** Whether there was no version before the first import, and the ids of those that came with it and later ones. */
  let isNew: boolean | undefined
  const written = new Set<string>()

  return {
    importVersions: async (product, now) => {
      const changelogId = product.changelog.id
      isNew ??= await isNone()
      const isEmpty = await isNone(eq(versions.changelogId, changelogId))
      const labels = new Set<string>()
      const ids = new Set<string>()
      // Where there is no version yet, none has to be looked for: that halves the work of a first import.
      const find = {
        byId: async (id: string) =>
          isNew && !written.has(id) ? null : ((await byId.execute({ id }))[0] ?? null),
        byLabel: async (label: string) =>
          isEmpty ? null : ((await byLabel.execute({ changelogId, label }))[0] ?? null),
      }

      return {
        put: async (incoming) => {
          const { version } = incoming
          checkVersion(version)
          for (const change of version.changes) checkChange(change)
          if (labels.has(version.label))
            throw new Refusal(`There are two versions ${version.label} of ${address(product)} in the file.`)
          labels.add(version.label)
          const { known, id } = await matchVersion(incoming, changelogId, find)
          if (ids.has(id)) throw new Refusal(`There are two versions with the id ${id} in the file.`)
          ids.add(id)
          if (known) return (await update(product, known, incoming, now)) ? 'updated' : 'unchanged'
          await add(product, incoming, id, now)
          return 'added'
        },

        end: async ({ prune }) => {
          await engine.bulk?.flush()
          for (const id of ids) written.add(id)
          if (!prune) return 0
          const all = await db
            .select({ id: versions.id })
            .from(versions)
            .where(eq(versions.changelogId, changelogId))
          const gone = all.filter(({ id }) => !ids.has(id))
          if (gone.length > 0) checkUnlocked(product)
          for (const { id } of gone) await db.delete(versions).where(eq(versions.id, id))
          return gone.length
        },
      }
    },
  }
}

function prepareStatements(engine: Engine) {
  const { db, tables } = engine
  const { versions } = tables
  const known = () =>
    db.select({ ...contentColumns(tables), changelogId: versions.changelogId }).from(versions)
  const inChangelog = eq(versions.changelogId, sql.placeholder('changelogId'))
  return {
    byId: known()
      .where(eq(versions.id, sql.placeholder('id')))
      .prepare(),
    byLabel: known()
      .where(and(inChangelog, eq(versions.label, sql.placeholder('label'))))
      .prepare(),
    changesOf: prepareChangesOf(engine),
  }
}
