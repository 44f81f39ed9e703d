import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import { namesOf } from '../../domain/objects.ts'
import type { Product, Source } from '../../domain/records.ts'
import { checkSource } from '../../domain/source.ts'
import { deleter, type Engine, inserter, prepared, updater } from './engine.ts'
import { selectProducts } from './products.ts'
import type { SourceRecords, TransferRecords } from './types.ts'

export function sourceRecords(engine: Engine): SourceRecords & Pick<TransferRecords, 'putSource'> {
  const { db, tables } = engine
  const { sources, products, teams } = tables
  const { productId: _, ...columns } = getTableColumns(sources)
  const insert = inserter(engine, sources)
  const { id: _id, createdAt: _createdAt, ...fields } = columns
  const write = updater(engine, sources, namesOf(fields))
  const remove = deleter(engine, sources)
  const ofProduct = prepared(() =>
    db
      .select(columns)
      .from(sources)
      .where(eq(sources.productId, sql.placeholder('of'))),
  )
  const all = prepared(() =>
    selectProducts(engine, { source: columns })
      .innerJoin(sources, eq(sources.productId, products.id))
      .orderBy(asc(teams.slug), asc(products.slug)),
  )

  const find = async (product: Product): Promise<Source | null> =>
    (await ofProduct({ of: product.id }))[0] ?? null

  const update = async (source: Source, changes: Partial<Source>): Promise<Source> => {
    const updated = { ...source, ...changes, id: source.id, createdAt: source.createdAt }
    checkSource(updated)
    await write(updated)
    return updated
  }

  const add = async (product: Product, source: Source): Promise<Source> => {
    checkSource(source)
    await insert({ ...source, productId: product.id })
    return source
  }

  return {
    find,
    update,
    delete: remove,

    list: async () => (await all()).map(({ source, ...product }) => ({ source, product })),

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
  }
}
