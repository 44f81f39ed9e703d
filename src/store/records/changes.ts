import { and, asc, eq, gte, lte, max, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import {
  ADDED_BY_HAND,
  changeFields,
  corrected,
  orderOf,
  withDeleted,
  withoutDeleted,
} from '../../domain/importing/imported.ts'
import type { Change, ChangeDraft, Product, Version } from '../../domain/records.ts'
import { checkChange, checkUnlocked } from '../../domain/rules.ts'
import { changeColumns } from '../queries/statement.ts'
import type { Engine } from './engine.ts'
import { selectProducts } from './products.ts'
import type { ChangeFound, PlacedChange } from './types.ts'
import { versionColumns } from './versions.ts'

/** The positions of a version's changes are 1, 2, 3 … without a gap. */
export function changeRecords(engine: Engine) {
  const { db, tables } = engine
  const { changelogs, versions, changes } = tables
  const columns = { ...changeColumns(tables), position: changes.position, imported: changes.imported }
  const lastPosition = async (versionId: string): Promise<number> => {
    const of = eq(changes.versionId, versionId)
    const [row] = await db
      .select({ last: max(changes.position) })
      .from(changes)
      .where(of)
    return row?.last ?? 0
  }
  const shift = async (versionId: string, first: number, last: number, by: number): Promise<void> =>
    db
      .update(changes)
      .set({ position: sql`${changes.position} + ${by}` })
      .where(and(eq(changes.versionId, versionId), gte(changes.position, first), lte(changes.position, last)))

  /** Inserts at a position, or at the end if that is null or too large. Returns where it is. */
  const insert = async (versionId: string, change: Change, position: number | null): Promise<number> => {
    const last = await lastPosition(versionId)
    const at = Math.min(position ?? last + 1, last + 1)
    await shift(versionId, at, last, 1)
    await db.insert(changes).values({ ...change, position: at, versionId })
    return at
  }

  const inOrder = [asc(changes.position), asc(changes.id)]
  const order = async (versionId: string): Promise<string> =>
    orderOf(
      await db
        .select({ id: changes.id })
        .from(changes)
        .where(eq(changes.versionId, versionId))
        .orderBy(...inOrder),
    )
  /** Stores `imported` of a version whose changes were edited. */
  const remember = async ({ id }: Pick<Version, 'id'>, imported: string | null): Promise<void> =>
    db.update(versions).set({ imported }).where(eq(versions.id, id))

  return {
    list: (version: Pick<Version, 'id'>): Promise<PlacedChange[]> =>
      db
        .select(columns)
        .from(changes)
        .where(eq(changes.versionId, version.id))
        .orderBy(...inOrder),

    types: async (product: Product): Promise<string[]> => {
      const rows = await db
        .selectDistinct({ type: changes.type })
        .from(changes)
        .innerJoin(versions, eq(versions.id, changes.versionId))
        .where(eq(versions.changelogId, product.changelog.id))
      return rows.map(({ type }) => type)
    },

    find: async (id: string): Promise<ChangeFound | null> => {
      const [found] = await selectProducts(engine, { change: columns, version: versionColumns(engine) })
        .innerJoin(versions, eq(versions.changelogId, changelogs.id))
        .innerJoin(changes, eq(changes.versionId, versions.id))
        .where(eq(changes.id, id))
      if (!found) return null
      const { change, version, ...product } = found
      return { change, version, product }
    },

    /** Adds a change at a position, or at the end if that is null or too large. */
    add: async (
      product: Product,
      version: Version,
      draft: ChangeDraft,
      position: number | null,
    ): Promise<PlacedChange> => {
      checkUnlocked(product)
      checkChange(draft)
      const change = { ...draft, id: newId('chg'), imported: ADDED_BY_HAND }
      return { ...change, position: await insert(version.id, change, position) }
    },

    update: async ({ change, product }: ChangeFound, update: Partial<ChangeDraft>): Promise<PlacedChange> => {
      checkUnlocked(product)
      // The heading belonged to the old type.
      const typeLabel =
        update.type === undefined || update.type === change.type ? (change.typeLabel ?? null) : null
      const updated = { ...change, typeLabel, ...update }
      checkChange(updated)
      updated.imported = corrected(change.imported, changeFields(change), changeFields(updated))
      await db.update(changes).set(updated).where(eq(changes.id, change.id))
      return updated
    },

    move: async ({ change, version, product }: ChangeFound, position: number): Promise<PlacedChange> => {
      checkUnlocked(product)
      const to = Math.min(position, await lastPosition(version.id))
      const before = await order(version.id)
      if (to < change.position) await shift(version.id, to, change.position - 1, 1)
      else await shift(version.id, change.position + 1, to, -1)
      await db.update(changes).set({ position: to }).where(eq(changes.id, change.id))
      const after = await order(version.id)
      await remember(version, corrected(version.imported, { order: before }, { order: after }))
      return { ...change, position: to }
    },

    delete: async ({ change, version, product }: ChangeFound): Promise<void> => {
      checkUnlocked(product)
      await db.delete(changes).where(eq(changes.id, change.id))
      await shift(version.id, change.position + 1, Number.MAX_SAFE_INTEGER, -1)
      await remember(version, withDeleted(version.imported, change))
    },

    /** Restores a deleted change at a position, or at the end if that is too large. */
    restore: async (product: Product, version: Version, change: Change, position: number): Promise<void> => {
      checkUnlocked(product)
      checkChange(change)
      await insert(version.id, change, position)
      await remember(version, withoutDeleted(version.imported, change))
    },
  }
}
