import { and, eq, isNull, sql } from 'drizzle-orm'
import { ok, type Result, wrong } from '../../domain/finding.ts'
import { publicRule } from '../visibility.ts'
import type { Dialect } from './dialects.ts'

/** Count the differences between `public_product` and the rule of its triggers: missing and surplus rows. */
export function listingCounts({ builder, tables }: Dialect): { sql: string; params: unknown[] }[] {
  const { teams, products, changelogs, publicProducts } = tables
  const { changelog: isPublic } = publicRule(tables)
  const isNamed = and(
    eq(publicProducts.productId, products.id),
    eq(publicProducts.productSlug, products.slug),
    eq(publicProducts.teamSlug, teams.slug),
  )
  const count = { count: sql`count(*)` }
  const unlisted = builder
    .select(count)
    .from(products)
    .innerJoin(teams, eq(teams.id, products.teamId))
    .innerJoin(changelogs, eq(changelogs.productId, products.id))
    .leftJoin(publicProducts, isNamed)
    .where(and(isPublic, isNull(publicProducts.productId)))
  const surplus = builder
    .select(count)
    .from(publicProducts)
    .leftJoin(products, eq(products.id, publicProducts.productId))
    .leftJoin(teams, eq(teams.id, products.teamId))
    .leftJoin(changelogs, eq(changelogs.productId, products.id))
    .where(sql`(${and(isNamed, isPublic)}) is not true`)
  return [unlisted.toSQL(), surplus.toSQL()]
}

export function listingResult([unlisted = 0, surplus = 0]: readonly number[]): Result {
  if (unlisted + surplus === 0) return ok('has every public product')
  return wrong(
    `the table public_product lacks ${unlisted} of the public products, and has ${surplus} others`,
    'To write it again, run in the database: UPDATE team SET visibility = visibility',
  )
}
