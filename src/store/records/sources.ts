import { asc, eq, getTableColumns } from 'drizzle-orm'
import type { Product, Source } from '../../domain/records.ts'
import { checkSource, targetOf } from '../../domain/sources.ts'
import { type Engine, freeId } from './engine.ts'
import { selectProducts } from './products.ts'
import type { Followed } from './types.ts'

export function sourceRecords(engine: Engine) {
  const { db, tables } = engine
  const { sources, products, teams } = tables
  const { productId: _, ...columns } = getTableColumns(sources)

  const find = async ({ id }: Product): Promise<Source | null> =>
    (await db.select(columns).from(sources).where(eq(sources.productId, id)))[0] ?? null

  const list = async (id?: string): Promise<Followed[]> => {
    const all = await selectProducts(engine, { source: columns })
      .innerJoin(sources, eq(sources.productId, products.id))
      .where(id === undefined ? undefined : eq(sources.id, id))
      .orderBy(asc(teams.slug), asc(products.slug))
    return all.map(({ source, ...product }) => ({ source, product }))
  }

  const update = async (source: Source, changes: Partial<Source>): Promise<Source> => {
    const updated = { ...source, ...changes, id: source.id, createdAt: source.createdAt }
    checkSource(updated)
    await db.update(sources).set(updated).where(eq(sources.id, source.id))
    return updated
  }

  return {
    find,
    update,

    list: () => list(),

    /** The product that follows the source, whatever it is called by now; null if none follows this any more. */
    followedBy: async (source: Source): Promise<Product | null> => {
      const [found] = await list(source.id)
      return found && targetOf(found.source) === targetOf(source) ? found.product : null
    },

    /** Lets the product follow a source, in place of the one before, or with the same id unless that is taken. */
    put: async (product: Product, source: Source): Promise<Source> => {
      const known = await find(product)
      if (known) return update(known, source)
      checkSource(source)
      const added = { ...source, id: await freeId(engine, sources, 'src', source.id) }
      await db.insert(sources).values({ ...added, productId: product.id })
      return added
    },

    delete: async ({ id }: Source): Promise<void> => db.delete(sources).where(eq(sources.id, id)),
  }
}
