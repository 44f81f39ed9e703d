import { and, asc, eq, isNull, ne, type SQL } from 'drizzle-orm'
import { pick } from '../../domain/objects.ts'
import type { Product, ProductName, Team } from '../../domain/records.ts'
import type { Engine } from './engine.ts'

/** The team of an address that is that of a team. */
const NONE = ''

/** Addresses that teams and products had: pages lead from them to the present ones, until something else takes them. */
export function formerAddressRecords({ db, tables: { formerAddresses, products } }: Engine) {
  const { teamSlug, productSlug, teamId, productId } = formerAddresses
  type Row = typeof formerAddresses.$inferInsert

  const takeProduct = (team: string, slug: string) =>
    db.delete(formerAddresses).where(and(eq(teamSlug, team), eq(productSlug, slug)))

  /** Its own products may have had other slugs below this one. */
  const takeTeam = async (slug: string, id: string): Promise<void> => {
    await takeProduct(NONE, slug)
    await db.delete(formerAddresses).where(and(eq(teamSlug, slug), ne(teamId, id)))
  }

  const keep = (row: Row) =>
    db
      .insert(formerAddresses)
      .values(row)
      .onConflictDoUpdate({ target: [teamSlug, productSlug], set: pick(row, 'teamId', 'productId') })

  /** Unless it leads elsewhere. */
  const restore = (row: Row) => db.insert(formerAddresses).values(row).onConflictDoNothing()

  const select = (condition: SQL | undefined) =>
    db
      .select({ team: teamSlug, product: productSlug })
      .from(formerAddresses)
      .where(condition)
      .orderBy(asc(teamSlug), asc(productSlug))

  return {
    takeTeam,
    takeProduct,

    /** To be called before a team has this slug: all its products have other addresses then. */
    renameTeam: async (team: Team, slug: string): Promise<void> => {
      await takeTeam(slug, team.id)
      await keep({ teamSlug: NONE, productSlug: team.slug, teamId: team.id, productId: null })
      const owned = await db
        .select(pick(products, 'id', 'slug'))
        .from(products)
        .where(eq(products.teamId, team.id))
      for (const { id, slug: own } of owned) {
        await takeProduct(slug, own)
        await keep({ teamSlug: team.slug, productSlug: own, teamId: team.id, productId: id })
      }
    },

    /** To be called before a product has this slug. */
    renameProduct: async ({ id, slug: former, team }: Product, slug: string): Promise<void> => {
      await takeProduct(team.slug, slug)
      await keep({ teamSlug: team.slug, productSlug: former, teamId: team.id, productId: id })
    },

    slugsOf: async (team: Team): Promise<string[]> =>
      (await select(and(eq(teamId, team.id), isNull(productId)))).map(({ product }) => product),

    namesOf: ({ id }: Product): Promise<ProductName[]> => select(eq(productId, id)),

    restoreSlugs: async ({ id }: Team, slugs: readonly string[]): Promise<void> => {
      for (const slug of slugs)
        await restore({ teamSlug: NONE, productSlug: slug, teamId: id, productId: null })
    },

    restoreNames: async ({ id, team }: Product, names: readonly ProductName[]): Promise<void> => {
      for (const name of names)
        await restore({ teamSlug: name.team, productSlug: name.product, teamId: team.id, productId: id })
    },
  }
}
