import { and, eq, sql } from 'drizzle-orm'
import { all, type Read, type ReadContext } from './read.ts'
import { type Dialect, isNearest, statement } from './statement.ts'

/** The public team or product that had this address, by its slugs now; null without one. A team has no slug of a team. */
export function* readFormer(
  { statements }: ReadContext<{ former: ReturnType<typeof formerStatement> }>,
  team: string,
  product: string,
): Read<{ team: string; product: string | null } | null> {
  const [found = null] = yield* all(statements.former, { team, product })
  return found
}

/** Something hidden, and what never was, take the same lookups: see `isNearest`. What is public is in `public_product`. */
export function formerStatement({ builder, tables, rowOf, checkedLast, isLookedUp }: Dialect) {
  const { formerAddresses, teams, products, publicProducts } = tables
  const { teamSlug, productSlug, teamId, productId } = formerAddresses
  const [team, product] = [sql.placeholder('team'), sql.placeholder('product')]
  const listed = [publicProducts.teamSlug, publicProducts.productSlug]
  const now = [sql`${teams.slug}`, sql`coalesce(${products.slug}, '')`]
  return statement(
    builder
      .select({ team: teams.slug, product: sql<string | null>`${products.slug}` })
      .from(formerAddresses)
      .innerJoin(teams, isLookedUp(teams.id, teamId))
      .leftJoin(products, isLookedUp(products.id, productId))
      .leftJoin(publicProducts, isNearest(rowOf(publicProducts), publicProducts, listed, now))
      .where(
        and(
          isNearest(rowOf(formerAddresses), formerAddresses, [teamSlug, productSlug], [team, product]),
          checkedLast(
            and(
              eq(teamSlug, team),
              eq(productSlug, product),
              eq(publicProducts.teamSlug, teams.slug),
              sql`coalesce(${productId}, ${publicProducts.productId}) = ${publicProducts.productId}`,
            ),
          ),
        ),
      ),
  )
}
