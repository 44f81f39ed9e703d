import { and, asc, eq, not, type SQL, sql } from 'drizzle-orm'
import { once, pick } from '../../domain/objects.ts'
import type { Product, ProductName, Team } from '../../domain/records.ts'
import type { Engine } from './engine.ts'

/** Addresses that products had: pages lead from them to the present ones, until something else takes them. */
export function formerAddressRecords({ db, tables: { formerAddresses, products, teams } }: Engine) {
  const { teamSlug, productSlug, productId } = formerAddresses

  const take = async (team: string, product: string): Promise<void> =>
    db.delete(formerAddresses).where(and(eq(teamSlug, team), eq(productSlug, product)))

  /** Its own products may have had other addresses below this slug. */
  const takeTeam = async (slug: string, { id }: Team): Promise<void> => {
    const isOwn = sql`${productId} in (select ${products.id} from ${products} where ${products.teamId} = ${id})`
    await db.delete(formerAddresses).where(and(eq(teamSlug, slug), not(isOwn)))
  }

  const keep = async (id: string, { team, product }: ProductName): Promise<void> => {
    await take(team, product)
    await db.insert(formerAddresses).values({ teamSlug: team, productSlug: product, productId: id })
  }

  const presentAt = (where: SQL | undefined) =>
    once(() =>
      db
        .select({ team: teams.slug, product: products.slug })
        .from(formerAddresses)
        .innerJoin(products, eq(products.id, productId))
        .innerJoin(teams, eq(teams.id, products.teamId))
        .where(where)
        .limit(1)
        .prepare(),
    )
  const ofTeam = eq(teamSlug, sql.placeholder('team'))
  const ofProduct = and(ofTeam, eq(productSlug, sql.placeholder('product')))
  const [presentTeam, present] = [presentAt(ofTeam), presentAt(ofProduct)]

  return {
    ...{ take, takeTeam, keep },

    /** The address now of the product that had this one. */
    present: async (name: ProductName): Promise<ProductName | null> =>
      (await present().execute({ ...name }))[0] ?? null,

    /** The slug now of the team that had this one, with products. */
    presentTeam: async (team: string): Promise<string | null> =>
      (await presentTeam().execute({ team }))[0]?.team ?? null,

    /** To be called before a team has this slug: all its products have other addresses then. */
    moveTeam: async (team: Team, slug: string): Promise<void> => {
      await takeTeam(slug, team)
      const owned = db.select(pick(products, 'id', 'slug')).from(products)
      for (const { id, slug: product } of await owned.where(eq(products.teamId, team.id))) {
        await take(slug, product)
        await keep(id, { team: team.slug, product })
      }
    },

    list: ({ id }: Product): Promise<ProductName[]> => {
      const rows = db.select({ team: teamSlug, product: productSlug }).from(formerAddresses)
      return rows.where(eq(productId, id)).orderBy(asc(teamSlug), asc(productSlug))
    },
  }
}
