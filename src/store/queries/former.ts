import { and, eq, or, sql } from 'drizzle-orm'
import type { ProductName } from '../../domain/records.ts'
import { all, type ReadContext } from './read.ts'
import { type Dialect, isNearest, statement } from './statement.ts'

/** The public product that had this address, or with an empty slug, one whose team had it. */
export function* readFormer({ statements }: ReadContext<FormerStatement>, names: ProductName) {
  return (yield* all(statements.former, { ...names }))[0] ?? null
}

type FormerStatement = { former: ReturnType<typeof formerStatement> }

/** What is hidden, and what never was, take the same lookups. */
export function formerStatement({ builder, tables, rowOf, isLookedUp, checkedLast }: Dialect) {
  const { teams, products, publicProducts, formerAddresses } = tables
  const { teamSlug, productSlug, productId } = formerAddresses
  const [team, product] = [sql.placeholder('team'), sql.placeholder('product')]
  const isTeam = sql`${product} = ''`
  const listed = [publicProducts.teamSlug, publicProducts.productSlug]
  const now = [sql`${teams.slug}`, sql`case when ${isTeam} then '' else ${products.slug} end`]
  const isNamed = isNearest(rowOf(formerAddresses), formerAddresses, [teamSlug, productSlug], [team, product])
  const isSame = and(eq(productSlug, product), eq(publicProducts.productId, productId))
  const isPublic = and(eq(teamSlug, team), eq(publicProducts.teamSlug, teams.slug), or(isTeam, isSame))
  return statement(
    builder
      .select({ team: teams.slug, product: products.slug })
      .from(formerAddresses)
      .innerJoin(products, isLookedUp(products.id, productId))
      .innerJoin(teams, isLookedUp(teams.id, products.teamId))
      .innerJoin(publicProducts, isNearest(rowOf(publicProducts), publicProducts, listed, now))
      .where(and(isNamed, checkedLast(isPublic))),
  )
}
