import { asc, eq, getTableColumns } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import type { Product, Source } from '../../domain/records.ts'
import { checkSource } from '../../domain/source.ts'
import type { Engine } from './engine.ts'
import { selectProducts } from './products.ts'
import type { SourceRecords, TransferRecords } from './types.ts'

export function sourceRecords(engine: Engine): SourceRecords & Pick<TransferRecords, 'putSource'> {
  const { db, tables } = engine
  const { sources, products, teams } = tables
  const { productId: _, ...columns } = getTableColumns(sources)

  const find = async ({ id }: Product): Promise<Source | null> =>
    (await db.select(columns).from(sources).where(eq(sources.productId, id)))[0] ?? null

  const update = async (source: Source, changes: Partial<Source>): Promise<Source> => {
    const updated = { ...source, ...changes, id: source.id, createdAt: source.createdAt }
    checkSource(updated)
    await db.update(sources).set(updated).where(eq(sources.id, source.id))
    return updated
  }

  const add = async (product: Product, source: Source): Promise<Source> => {
    checkSource(source)
    await db.insert(sources).values({ ...source, productId: product.id })
    return source
  }

  return {
    find,
    update,

    list: async () => {
      const all = await selectProducts(engine, { source: columns })
        .innerJoin(sources, eq(sources.productId, products.id))
        .orderBy(asc(teams.slug), asc(products.slug))
      return all.map(({ source, ...product }) => ({ source, product }))
    },

    put: async (product, draft, now) => {
      const known = await find(product)
      return known ? update(known, draft) : add(product, { ...draft, id: newId('src'), createdAt: now })
    },

    putSource: async (product, source) => {
      const known = await find(product)
      if (known) return update(known, source)
      const [taken] = await db.select({ id: sources.id }).from(sources).where(eq(sources.id, source.id))
      return add(product, taken ? { ...source, id: newId('src') } : source)
    },

    delete: async ({ id }) => {
      await db.delete(sources).where(eq(sources.id, id))
    },
  }
}
