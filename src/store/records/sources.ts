import { asc, eq, getTableColumns } from 'drizzle-orm'
import { newId } from '../../domain/id.ts'
import type { Instant, Product, Source } from '../../domain/records.ts'
import { checkSource } from '../../domain/source.ts'
import type { Engine } from './engine.ts'
import { selectProducts } from './products.ts'
import type { Followed, SourceDraft } from './types.ts'

export function sourceRecords(engine: Engine) {
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

    /** Of all products, in the order of their slugs. */
    list: async (): Promise<Followed[]> => {
      const all = await selectProducts(engine, { source: columns })
        .innerJoin(sources, eq(sources.productId, products.id))
        .orderBy(asc(teams.slug), asc(products.slug))
      return all.map(({ source, ...product }) => ({ source, product }))
    },

    /** Lets the product follow a source, instead of what it followed before. */
    put: async (product: Product, draft: SourceDraft, now: Instant): Promise<Source> => {
      const known = await find(product)
      return known ? update(known, draft) : add(product, { ...draft, id: newId('src'), createdAt: now })
    },

    /** As `put`, with the same id unless that is taken. */
    putSource: async (product: Product, source: Source): Promise<Source> => {
      const known = await find(product)
      if (known) return update(known, source)
      const [taken] = await db.select({ id: sources.id }).from(sources).where(eq(sources.id, source.id))
      return add(product, taken ? { ...source, id: newId('src') } : source)
    },

    delete: async ({ id }: Source): Promise<void> => {
      await db.delete(sources).where(eq(sources.id, id))
    },
  }
}
